/** Character classes and folding, decoded from the frozen tables once per process. Code points up to 10FFFF. */
import { fold_runs, space_runs, unspaced_runs, word_runs } from '../../../engines/text/tables.js';

const planes_end = 0x110000;
const word = 1;
const space = 2;
const unspaced = 4;

const classes = new Uint8Array(planes_end);
const folded = new Map<number, number>();

function decode(): void {
  let at = 0;
  for (const run of word_runs.join(' ').split(' ')) {
    const [gap = '', length = ''] = run.split('.');
    at += Number.parseInt(gap, 36);
    const end = at + Number.parseInt(length, 36);
    classes.fill(word, at, end);
    at = end;
  }
  for (const [first, last] of space_runs) classes.fill(space, first, last + 1);
  for (const [first, last] of unspaced_runs) classes.fill(word | unspaced, first, last + 1);
  let start = 0;
  for (const run of fold_runs.join(' ').split(' ')) {
    const [gap = 0, count = 0, step = 0, delta = 0] = run.split('.').map((part) => Number.parseInt(part, 36));
    start += gap;
    for (let i = 0; i < count; i++) folded.set(start + i * step, start + i * step + delta);
  }
}
decode();

export const isWord = (point: number): boolean => ((classes[point] ?? 0) & word) !== 0;
export const isSpace = (point: number): boolean => ((classes[point] ?? 0) & space) !== 0;
export const isUnspaced = (point: number): boolean => ((classes[point] ?? 0) & unspaced) !== 0;
export const isDigit = (point: number): boolean => point >= 48 && point <= 57;
/** Returns the simple case folding of one code point; the code point itself when it has none. */
export const foldPoint = (point: number): number => {
  if (point < 128) return point >= 65 && point <= 90 ? point + 32 : point;
  return folded.get(point) ?? point;
};
/** Returns whether folding changes a letter: an uppercase or titlecase letter. */
export const isUpper = (point: number): boolean => foldPoint(point) !== point;

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
