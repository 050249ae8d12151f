/** The verifier's own scores: the formula of `ranking.ts` over its own sentences and terms. */
import { log } from '../../base/math.js';
import { figure_questions, name_questions } from '../text/english.js';
import * as constants from './result.js';
import { spans } from './verify-split.js';
import { digit, lettered, loweredText, tokens, type Token } from './verify-text.js';

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

/** Every sentence of the texts with its score, in order. */
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
  const weights = idfs(terms, units);
  const own = okapi(terms, weights, units);
  const para = okapi(terms, idfs(terms, bags), bags);
  const all = weights.reduce((sum, w) => sum + w, 0);
  const asked = questions(goal);
  return units.map((unit, i) => {
    const near = [i - 1, i + 1].filter((k) => units[k]?.paragraph === unit.paragraph);
    const context = near.reduce((sum, k) => sum + (own[k] ?? 0), 0);
    const base = (own[i] ?? 0) + constants.paragraph_share * (para[unit.paragraph] ?? 0) + constants.neighbour_share * context;
    const matched = terms.reduce((sum, term, k) => {
      if (unit.counts.has(term)) return sum + (weights[k] ?? 0);
      return near.some((m) => units[m]?.counts.has(term)) ? sum + constants.near_credit * (weights[k] ?? 0) : sum;
    }, 0);
    const share = all === 0 ? 0 : matched / all;
    const { source, start, end } = unit;
    const score = base * (1 + share) * bonus(unit, terms, asked);
    return { source, start, end, score, matched: share, terms: terms.filter((term) => unit.counts.has(term)) };
  });
}

const idfs = (terms: readonly string[], bags: readonly Bag[]): number[] =>
  terms.map((term) => {
    const n = bags.filter((one) => one.counts.has(term)).length;
    return log(1 + (bags.length - n + 0.5) / (n + 0.5));
  });

function okapi(terms: readonly string[], weights: readonly number[], bags: readonly Bag[]): number[] {
  const { k1, b } = constants;
  const size = bags.reduce((sum, one) => sum + one.size, 0);
  const average = size === 0 ? 1 : size / bags.length;
  return bags.map((one) => {
    const norm = k1 * (1 - b + (b * one.size) / average);
    return terms.reduce((sum, term, k) => {
      const tf = one.counts.get(term);
      return tf === undefined ? sum : sum + ((weights[k] ?? 0) * tf * (k1 + 1)) / (tf + norm);
    }, 0);
  });
}

interface Asked {
  readonly figure: boolean;
  readonly names: number;
}

function questions(goal: string): Asked {
  const plain = Array.from(loweredText(goal), (c) => (lettered(c.codePointAt(0) ?? 0) ? c : ' ')).join('');
  const line = ` ${plain
    .split(' ')
    .filter((word) => word !== '')
    .join(' ')} `;
  const name = name_questions.find(([word]) => line.includes(` ${word} `));
  return { figure: figure_questions.some((phrase) => line.includes(` ${phrase} `)), names: name === undefined ? 0 : name[1] };
}

function bonus(unit: Unit, terms: readonly string[], asked: Asked): number {
  const fresh = unit.tokens.filter(({ term }) => !terms.includes(term));
  const figure = asked.figure && fresh.some(({ term }) => Array.from(term).some((c) => digit(c.codePointAt(0) ?? 0)));
  const names = asked.names > 0 && fresh.filter(({ name }) => name).length >= asked.names;
  return (figure ? constants.figure_factor : 1) * (names ? constants.name_factor : 1);
}
