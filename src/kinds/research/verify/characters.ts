/** The verifier's own classes of characters and folding, from the frozen tables. */
import type { Script } from '../../../engines/text/language.js';
import { gram_runs, joiners, script_runs, tone_runs, zeros } from '../../../engines/text/scripts.js';
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
/** Returns whether each character of its script is a word of its own in results of version 1. */
export const single = (point: number): boolean => within(unspaced_runs, point);
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

const zeroPoints: number[] = [];
for (const gap of zeros.split(' ')) zeroPoints.push((zeroPoints.at(-1) ?? 0) + Number.parseInt(gap, 36));

/** Returns the lowercase code point, or the ASCII digit for a decimal digit. */
export function plain(point: number): number {
  const zero = zeroPoints[before(zeroPoints, point, (first) => first)];
  return zero !== undefined && point < zero + 10 ? 48 + point - zero : lowered(point);
}

/** Returns the length of the grams in which the character's script is read; 0 for a script with spaces. */
export const gramLength = (point: number): number =>
  point < 0xe01 || !lettered(point) ? 0 : (gram_runs.find(([first, last]) => point >= first && point <= last)?.[2] ?? 0);

export const toneMark = (point: number): boolean => within(tone_runs, point);
export const joiner = (point: number): boolean => joiners.includes(point);

/** Returns the script whose languages are told apart; null for another. */
export const scriptAt = (point: number): Script | null =>
  script_runs.filter(([first, last]) => point >= first && point <= last).map(([, , script]) => script)[0] ?? null;
