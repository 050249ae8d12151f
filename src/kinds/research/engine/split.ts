/**
 * Sentences of a text as ranges of UTF-16 code units, without surrounding white space.
 *
 * Rules, in this order: (1) a blank line, or a line break before a list marker, ends a sentence; (2) wide stops such as 。 ！ ؟ and । end one in any position;
 * (3) a run of . ! ? … with its closing quotes, brackets and reference marks such as [12] or [j] may end one when white space
 * follows, unless the next word starts with a lowercase letter; (4) a single point does not end one after an abbreviation, an
 * initial, an ordinal or a list marker (see `pointEnds`); points inside numbers and URLs have no white space after them; (5) a sentence
 * longer than `sentence_chars_max` is cut after its last white space within that length.
 */
import { wholeCut } from '../../../base/text.js';
import {
  after_ordinal,
  compound_before_number,
  more_before_number,
  more_never_final,
  more_sometimes_final,
  more_starters,
} from '../../../engines/text/abbreviations.js';
import { before_number, never_final, sometimes_final, starters, units } from '../../../engines/text/english.js';
import { wide_stops } from '../../../engines/text/scripts.js';
import { phrase_chars_min, sentence_chars_max } from '../constants.js';
import { fold, gramOf, isDigit, isJoiner, isSpace, isUpper, isWord } from './characters.js';

export interface Range {
  readonly start: number;
  readonly end: number;
}

const never = new Set([...never_final, ...more_never_final.split(' ')]);
const numbered = new Set([...before_number, ...more_before_number.split(' ')]);
const sometimes = new Set([...sometimes_final, ...more_sometimes_final.split(' ')]);
const unitNames = new Set(units);
const ordinalNouns = new Set(after_ordinal.split(' '));
const openers = new Set('"\'([{«“‘„¿¡');
const closers = new Set('"\')]}»”’」』');
const stops = new Set('.!?…');
const wideStops = new Set(wide_stops);
const candidate = new RegExp(`[\\n.!?…${wide_stops}]`, 'g');
const acronym = /^(?:[a-z]\.)+[a-z]$/;
const letter = /^[a-z]$/;
const digit = /[0-9]/;
const ordinal = /^[0-9]{1,2}$/;
/** The parts of a word before its last one: l'art., Art.-Nr. */
const joined = /^.*['’-]/;
const marker = /^(?:[0-9]{1,3}|[a-z]|[ivx]{1,4})$/;
const listLine = /^(?:[-*•–]|[0-9]{1,3}[.)]|[A-Za-z][.)])$/;
const word_chars_max = 80;

/** Returns the sentences of `text`, in order. */
export function sentences(text: string): Range[] {
  const out: Range[] = [];
  let start = skipSpace(text, 0);
  candidate.lastIndex = start;
  for (let found = candidate.exec(text); found !== null; found = candidate.exec(text)) {
    const end = boundary(text, start, found.index);
    if (end === 0) continue;
    push(text, start, end, out);
    start = skipSpace(text, end);
    candidate.lastIndex = start;
  }
  if (start < text.length) push(text, start, text.length, out);
  return out;
}

/** Returns the end of the sentence if one ends with the character at `at`, else 0. */
function boundary(text: string, start: number, at: number): number {
  const c = text.charAt(at);
  if (c === '\n') return lineEnds(text, at) ? at : 0;
  if (wideStops.has(c)) return skipClosers(text, at + 1);
  if (!stops.has(c)) return 0;
  let run = at + 1;
  while (stops.has(text.charAt(run))) run++;
  const end = skipClosers(text, run);
  if (end >= text.length) return text.length;
  let after = end;
  while (isJoiner(text.charCodeAt(after))) after++;
  if (after < text.length && !isSpace(text.charCodeAt(after))) return 0;
  const next = nextWord(text, end);
  if (isLower(next)) return 0;
  // Only the first character of a run decides, so that "..." is never taken for a single point.
  if (c === '.' && run === at + 1 && !stops.has(text.charAt(at - 1))) return pointEnds(text, start, at, next) ? end : 0;
  return end;
}

/** Returns whether a single point at `at` ends the sentence that began at `start`; `next` is the word after it. */
function pointEnds(text: string, start: number, at: number, next: string): boolean {
  const [word, first] = wordBefore(text, start, at);
  const whole = fold(word);
  if (first === start && marker.test(whole)) return false;
  const folded = whole.replace(joined, '');
  if (never.has(folded)) return false;
  if (digit.test(next) && (numbered.has(folded) || compound_before_number.test(folded))) return false;
  if (numbered.has(folded) && word.length > 1) return true;
  if (isInitial(word)) return false;
  if (ordinal.test(folded) && ordinalNouns.has(fold(next))) return false;
  if (unitNames.has(folded) && isDigit(text.charCodeAt(lastOf(text, start, first) - 1))) return isUpper(next.codePointAt(0) ?? 0);
  if (sometimes.has(folded) || letter.test(word) || acronym.test(folded))
    return isUpper(next.codePointAt(0) ?? 0) && isStarter(next);
  return true;
}

