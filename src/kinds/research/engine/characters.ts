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
const digit = 16;
/** The length of the grams of a script without spaces is a number of these. */
const gram_unit = 32;

interface Characters {
  readonly classes: Uint8Array;
  /** Word runs beyond the dense classes, first and end. */
  readonly far: readonly (readonly [number, number])[];
  readonly folded: ReadonlyMap<number, number>;
  /** The digits 0. */
  readonly zeros: readonly number[];
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
    for (const [first, last, grams] of gram_runs)
      if (first < end && at <= last) classes.fill(word + grams * gram_unit, Math.max(first, at), Math.min(last + 1, end));
    if (end > dense_end) far.push([at, end]);
    at = end;
  }
  for (const [first, last] of space_runs) classes.fill(space, first, last + 1);
  for (const [first, last] of tone_runs)
    for (let point = first; point <= last; point++) classes[point] = (classes[point] ?? 0) | tone;
  for (const point of joiners) classes[point] = joiner;
  const zeroPoints: number[] = [];
  for (const gap of zeros.split(' ')) zeroPoints.push((zeroPoints.at(-1) ?? 0) + Number.parseInt(gap, 36));
  for (const zero of zeroPoints) classes.fill(word | digit, zero, zero + 10);
  return { classes, far, folded: foldings(), zeros: zeroPoints };
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
/** Returns whether a character inside a word, or at the ends of a sentence, is not part of it: a joiner. */
export const isJoiner = (point: number): boolean => (classOf(point) & joiner) !== 0;
/** Returns the length of the grams of the character's script; 0 if the script has spaces between words. */
export const gramOf = (point: number): number => Math.floor(classOf(point) / gram_unit);
export const isDigit = (point: number): boolean => point >= 48 && point <= 57;

/** Returns the simple case folding of one code point; the code point itself when it has none. */
export const foldPoint = (point: number): number => {
  if (point < 128) return point >= 65 && point <= 90 ? point + 32 : point;
  return characters().folded.get(point) ?? point;
};
/** The Turkish capital İ, which has no simple folding. */
const dotted_capital = 0x130;
/** Returns whether folding changes a letter: an uppercase or titlecase letter. */
export const isUpper = (point: number): boolean => foldPoint(point) !== point || point === dotted_capital;
/** Returns the ASCII digit for a decimal digit of any script, and the folding of another code point. */
export const plainPoint = (point: number): number => {
  if (point < 128) return foldPoint(point);
  if ((classOf(point) & digit) === 0) return foldPoint(point);
  return 48 + point - (characters().zeros.findLast((zero) => zero <= point) ?? point);
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
  if (point < 0x80) return point >= 97 && point <= 122 ? 'latin' : null;
  return script_runs.find(([first, last]) => first <= point && point <= last)?.[2] ?? null;
}

/** Returns the text with each run of white space replaced by one space. */
export function singleSpaced(text: string): string {
  let out = '';
  for (const character of text) {
    if (!isSpace(character.codePointAt(0) ?? 0)) out += character;
    else if (!out.endsWith(' ')) out += ' ';
  }
  return out;
}
