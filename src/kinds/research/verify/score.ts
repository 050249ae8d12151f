/** The verifier's own scores: the formula of `ranking.ts` over its own sentences and terms. */
import { log } from '../../../base/math.js';
import * as constants from '../constants.js';
import { bonus, kinOf, questions, weightOf } from './asked.js';
import { spans } from './split.js';
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
    for (const [start, end] of spans(text)) {
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
  const unitHits = units.map((unit) => hits(terms, kin, unit));
  const bagHits = bags.map((one) => hits(terms, kin, one));
  const weights = idfs(terms, unitHits);
  const own = okapi(weights, unitHits, units, constants.b);
  const para = okapi(idfs(terms, bagHits), bagHits, bags, constants.paragraph_b);
  const all = weights.reduce((sum, w) => sum + w, 0);
  const asked = questions(goal);
  return units.map((unit, i) => {
    const beside = (k: number): boolean => units[k]?.paragraph === unit.paragraph;
    const share = (k: number, part: number): number => (beside(k) ? part * (own[k] ?? 0) : 0);
    const context = share(i - 1, constants.before_share) + share(i + 1, constants.after_share);
    const base = (own[i] ?? 0) + constants.paragraph_share * (para[unit.paragraph] ?? 0) + context;
    const near = [i - 1, i + 1].filter(beside);
    const credits = terms.map((term, k) => {
      if (unit.counts.has(term)) return 1;
      const nearby = near.some((m) => units[m]?.counts.has(term));
      return Math.max(unitHits[i]?.[k] ?? 0, nearby ? constants.near_credit : 0);
    });
    const sum = credits.reduce((total, credit, k) => total + credit * (weights[k] ?? 0), 0);
    const matched = all === 0 ? 0 : sum / all;
    const { source, start, end } = unit;
    const score = base * (1 + matched) * bonus(unit.tokens, terms, asked);
    return { source, start, end, score, matched, terms: terms.filter((term) => unit.counts.has(term)) };
  });
}

/** Returns how often each term occurs in a text; a part of one when only a kindred word occurs. */
function hits(terms: readonly string[], kin: readonly ((word: string) => boolean)[], text: Bag): number[] {
  const words = Array.from(text.counts.keys());
  return terms.map((term, k) => text.counts.get(term) ?? (words.some((word) => kin[k]?.(word)) ? constants.kin_credit : 0));
}

const idfs = (terms: readonly string[], rows: readonly (readonly number[])[]): number[] =>
  terms.map((term, k) => {
    const n = rows.filter((row) => Number.isInteger(row[k]) && row[k] !== 0).length;
    return weightOf(term) * log(1 + (rows.length - n + 0.5) / (n + 0.5));
  });

function okapi(weights: readonly number[], rows: readonly (readonly number[])[], bags: readonly Bag[], b: number): number[] {
  const { k1 } = constants;
  const size = bags.reduce((sum, one) => sum + one.size, 0);
  const average = size === 0 ? 1 : size / bags.length;
  return bags.map((one, i) => {
    const norm = k1 * (1 - b + (b * one.size) / average);
    return (rows[i] ?? []).reduce((sum, tf, k) => (tf === 0 ? sum : sum + ((weights[k] ?? 0) * tf * (k1 + 1)) / (tf + norm)), 0);
  });
}
