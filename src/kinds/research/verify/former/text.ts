/** The reading of texts in results of version 1 of the engine. */
import { endings, irregular, stop_words, suffixes } from '../../../../engines/text/english.js';
import { digit, lettered, lowered, single } from '../characters.js';

const stops = new Set(stop_words);
const known = new Map<string, string>();
const roots = new Map(irregular.flatMap((forms) => forms.slice(1).map((form) => [form, forms[0] ?? form] as const)));

export interface Token {
  readonly term: string;
  /** Whether the word is not the first and begins with a capital. */
  readonly name: boolean;
}

/** Returns the index terms of a piece of text, as in the engine's definition. */
export function tokens(text: string): Token[] {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const out: Token[] = [];
  let at = 0;
  let seen = 0;
  while (at < points.length) {
    const point = points[at] ?? 0;
    if (!lettered(point) && !single(point)) {
      at++;
      continue;
    }
    seen++;
    if (single(point)) {
      out.push({ term: String.fromCodePoint(lowered(point)), name: false });
      at++;
      continue;
    }
    const length = wordLength(points, at);
    const term = termOf(points.slice(at, at + length));
    if (term !== '') out.push({ term, name: seen > 1 && lowered(point) !== point });
    at += length;
  }
  return out;
}

const plainWord = (point: number | undefined): boolean => point !== undefined && lettered(point) && !single(point);
const apostrophe = (point: number | undefined): boolean => point === 39 || point === 8217;

function wordLength(points: readonly number[], from: number): number {
  let at = from;
  for (;;) {
    while (plainWord(points[at])) at++;
    const mark = points[at];
    const figures = digit(points[at - 1] ?? 0) && digit(points[at + 1] ?? 0);
    const joins = apostrophe(mark) || ((mark === 46 || mark === 44) && figures);
    if (!joins || !plainWord(points[at + 1])) return at - from;
    at++;
  }
}

function termOf(points: readonly number[]): string {
  const written = points
    .filter((point) => point !== 44)
    .map((point) => (apostrophe(point) ? "'" : String.fromCodePoint(lowered(point))));
  const word = written.join('').replace(/'s$/, '').split("'").join('');
  if (word === '' || stops.has(word)) return '';
  const found = known.get(word) ?? stemmed(word);
  known.set(word, found);
  return found;
}

/** Returns the stem of one lowercase word. */
export function stemmed(form: string): string {
  const word = roots.get(form) ?? form;
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const singular = without(word, endings);
  const bare = without(singular, suffixes);
  const root = bare === singular ? bare : bare.replace(/([bdfgmnprt])\1$/, '$1');
  if (root.length > 3 && root.endsWith('e')) return root.slice(0, -1);
  return root.length > 2 ? root.replace(/y$/, 'i') : root;
}

function without(word: string, rules: typeof endings): string {
  const rule = rules.find(([ending]) => word.endsWith(ending));
  if (rule === undefined) return word;
  const rest = word.slice(0, -rule[0].length);
  return rest.length < rule[2] || !/[aeiouy]/.test(rest) ? word : rest + rule[1];
}
