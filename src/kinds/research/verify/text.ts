/**
 * The verifier's own reading of texts: the rules of `tokens.ts`, `stem.ts` and `characters.ts`, written a second time in another
 * way. Only the frozen tables and word lists are shared.
 */
import { endings, irregular, stop_words, suffixes } from '../../../engines/text/english.js';
import { fold_runs, space_runs, unspaced_runs, word_runs } from '../../../engines/text/tables.js';

type Run = readonly [number, number];

const numbers = (lines: readonly string[]): number[][] =>
  lines.flatMap((line) => line.split(' ').map((run) => run.split('.').map((digits) => Number.parseInt(digits, 36))));

function wordRuns(): Run[] {
  const runs: Run[] = [];
  let end = 0;
  for (const [gap = 0, length = 0] of numbers(word_runs)) {
    runs.push([end + gap, end + gap + length - 1]);
    end += gap + length;
  }
  return runs;
}

interface FoldRun {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  readonly delta: number;
}

function foldRuns(): FoldRun[] {
  const runs: FoldRun[] = [];
  let first = 0;
  for (const [gap = 0, count = 0, step = 0, delta = 0] of numbers(fold_runs)) {
    first += gap;
    runs.push({ first, last: first + (count - 1) * step, step, delta });
  }
  return runs;
}

const words = wordRuns();
const folds = foldRuns();

/** Returns the index of the last run that begins at or before `point`, by bisection; −1 if there is none. */
function before<A>(runs: readonly A[], point: number, first: (run: A) => number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run !== undefined && first(run) <= point) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const within = (runs: readonly Run[], point: number): boolean =>
  point <= (runs[before(runs, point, ([first]) => first)]?.[1] ?? -1);

export const spaced = (point: number): boolean => within(space_runs, point);
const single = (point: number): boolean => within(unspaced_runs, point);
export const lettered = (point: number): boolean => within(words, point);
export const digit = (point: number): boolean => point > 47 && point < 58;

/**
 * Returns the lowercase code point. Runs of the table may interlace (upper and lower case alternate), so previous runs are
 * checked too.
 */
export function lowered(point: number): number {
  for (let k = before(folds, point, (run) => run.first); k >= 0; k--) {
    const run = folds[k];
    if (run === undefined || run.first < point - 200) return point;
    if (point <= run.last && (point - run.first) % run.step === 0) return point + run.delta;
  }
  return point;
}

export const loweredText = (text: string): string =>
  Array.from(text, (character) => String.fromCodePoint(lowered(character.codePointAt(0) ?? 0))).join('');

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
