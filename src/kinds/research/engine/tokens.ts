/**
 * The words of a normalised text: runs of letters, marks and digits, folded. An apostrophe between letters joins them; a point or comma
 * between digits joins them (a comma is left out); a joiner inside a word is left out. Runs of scripts without spaces are read as
 * overlapping grams of their characters, tone marks left out: three characters, or one and two in Han and Kana. A run shorter than three is one
 * gram.
 */
import type { Script } from '../../../engines/text/language.js';
import { gramOf, isDigit, isJoiner, isTone, isUpper, isWord, plainPoint, scriptOf } from './characters.js';
import type { Range } from './split.js';

export interface Word {
  /** The word folded, with its apostrophes as '. */
  readonly text: string;
  /** Null for a script of which only one language is known. */
  readonly script: Script | null;
  readonly isGram: boolean;
  /** Whether it begins with a capital. */
  readonly isUpper: boolean;
}

/** The distinct words of a mission's texts as they are written, each with its number. */
export interface Vocabulary {
  readonly numbers: Map<string, number>;
  readonly words: Word[];
}

export const emptyVocabulary = (): Vocabulary => ({ numbers: new Map(), words: [] });

/** Returns the number of a written word, a new one if it is new. */
function numberOf(written: string, isGram: boolean, { numbers, words }: Vocabulary): number {
  const known = numbers.get(written);
  if (known !== undefined) return known;
  const number = words.length;
  numbers.set(written, number);
  const text = isGram ? written : foldedWord(written);
  const script = isGram ? null : scriptOf(text.codePointAt(0) ?? 0);
  words.push({ text, script, isGram, isUpper: !isGram && isUpper(written.codePointAt(0) ?? 0) });
  return number;
}

function foldedWord(written: string): string {
  let out = '';
  for (const character of written) {
    const point = character.codePointAt(0) ?? 0;
    if (character === '’') out += "'";
    else if (character !== ',' && !isJoiner(point)) out += String.fromCodePoint(plainPoint(point));
  }
  return out;
}

const widthOf = (point: number): number => (point > 0xffff ? 2 : 1);

/** Adds the numbers of the words of a range, in order, to `out`. */
export function readWords(text: string, { start, end }: Range, vocabulary: Vocabulary, out: number[]): void {
  let at = start;
  while (at < end) {
    const point = text.codePointAt(at) ?? 0;
    if (!isWord(point)) {
      at += widthOf(point);
      continue;
    }
    const next = gramOf(point) > 0 ? runEnd(text, at, end) : wordEnd(text, at, end);
    if (gramOf(point) > 0) readGrams(text.slice(at, next), gramOf(point), vocabulary, out);
    else out.push(numberOf(text.slice(at, next), false, vocabulary));
    at = next;
  }
}

/** Returns the end of a run of one script without spaces. */
function runEnd(text: string, start: number, end: number): number {
  const length = gramOf(text.codePointAt(start) ?? 0);
  let at = start;
  while (at < end) {
    const point = text.codePointAt(at) ?? 0;
    if (gramOf(point) !== length) break;
    at += widthOf(point);
  }
  return at;
}

function readGrams(run: string, length: number, vocabulary: Vocabulary, out: number[]): void {
  const characters = Array.from(run).filter((character) => !isTone(character.codePointAt(0) ?? 0));
  for (let i = 0; i < characters.length; i++) {
    if (length === 2) out.push(numberOf(characters[i] ?? '', true, vocabulary));
    const isWhole = i + length <= characters.length || (i === 0 && length > 2);
    if (isWhole) out.push(numberOf(characters.slice(i, i + length).join(''), true, vocabulary));
  }
}

/** Returns the end of a word of a script with spaces. */
function wordEnd(text: string, start: number, end: number): number {
  let at = start;
  let before = 0;
  while (at < end) {
    const point = text.codePointAt(at) ?? 0;
    const isPart = isWord(point) && gramOf(point) === 0;
    if (!isPart && !joins(before, point, at + 1 < end ? (text.codePointAt(at + 1) ?? 0) : 0)) break;
    before = point;
    at += widthOf(point);
  }
  return at;
}

/** Returns whether a character between two others joins them to one word. */
function joins(before: number, point: number, after: number): boolean {
  if (!isWord(after) || gramOf(after) > 0) return false;
  if (point === 0x27 || point === 0x2019 || isJoiner(point)) return true;
  return (point === 0x2e || point === 0x2c) && isDigit(plainPoint(before)) && isDigit(plainPoint(after));
}
