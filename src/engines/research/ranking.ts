/**
 * Scores of all sentences for a goal. With own(s) and para(p) the BM25 scores of a sentence and of its paragraph, each
 * over its own collection with idf log(1 + (N − n + ½)/(n + ½)):
 *
 *   score(s) = (own(s) + 0.45·para(p) + 0.2·(own(before) + own(after))) · (1 + matched(s)) · factors
 *
 * matched(s) is the share of the goal's idf that stands in s, half of it for terms that only the sentence before or after
 * holds; the factors reward a new figure or new names when the goal asks for
 * them. Paragraphs end at blank lines.
 */
import { log } from '../../base/math.js';
import { figure_questions, name_questions } from '../text/english.js';
import { fold, isDigit, isWord } from './characters.js';
import * as R from './result.js';
import { sentences } from './split.js';
import { readTerms, type TermCache } from './tokens.js';

interface Document {
  length: number;
  readonly counts: Map<string, number>;
}

export interface Sentence extends Document {
  readonly source: number;
  readonly paragraph: number;
  readonly start: number;
  readonly end: number;
  readonly names: readonly string[];
}

export interface Scored {
  readonly sentence: Sentence;
  readonly score: number;
  /** Share of the goal's idf. */
  readonly matched: number;
  readonly terms: readonly string[];
}

export interface Goal {
  readonly terms: readonly string[];
  readonly asksFigure: boolean;
  /** New names that an answer should hold, 0 when the goal asks for none. */
  readonly asksNames: number;
}

export function readGoal(goal: string): Goal {
  const all = readTerms(goal, 0, goal.length, new Map()).terms;
  const terms = [...new Set(all)].filter((term) => term.length <= R.goal_term_chars_max).slice(0, R.goal_terms_max);
  let spaced = ' ';
  for (const character of fold(goal)) spaced += isWord(character.codePointAt(0) ?? 0) ? character : ' ';
  const asked = `${spaced} `.replaceAll(/ +/g, ' ');
  return {
    terms,
    asksFigure: figure_questions.some((phrase) => asked.includes(` ${phrase} `)),
    asksNames: name_questions.find(([word]) => asked.includes(` ${word} `))?.[1] ?? 0,
  };
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

interface Collection {
  readonly average: number;
  /** In the order of the goal's terms. */
  readonly idf: readonly number[];
}

function collection(documents: readonly Document[], terms: readonly string[]): Collection {
  let total = 0;
  for (const document of documents) total += document.length;
  const idf = terms.map((term) => {
    let holding = 0;
    for (const document of documents) if (document.counts.has(term)) holding++;
    return log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
  });
  return { average: documents.length === 0 ? 0 : total / documents.length, idf };
}

function bm25(document: Document, terms: readonly string[], { average, idf }: Collection): number {
  let score = 0;
  const norm = R.k1 * (1 - R.b + (R.b * document.length) / (average === 0 ? 1 : average));
  for (const [k, term] of terms.entries()) {
    const tf = document.counts.get(term) ?? 0;
    if (tf > 0) score += ((idf[k] ?? 0) * tf * (R.k1 + 1)) / (tf + norm);
  }
  return score;
}

/** All sentences with their scores, in the order of the texts. */
export function scoreAll(index: Index, goal: Goal): Scored[] {
  const sentenceStats = collection(index.sentences, goal.terms);
  const paragraphStats = collection(index.paragraphs, goal.terms);
  const own = index.sentences.map((sentence) => bm25(sentence, goal.terms, sentenceStats));
  const para = index.paragraphs.map((paragraph) => bm25(paragraph, goal.terms, paragraphStats));
  const wanted = new Set(goal.terms);
  let weight = 0;
  for (const idf of sentenceStats.idf) weight += idf;
  return index.sentences.map((sentence, i) => {
    const near = (k: number): number => (index.sentences[k]?.paragraph === sentence.paragraph ? (own[k] ?? 0) : 0);
    const base =
      (own[i] ?? 0) + R.paragraph_share * (para[sentence.paragraph] ?? 0) + R.neighbour_share * (near(i - 1) + near(i + 1));
    const holds = (k: number, term: string): boolean =>
      index.sentences[k]?.paragraph === sentence.paragraph && index.sentences[k].counts.has(term);
    let matched = 0;
    for (const [k, term] of goal.terms.entries()) {
      const idf = sentenceStats.idf[k] ?? 0;
      if (sentence.counts.has(term)) matched += idf;
      else if (holds(i - 1, term) || holds(i + 1, term)) matched += R.near_credit * idf;
    }
    const share = weight === 0 ? 0 : matched / weight;
    const terms = goal.terms.filter((term) => sentence.counts.has(term));
    return { sentence, score: base * (1 + share) * factor(sentence, goal, wanted), matched: share, terms };
  });
}

function factor(sentence: Sentence, goal: Goal, wanted: ReadonlySet<string>): number {
  let out = 1;
  if (goal.asksFigure && [...sentence.counts.keys()].some((term) => !wanted.has(term) && hasDigit(term))) out *= R.figure_factor;
  if (goal.asksNames > 0 && sentence.names.filter((name) => !wanted.has(name)).length >= goal.asksNames) out *= R.name_factor;
  return out;
}

function hasDigit(term: string): boolean {
  for (let i = 0; i < term.length; i++) if (isDigit(term.charCodeAt(i))) return true;
  return false;
}
