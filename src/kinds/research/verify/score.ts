/** The verifier's own scores: the formula of `ranking.ts` over its own sentences and terms. */
import { after_ordinal, more_never_final, more_sometimes_final, more_starters } from '../../../engines/text/abbreviations.js';
import { before_number, never_final, sometimes_final, starters } from '../../../engines/text/english.js';
import { wide_stops } from '../../../engines/text/scripts.js';
import * as constants from '../constants.js';
import { gramLength } from './characters.js';
import { bonus, kinOf, questions, type Token } from './asked.js';
import { ratings, type Texts } from './formula.js';
import { normalForm } from './normal.js';
import { spansBy } from './split.js';
import { readingOf, writtenWords, type Reading, type Written } from './text.js';

export const spans = spansBy({
  wide: wide_stops,
  never: [...never_final, ...more_never_final.split(' ')],
  numbered: before_number,
  sometimes: [...sometimes_final, ...more_sometimes_final.split(' ')],
  starters: [...starters, ...more_starters.split(' ')],
  ordinals: after_ordinal.split(' '),
  longest: constants.sentence_chars_max,
  phrase: constants.phrase_chars_min,
});

interface Place {
  readonly source: number;
  readonly paragraph: number;
  readonly start: number;
  readonly end: number;
  readonly written: readonly Written[];
}

/** A word of a sentence, stop words with them. */
export interface Spoken extends Token {
  readonly stop: boolean;
  readonly gram: boolean;
}

export interface Rated {
  readonly source: number;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly matched: number;
  readonly terms: readonly string[];
  readonly words: readonly Spoken[];
}

function places(texts: readonly string[]): Place[] {
  const out: Place[] = [];
  let paragraph = -1;
  for (const [source, original] of texts.entries()) {
    const { text, place } = normalForm(original);
    let last: number | null = null;
    for (const [from, to] of spans(text)) {
      if (last === null || text.slice(last, from).replaceAll(/[^\n]/g, '').length > 1) paragraph++;
      last = to;
      const [start, end] = [place(from), place(to)];
      if (start < end) out.push({ source, paragraph, start, end, written: writtenWords(text.slice(from, to)) });
    }
  }
  return out;
}

/** Returns the words of a goal in its normal form, and how the words of the mission are read. */
function understood(goal: string, all: readonly Place[]): { readonly asked: readonly Written[]; readonly reading: Reading } {
  const asked = writtenWords(normalForm(goal).text);
  const reading = readingOf(
    asked,
    all.flatMap(({ written }) => written),
  );
  return { asked, reading };
}

function goalTerms(asked: readonly Written[], { term }: Reading): string[] {
  const kept = asked.map(term).filter(({ stop }) => !stop);
  const distinct = [...new Set(kept.map((one) => one.term))];
  return distinct.filter((text) => text.length <= constants.goal_term_chars_max).slice(0, constants.goal_terms_max);
}

function weightOf(term: string, { framing }: Reading): number {
  if (framing.has(term)) return constants.frame_weight;
  const points = Array.from(term, (character) => character.codePointAt(0) ?? 0);
  return points.length === 2 && points.every((point) => gramLength(point) === 2) ? constants.pair_weight : 1;
}

export interface Judged {
  readonly terms: readonly string[];
  readonly rated: readonly Rated[];
  readonly reading: Reading;
}

/** Returns the terms of the goal, and every sentence of the texts with its score, in order. */
export function judge(goal: string, texts: readonly string[]): Judged {
  const all = places(texts);
  const { asked, reading } = understood(goal, all);
  const terms = goalTerms(asked, reading);
  const units = all.map(({ written }) =>
    written.map((one, i): Spoken => {
      const { term, stop } = reading.term(one);
      return { term, stop, gram: one.gram, name: i > 0 && one.capital };
    }),
  );
  const kept = units.map((words) => words.filter(({ stop }) => !stop));
  const paragraphs: Spoken[][] = Array.from({ length: 1 + (all.at(-1)?.paragraph ?? -1) }, () => []);
  for (const [i, words] of kept.entries()) paragraphs[all[i]?.paragraph ?? 0]?.push(...words);
  const kin = terms.map((term) => kinOf(term, reading.latin));
  const counted = (list: readonly (readonly Spoken[])[]): Texts => ({
    hits: list.map((words) => hits(terms, kin, words)),
    sizes: list.map((words) => words.length),
  });
  const sentences = counted(kept);
  const formula = {
    weights: terms.map((term) => weightOf(term, reading)),
    sentences,
    paragraphs: counted(paragraphs),
    paragraphOf: all.map(({ paragraph }) => paragraph),
    shares: constants,
  };
  const expected = questions(normalForm(goal).text, reading.spoken);
  const scores = ratings(formula, (i) => bonus(kept[i] ?? [], terms, expected));
  const rated = all.map(({ source, start, end }, i): Rated => {
    const { score, matched } = scores[i] ?? { score: 0, matched: 0 };
    const held = terms.filter((_, k) => (sentences.hits[i]?.[k] ?? 0) >= 1);
    return { source, start, end, score, matched, terms: held, words: units[i] ?? [] };
  });
  return { terms, rated, reading };
}

/** Returns how often each term occurs in a text; a part of one when only a kindred word occurs. */
function hits(terms: readonly string[], kin: readonly ((word: string) => boolean)[], text: readonly Spoken[]): number[] {
  const counts = new Map<string, number>();
  for (const { term } of text) counts.set(term, 1 + (counts.get(term) ?? 0));
  const words = new Set(text.filter(({ gram }) => !gram).map(({ term }) => term));
  return terms.map((term, k) => counts.get(term) ?? ([...words].some((word) => kin[k]?.(word)) ? constants.kin_credit : 0));
}

/** The index terms of a goal, and what finds those of a quote. */
export interface Terms {
  readonly terms: readonly string[];
  readonly of: (text: string) => ReadonlySet<string>;
}

/** Returns the terms of a goal, and what finds the index terms of a quote. */
export function readTerms(goal: string, texts: readonly string[]): Terms {
  const { asked, reading } = understood(goal, places(texts));
  const of = (text: string): Set<string> => {
    const words = writtenWords(normalForm(text).text).map(reading.term);
    return new Set(words.filter(({ stop }) => !stop).map(({ term }) => term));
  };
  return { terms: goalTerms(asked, reading), of };
}
