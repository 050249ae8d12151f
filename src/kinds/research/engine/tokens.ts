/**
 * The words of a normalised text: runs of letters, marks and digits, folded. An apostrophe between letters joins them; a point or comma
 * between digits joins them (a comma is left out); a joiner inside a word is left out. ++ and # belong to the word that they end (C++, C#). A
 * word that a hyphen divides at the end of a line is read whole, and its parts after it; without those where the hyphen is a soft one. Runs of scripts without spaces are read as
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
  /** The first code units of the grams that are told apart; null while all are. */
  starts: ReadonlySet<number> | null;
}

/** The number of every gram that is not told apart. */
export const other_gram = -1;

export const emptyVocabulary = (): Vocabulary => ({ numbers: new Map(), words: [], starts: null });

/** From now on, only the grams that the vocabulary has are told apart: a source has nearly as many as it has characters. */
export function closeGrams(vocabulary: Vocabulary): void {
  vocabulary.starts = new Set(vocabulary.words.filter(({ isGram }) => isGram).map(({ text }) => text.charCodeAt(0)));
}

/** A hyphen or soft hyphen at the end of a line, with the white space after it. */
const hyphens = new Set('-\u2010\u00ad');
const lineEnd = /[-\u2010\u00ad]\r?\n[ \t]*/y;
const lineEnds = new RegExp(lineEnd, 'g');
const hardLineEnd = /[-\u2010]\r?\n[ \t]*/;

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
  for (const character of written.replace(lineEnds, '')) {
    const point = character.codePointAt(0) ?? 0;
    if (character === '’') out += "'";
    else if (character === '．') out += '.';
    else if (character !== ',' && !isJoiner(point)) out += String.fromCodePoint(plainPoint(point));
  }
  return out;
}

const widthOf = (point: number): number => (point > 0xffff ? 2 : 1);

/** The characters with which a word may begin, and a run of ASCII letters and digits: most words are found by expressions only. */
const possibleStart = /[0-9A-Za-z\u00aa-\uffff]/g;
const asciiRun = /[0-9A-Za-z]+/y;

/** Adds the numbers of the words of a range, in order, to `out`. */
export function readWords(text: string, { start, end }: Range, vocabulary: Vocabulary, out: number[]): void {
  let at = start;
  for (;;) {
    possibleStart.lastIndex = at;
    if (!possibleStart.test(text)) return;
    at = possibleStart.lastIndex - 1;
    if (at >= end) return;
    const ascii = asciiEnd(text, at, end);
    if (ascii > 0) {
      out.push(numberOf(text.slice(at, ascii), false, vocabulary));
      at = ascii;
      continue;
    }
    const point = text.codePointAt(at) ?? 0;
    if (!isWord(point)) {
      at += widthOf(point);
      continue;
    }
    const next = gramOf(point) > 0 ? runEnd(text, at, end) : wordEnd(text, at, end);
    const written = text.slice(at, next);
    if (gramOf(point) > 0) readGrams(written, gramOf(point), vocabulary, out);
    else {
      out.push(numberOf(written, false, vocabulary));
      const parts = written.split(hardLineEnd);
      if (parts.length > 1) for (const part of parts) out.push(numberOf(part, false, vocabulary));
    }
    at = next;
  }
}

/** Returns the end of a word of only ASCII letters and digits; 0 if a character after them may belong to it. */
function asciiEnd(text: string, start: number, end: number): number {
  asciiRun.lastIndex = start;
  if (!asciiRun.test(text)) return 0;
  const next = asciiRun.lastIndex;
  if (next >= end) return end;
  const after = text.charCodeAt(next);
  if (after > 0x7f || after === 0x27 || after === 0x2b || after === 0x23) return 0;
  if (after === 0x2d) return text.charCodeAt(next + 1) <= 0x0d ? 0 : next;
  return (after === 0x2e || after === 0x2c) && isDigit(text.charCodeAt(next - 1)) ? 0 : next;
}

/** Returns the end of a run of one script without spaces. */
function runEnd(text: string, start: number, end: number): number {
  const length = gramOf(text.codePointAt(start) ?? 0);
  let at = start;
  while (at < end) {
    const point = text.codePointAt(at) ?? 0;
    if (gramOf(point) !== length && !(isJoiner(point) && gramOf(text.codePointAt(at + 1) ?? 0) === length)) break;
    at += widthOf(point);
  }
  return at;
}

/** Adds the grams of a run. The characters of a gram that is not told apart are not put together. */
function readGrams(run: string, length: number, vocabulary: Vocabulary, out: number[]): void {
  const places: number[] = [];
  for (let at = 0; at < run.length; ) {
    const point = run.codePointAt(at) ?? 0;
    if (!isTone(point) && !isJoiner(point)) places.push(at);
    at += widthOf(point);
  }
  const { starts, numbers } = vocabulary;
  const number = (from: number, size: number): number => {
    if (starts?.has(run.charCodeAt(places[from] ?? 0)) === false) return other_gram;
    let gram = '';
    for (let i = from; i < from + size && i < places.length; i++)
      gram += String.fromCodePoint(run.codePointAt(places[i] ?? 0) ?? 0);
    return starts === null ? numberOf(gram, true, vocabulary) : (numbers.get(gram) ?? other_gram);
  };
  for (let i = 0; i < places.length; i++) {
    if (length === 2) out.push(number(i, 1));
    if (i + length <= places.length || (i === 0 && length > 2)) out.push(number(i, length));
  }
}

/** Returns the end of a word of a script with spaces. */
function wordEnd(text: string, start: number, end: number): number {
  let at = start;
  let before = 0;
  while (at < end) {
    const point = text.codePointAt(at) ?? 0;
    const isPart = isWord(point) && gramOf(point) === 0;
    const continued = isPart ? 0 : continuation(text, at, end, before);
    if (continued > 0) at = continued;
    else if (isPart || joins(before, point, at + 1 < end ? (text.codePointAt(at + 1) ?? 0) : 0)) at += widthOf(point);
    else break;
    before = point;
  }
  return signEnd(text, at, end);
}

/** Returns where a word goes on in the next line, in small letters, after the hyphen at `at`; 0 if it does not. */
function continuation(text: string, at: number, end: number, before: number): number {
  if (!hyphens.has(text.charAt(at))) return 0;
  lineEnd.lastIndex = at;
  if (isDigit(before) || !lineEnd.test(text) || lineEnd.lastIndex >= end) return 0;
  const point = text.codePointAt(lineEnd.lastIndex) ?? 0;
  return isWord(point) && gramOf(point) === 0 && !isDigit(point) && !isUpper(point) ? lineEnd.lastIndex : 0;
}

/** Returns the end of a word with the signs ++ or # after its last letter. */
function signEnd(text: string, at: number, end: number): number {
  const sign = text.startsWith('++', at) ? 2 : text.startsWith('#', at) ? 1 : 0;
  const isSign = sign > 0 && at + sign <= end && /[A-Za-z]/.test(text.charAt(at - 1));
  return isSign && !isWord(text.codePointAt(at + sign) ?? 0) ? at + sign : at;
}

/** Returns whether a character between two others joins them to one word. */
function joins(before: number, point: number, after: number): boolean {
  if (!isWord(after) || gramOf(after) > 0) return false;
  if (point === 0x27 || point === 0x2019 || isJoiner(point)) return true;
  return (point === 0x2e || point === 0x2c || point === 0xff0e) && isDigit(plainPoint(before)) && isDigit(plainPoint(after));
}
