/**
 * Scores of all sentences for a goal. With own(s) and para(p) the BM25 scores of a sentence and of its paragraph, each over its
 * own collection with idf weight·log(1 + (N − n + ½)/(n + ½)):
 *
 *   score(s) = (own(s) + 0.45·para(p) + 0.2·own(before) + 0.1·own(after)) · (1 + matched(s)) · factors
 *
 * A goal term that a text lacks counts for half an occurrence when a kindred term occurs (`kin.ts`). matched(s) is the share of
 * the goal's idf that occurs in s; kindred terms and those that only the sentence before or after holds count half. The factors
 * reward a new date, figure or names when the goal requests them (`goal.ts`). Paragraphs end at blank lines.
 */
import { log } from '../../../base/math.js';
import { answerFactor, type Evidence, type Goal } from './goal.js';
import { kindred } from './kin.js';
import * as C from '../constants.js';
import { sentences } from './split.js';
import { readTerms, type TermCache } from './tokens.js';

interface Document {
  length: number;
  readonly counts: Map<string, number>;
}

export interface Sentence extends Document, Evidence {
  readonly source: number;
  readonly paragraph: number;
  readonly start: number;
  readonly end: number;
  readonly counts: Map<string, number>;
}

export interface Scored {
  readonly sentence: Sentence;
  readonly score: number;
  /** The share of the goal's idf. */
  readonly matched: number;
  readonly terms: readonly string[];
}

export interface Index {
  readonly sentences: readonly Sentence[];
  readonly paragraphs: readonly Document[];
}

export function indexTexts(texts: readonly string[], checkpoint: (done: number) => void): Index {
  const all: Sentence[] = [];
  const paragraphs: Document[] = [];
  const cache: TermCache = new Map();
  for (const [source, text] of texts.entries()) {
    let before = -1;
    for (const { start, end } of sentences(text)) {
      if (before < 0 || text.slice(before, start).split('\n').length > 2) paragraphs.push({ length: 0, counts: new Map() });
      before = end;
      const { terms, names } = readTerms(text, start, end, cache);
      const sentence = {
        source,
        paragraph: paragraphs.length - 1,
        start,
        end,
        names,
        length: 0,
        counts: new Map<string, number>(),
      };
      count(sentence, terms);
      const paragraph = paragraphs.at(-1);
      if (paragraph !== undefined) count(paragraph, terms);
      all.push(sentence);
    }
    checkpoint((source + 1) / texts.length);
  }
  return { sentences: all, paragraphs };
}

function count(document: Document, terms: readonly string[]): void {
  document.length += terms.length;
  for (const term of terms) document.counts.set(term, (document.counts.get(term) ?? 0) + 1);
}

/**
 * The occurrences of the goal's terms in a document, in the order of the terms; a kindred term counts as a partial occurrence.
 */
type Hits = readonly number[];

function hitsOf(document: Document, terms: readonly string[], kin: readonly (readonly string[])[]): Hits {
  return terms.map((term, k) => {
    const exact = document.counts.get(term);
    if (exact !== undefined) return exact;
    return (kin[k] ?? []).some((word) => document.counts.has(word)) ? C.kin_credit : 0;
  });
}

interface Rated {
  readonly hits: readonly Hits[];
  /** The idf in the order of the goal's terms, times their weights. */
  readonly idf: readonly number[];
  /** The BM25 score of each document. */
  readonly scores: readonly number[];
}

function rate(documents: readonly Document[], goal: Goal, kin: readonly (readonly string[])[], b: number): Rated {
  const hits = documents.map((document) => hitsOf(document, goal.terms, kin));
  const idf = goal.weights.map((weight, k) => {
    let holding = 0;
    for (const row of hits) if ((row[k] ?? 0) >= 1) holding++;
    return weight * log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
  });
  let total = 0;
  for (const document of documents) total += document.length;
  const average = total === 0 ? 1 : total / documents.length;
  const scores = documents.map((document, i) => {
    const norm = C.k1 * (1 - b + (b * document.length) / average);
    let score = 0;
    for (const [k, tf] of (hits[i] ?? []).entries()) if (tf > 0) score += ((idf[k] ?? 0) * tf * (C.k1 + 1)) / (tf + norm);
    return score;
  });
  return { hits, idf, scores };
}

function vocabulary(documents: readonly Document[]): Set<string> {
  const out = new Set<string>();
  for (const document of documents) for (const term of document.counts.keys()) out.add(term);
  return out;
}

/** Returns all sentences with their scores, in the order of the texts. */
export function scoreAll(index: Index, goal: Goal): Scored[] {
  const kin = kindred(goal.terms, vocabulary(index.paragraphs));
  const own = rate(index.sentences, goal, kin, C.b);
  const para = rate(index.paragraphs, goal, kin, C.paragraph_b);
  const wanted = new Set(goal.terms);
  let weight = 0;
  for (const idf of own.idf) weight += idf;
  return index.sentences.map((sentence, i) => {
    const inParagraph = (k: number): boolean => index.sentences[k]?.paragraph === sentence.paragraph;
    const before = inParagraph(i - 1) ? i - 1 : -1;
    const after = inParagraph(i + 1) ? i + 1 : -1;
    const context = C.before_share * (own.scores[before] ?? 0) + C.after_share * (own.scores[after] ?? 0);
    const base = (own.scores[i] ?? 0) + C.paragraph_share * (para.scores[sentence.paragraph] ?? 0) + context;
    let matched = 0;
    for (const [k, idf] of own.idf.entries()) {
      const hit = Math.min(1, own.hits[i]?.[k] ?? 0);
      const near = (own.hits[before]?.[k] ?? 0) >= 1 || (own.hits[after]?.[k] ?? 0) >= 1 ? C.near_credit : 0;
      matched += Math.max(hit, near) * idf;
    }
    const share = weight === 0 ? 0 : matched / weight;
    const terms = goal.terms.filter((term) => sentence.counts.has(term));
    return { sentence, score: base * (1 + share) * answerFactor(sentence, goal, wanted), matched: share, terms };
  });
}
