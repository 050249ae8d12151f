/** Character classes and folding, decoded from the frozen tables when they are first used. Code points up to 10FFFF. */
import type { Script } from '../../../engines/text/language.js';
import { gram_runs, joiners, script_runs, tone_runs, zeros } from '../../../engines/text/scripts.js';
import { fold_runs, space_runs, word_runs } from '../../../engines/text/tables.js';

/** No character beyond is a letter, a digit, a mark or a space, but for the variation selectors, which are marks. */
const dense_end = 0x33480;
const word = 1;
const space = 2;
const tone = 4;
const joiner = 8;
/** The length of the grams of a script without spaces is a number of these. */
const gram_unit = 16;

interface Characters {
  readonly classes: Uint8Array;
  /** Word runs beyond the dense classes, first and end. */
  readonly far: readonly (readonly [number, number])[];
  readonly folded: ReadonlyMap<number, number>;
  /** The value of each decimal digit. */
  readonly digits: ReadonlyMap<number, number>;
}

function decode(): Characters {
  const classes = new Uint8Array(dense_end);
  const far: [number, number][] = [];
  let at = 0;
  for (const run of word_runs.join(' ').split(' ')) {
    const [gap = '', length = ''] = run.split('.');
    at += Number.parseInt(gap, 36);
    const end = at + Number.parseInt(length, 36);
    classes.fill(word, at, end);
    if (end > dense_end) far.push([at, end]);
    at = end;
  }
  for (const [first, last] of space_runs) classes.fill(space, first, last + 1);
  for (const [first, last, length] of gram_runs) {
    for (let point = first; point <= last; point++) if (classes[point] === word) classes[point] = word + length * gram_unit;
  }
  for (const [first, last] of tone_runs)
    for (let point = first; point <= last; point++) classes[point] = (classes[point] ?? 0) | tone;
  for (const point of joiners) classes[point] = joiner;
  return { classes, far, folded: foldings(), digits: digitValues() };
}

function foldings(): Map<number, number> {
  const folded = new Map<number, number>();
  let start = 0;
  for (const run of fold_runs.join(' ').split(' ')) {
    const [gap = 0, count = 0, step = 0, delta = 0] = run.split('.').map((part) => Number.parseInt(part, 36));
    start += gap;
    for (let i = 0; i < count; i++) folded.set(start + i * step, start + i * step + delta);
  }
  return folded;
}

function digitValues(): Map<number, number> {
  const values = new Map<number, number>();
  let zero = 0;
  for (const gap of zeros.split(' ')) {
    zero += Number.parseInt(gap, 36);
    for (let value = 0; value < 10; value++) values.set(zero + value, value);
  }
  return values;
}

let decoded: Characters | null = null;
const characters = (): Characters => (decoded ??= decode());

const classOf = (point: number): number => {
  const { classes, far } = characters();
  if (point < dense_end) return classes[point] ?? 0;
  return far.some(([first, end]) => first <= point && point < end) ? word : 0;
};

export const isWord = (point: number): boolean => (classOf(point) & word) !== 0;
export const isSpace = (point: number): boolean => (classOf(point) & space) !== 0;
/** Returns whether a character is left out of grams: a tone mark. */
export const isTone = (point: number): boolean => (classOf(point) & tone) !== 0;
/** Returns whether a character inside a word is no part of it: a joiner. */
export const isJoiner = (point: number): boolean => (classOf(point) & joiner) !== 0;
/** Returns the length of the grams of the character's script; 0 if the script has spaces between words. */
export const gramOf = (point: number): number => Math.floor(classOf(point) / gram_unit);
export const isDigit = (point: number): boolean => point >= 48 && point <= 57;

/** Returns the simple case folding of one code point; the code point itself when it has none. */
export const foldPoint = (point: number): number => {
  if (point < 128) return point >= 65 && point <= 90 ? point + 32 : point;
  return characters().folded.get(point) ?? point;
};
/** Returns whether folding changes a letter: an uppercase or titlecase letter. */
export const isUpper = (point: number): boolean => foldPoint(point) !== point;
/** Returns the ASCII digit for a decimal digit of any script, and the folding of another code point. */
export const plainPoint = (point: number): number => {
  if (point < 128) return foldPoint(point);
  const value = characters().digits.get(point);
  return value === undefined ? foldPoint(point) : 48 + value;
};

/** Returns the text with every code point folded. */
export function fold(text: string): string {
  let out = '';
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const to = foldPoint(point);
    out += to === point ? character : String.fromCodePoint(to);
  }
  return out;
}

/** Returns the script of a folded word whose language matters for its stem, by its first letter. */
export function scriptOf(point: number): Script | null {
  return script_runs.find(([first, last]) => first <= point && point <= last)?.[2] ?? null;
}
