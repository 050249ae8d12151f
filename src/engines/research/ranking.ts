/**
 * Okapi BM25 (Robertson and Zaragoza 2009; k1 1.2, b 0.75, idf log(1 + (N − n + ½)/(n + ½))) over sentences, with a share of
 * the score of the paragraph and of the neighbouring sentences in it.
 */
import { log } from '../../base/math.js';
import type { Passage } from './index-text.js';

export const k1 = 1.2;
export const b = 0.75;
export const W = { para: 0.35, neigh: 0.1, pair: 0.5, type: 0.5 };

export interface Collection {
  readonly documents: number;
  readonly average: number;
  readonly idf: ReadonlyMap<string, number>;
}

/** Counts of one document (a sentence or a paragraph). */
export interface Counted {
  readonly length: number;
  readonly counts: ReadonlyMap<string, number>;
}

export function collect(documents: readonly Counted[], query: readonly string[]): Collection {
  let total = 0;
  for (const d of documents) total += d.length;
  const idf = new Map<string, number>();
  for (const term of query) {
    let n = 0;
    for (const d of documents) if (d.counts.has(term)) n++;
    idf.set(term, log(1 + (documents.length - n + 0.5) / (n + 0.5)));
  }
  return { documents: documents.length, average: documents.length === 0 ? 0 : total / documents.length, idf };
}

export function bm25(document: Counted, query: readonly string[], collection: Collection): number {
  let score = 0;
  const norm = k1 * (1 - b + (b * document.length) / (collection.average || 1));
  for (const term of query) {
    const tf = document.counts.get(term) ?? 0;
    if (tf > 0) score += ((collection.idf.get(term) ?? 0) * tf * (k1 + 1)) / (tf + norm);
  }
  return score;
}
export type { Passage };
