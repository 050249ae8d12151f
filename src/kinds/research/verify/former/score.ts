/** Scores in results of version 1 of the engine. */
import * as constants from './constants.js';
import { ratings, type Texts } from '../formula.js';
import { spansBy } from '../split.js';
import { bonus, kinOf, questions, weightOf } from './asked.js';
import { rules } from './rules.js';
import { tokens, type Token } from './text.js';

interface Bag {
  readonly size: number;
  readonly counts: ReadonlyMap<string, number>;
}

interface Unit extends Bag {
  readonly source: number;
  readonly paragraph: number;
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

export interface Rated {
  readonly source: number;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly matched: number;
  readonly terms: readonly string[];
}

export function goalTerms(goal: string): string[] {
  const distinct = new Set(tokens(goal).map((token) => token.term));
  return [...distinct].filter((term) => term.length <= constants.goal_term_chars_max).slice(0, constants.goal_terms_max);
}

function bag(list: readonly Token[]): Bag {
  const counts = new Map<string, number>();
  for (const { term } of list) counts.set(term, 1 + (counts.get(term) ?? 0));
  return { size: list.length, counts };
}

/** Returns every sentence of the texts with its score, in order. */
export function rate(goal: string, texts: readonly string[]): Rated[] {
  const terms = goalTerms(goal);
  const units: Unit[] = [];
  const paragraphs: Token[][] = [];
  for (const [source, text] of texts.entries()) {
    let last: number | null = null;
    for (const [start, end] of spansBy(rules)(text)) {
      const blank = last !== null && text.slice(last, start).replaceAll(/[^\n]/g, '').length > 1;
      if (last === null || blank) paragraphs.push([]);
      last = end;
      const list = tokens(text.slice(start, end));
      paragraphs.at(-1)?.push(...list);
      units.push({ source, paragraph: paragraphs.length - 1, start, end, tokens: list, ...bag(list) });
    }
  }
  const bags = paragraphs.map(bag);
  const kin = terms.map(kinOf);
  const counted = (list: readonly Bag[]): Texts => ({
    hits: list.map((one) => hits(terms, kin, one)),
    sizes: list.map(({ size }) => size),
  });
  const formula = {
    weights: terms.map(weightOf),
    sentences: counted(units),
    paragraphs: counted(bags),
    paragraphOf: units.map(({ paragraph }) => paragraph),
    shares: constants,
  };
  const asked = questions(goal);
  const rated = ratings(formula, (i) => bonus(units[i]?.tokens ?? [], terms, asked));
  return units.map(({ source, start, end, counts }, i) => {
    const { score, matched } = rated[i] ?? { score: 0, matched: 0 };
    return { source, start, end, score, matched, terms: terms.filter((term) => counts.has(term)) };
  });
}

/** Returns how often each term occurs in a text; a part of one when only a kindred word occurs. */
function hits(terms: readonly string[], kin: readonly ((word: string) => boolean)[], text: Bag): number[] {
  const words = Array.from(text.counts.keys());
  return terms.map((term, k) => text.counts.get(term) ?? (words.some((word) => kin[k]?.(word)) ? constants.kin_credit : 0));
}
