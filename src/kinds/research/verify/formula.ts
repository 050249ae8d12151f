/** The verifier's own form of the scores: Okapi BM25 (Robertson and Zaragoza 2009) of sentences, with shares of what is around them. */
import { log } from '../../../base/math.js';

/** The occurrences of each goal term in one text; a kindred word counts as a part of one. */
export type Hits = readonly number[];

export interface Texts {
  readonly hits: readonly Hits[];
  /** The number of index terms of each text. */
  readonly sizes: readonly number[];
}

/** The constants of the formula. */
export interface Shares {
  readonly k1: number;
  readonly b: number;
  readonly paragraph_b: number;
  readonly paragraph_share: number;
  readonly before_share: number;
  readonly after_share: number;
  readonly near_credit: number;
}

export interface Formula {
  /** The weight of each goal term. */
  readonly weights: readonly number[];
  readonly sentences: Texts;
  readonly paragraphs: Texts;
  /** The paragraph of each sentence. */
  readonly paragraphOf: readonly number[];
  readonly shares: Shares;
}

export interface Rating {
  readonly score: number;
  /** The share of the goal's idf. */
  readonly matched: number;
}

const idfs = (weights: readonly number[], rows: readonly Hits[]): number[] =>
  weights.map((weight, k) => {
    const n = rows.filter((row) => Number.isInteger(row[k]) && row[k] !== 0).length;
    return weight * log(1 + (rows.length - n + 0.5) / (n + 0.5));
  });

function okapi(weights: readonly number[], { hits, sizes }: Texts, k1: number, b: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const average = total === 0 ? 1 : total / sizes.length;
  return sizes.map((size, i) => {
    const norm = k1 * (1 - b + (b * size) / average);
    return (hits[i] ?? []).reduce((sum, tf, k) => (tf === 0 ? sum : sum + ((weights[k] ?? 0) * tf * (k1 + 1)) / (tf + norm)), 0);
  });
}

/** Returns the rating of every sentence. @param factor of a sentence for an answer of the expected kind */
export function ratings(
  { weights, sentences, paragraphs, paragraphOf, shares }: Formula,
  factor: (i: number) => number,
): Rating[] {
  const idf = idfs(weights, sentences.hits);
  const own = okapi(idf, sentences, shares.k1, shares.b);
  const para = okapi(idfs(weights, paragraphs.hits), paragraphs, shares.k1, shares.paragraph_b);
  const all = idf.reduce((sum, weight) => sum + weight, 0);
  return paragraphOf.map((paragraph, i) => {
    const near = [i - 1, i + 1].filter((k) => paragraphOf[k] === paragraph);
    const share = (k: number, part: number): number => (near.includes(k) ? part * (own[k] ?? 0) : 0);
    const context = share(i - 1, shares.before_share) + share(i + 1, shares.after_share);
    const base = (own[i] ?? 0) + shares.paragraph_share * (para[paragraph] ?? 0) + context;
    const sum = idf.reduce((total, weight, k) => {
      const hit = sentences.hits[i]?.[k] ?? 0;
      const nearby = near.some((m) => (sentences.hits[m]?.[k] ?? 0) >= 1);
      return total + (hit >= 1 ? 1 : Math.max(hit, nearby ? shares.near_credit : 0)) * weight;
    }, 0);
    const matched = all === 0 ? 0 : sum / all;
    return { score: base === 0 ? 0 : base * (1 + matched) * factor(i), matched };
  });
}