const isInitial = (word: string): boolean => {
  const point = word.codePointAt(0) ?? 0;
  return word !== 'I' && word.length === (point > 0xffff ? 2 : 1) && isUpper(point);
};

const starterSet = new Set([...starters, ...more_starters.split(' ')]);
const isStarter = (word: string): boolean => starterSet.has(fold(word));

const isLower = (word: string): boolean => {
  const point = word.codePointAt(0) ?? 0;
  return isWord(point) && !isDigit(point) && !isUpper(point) && hasCase(point);
};

/** Letters of the Latin, Greek and Cyrillic blocks have case; others (Han, Arabic, …) never prevent a boundary. */
const hasCase = (point: number): boolean => point < 0x590;

/** Returns the end of what is before `at` without the white space and joiners at its end. */
function lastOf(text: string, start: number, at: number): number {
  let end = at;
  while (end > start && isGap(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Returns whether a unit at the beginning or end of a sentence is left out of it. */
const isGap = (unit: number): boolean => isSpace(unit) || isJoiner(unit);

/** Returns the word that ends before the point at `at`, without opening marks, and its start. */
function wordBefore(text: string, start: number, at: number): [string, number] {
  let first = at;
  while (first > start && at - first < word_chars_max && !isSpace(text.charCodeAt(first - 1))) first--;
  while (first < at && openers.has(text.charAt(first))) first++;
  return [text.slice(first, at), first];
}

/**
 * Returns the run of letters and digits that follows white space and opening marks from `at`; empty when another character
 * follows.
 */
function nextWord(text: string, at: number): string {
  let first = skipSpace(text, at);
  while (openers.has(text.charAt(first))) first++;
  let last = first;
  while (last < text.length && last - first < word_chars_max) {
    const point = text.codePointAt(last) ?? 0;
    if (!isWord(point)) break;
    last += point > 0xffff ? 2 : 1;
  }
  return text.slice(first, last);
}

/** Returns whether the line break at `at` ends a sentence: a blank line follows, or a list marker. */
function lineEnds(text: string, at: number): boolean {
  let next = at + 1;
  while (next < text.length && isSpace(text.charCodeAt(next))) {
    if (text.charAt(next) === '\n') return true;
    next++;
  }
  let end = next;
  while (end < text.length && end - next < 5 && !isSpace(text.charCodeAt(end))) end++;
  return end < text.length && listLine.test(text.slice(next, end));
}

/** Returns whether a unit is an ASCII letter or digit, as in reference marks. */
const isMarkUnit = (unit: number): boolean => isDigit(unit) || (unit > 64 && unit < 91) || (unit > 96 && unit < 123);

/** Returns the offset after closing marks and reference marks such as [12] or [j]. */
function skipClosers(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (closers.has(text.charAt(at))) at++;
    else if (text.charAt(at) === '[') {
      let end = at + 1;
      while (end - at < 5 && isMarkUnit(text.charCodeAt(end))) end++;
      if (end === at + 1 || text.charAt(end) !== ']') return at;
      at = end + 1;
    } else return at;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isGap(text.charCodeAt(at))) at++;
  return at;
}

/** Returns a part of a text without surrounding white space, cut where it is longer than a sentence may be. */
export function cutToLength(text: string, { start, end }: Range): Range[] {
  const out: Range[] = [];
  push(text, skipSpace(text, start), end, out);
  return out;
}

function push(text: string, from: number, to: number, out: Range[]): void {
  let start = from;
  const end = lastOf(text, from, to);
  for (let phrase = phraseEnd(text, start, end); phrase < end; phrase = phraseEnd(text, start, end)) {
    out.push({ start, end: phrase });
    start = skipSpace(text, phrase);
  }
  while (end - start > sentence_chars_max) {
    let cut = start + sentence_chars_max;
    while (cut > start && !isSpace(text.charCodeAt(cut))) cut--;
    if (cut === start) cut = wholeCut(text, start + sentence_chars_max);
    let last = cut;
    while (isSpace(text.charCodeAt(last - 1))) last--;
    out.push({ start, end: last });
    start = skipSpace(text, cut);
  }
  if (end > start) out.push({ start, end });
}

/**
 * Returns the end of the phrase at `start`: the first white space between characters of a script with phrases that is far enough from it;
 * `end` if there is none.
 */
function phraseEnd(text: string, start: number, end: number): number {
  const least = start + phrase_chars_min;
  for (let at = least; at < end - 1; at++) {
    if (!isSpace(text.charCodeAt(at)) || gramOf(text.charCodeAt(at - 1)) !== 3) continue;
    if (gramOf(text.charCodeAt(skipSpace(text, at))) === 3) return at;
  }
  return end;
}
