/** The verifier's own sentence splitter: the five rules in `split.ts`, applied word by word instead of character by character. */
import { before_number, never_final, sometimes_final, starters } from '../../../engines/text/english.js';
import { sentence_chars_max } from '../constants.js';
import { digit, lettered, lowered, loweredText, spaced } from './text.js';

const wordLongest = 80;

export type Span = readonly [number, number];

interface Word {
  readonly start: number;
  readonly end: number;
  /** Whether the white space before it holds a blank line. */
  readonly blank: boolean;
  readonly newLine: boolean;
}

/** Returns the stretches without white space; one with wide stops (。！？) inside is split after each of them. */
function wordsOf(text: string): Word[] {
  const out: Word[] = [];
  let gap = 0;
  let at = 0;
  while (at < text.length) {
    if (spaced(text.charCodeAt(at))) {
      at++;
      continue;
    }
    let end = at;
    while (end < text.length && !spaced(text.charCodeAt(end))) end++;
    const breaks = text.slice(gap, at).split('\n').length - 1;
    let first = true;
    for (const [a, b] of pieces(text.slice(at, end))) {
      out.push({ start: at + a, end: at + b, blank: first && breaks > 1 && gap > 0, newLine: first && breaks > 0 && gap > 0 });
      first = false;
    }
    at = end;
    gap = end;
  }
  return out;
}

const closing = '["\'\\)\\]}»”’」』]|\\[[A-Za-z0-9]{1,4}\\]';
const wide = new RegExp(`[。！？](?:${closing})*`, 'g');

function pieces(word: string): Span[] {
  const out: Span[] = [];
  let from = 0;
  for (const match of word.matchAll(wide)) {
    const to = match.index + match[0].length;
    out.push([from, to]);
    from = to;
  }
  if (from < word.length) out.push([from, word.length]);
  return out;
}

const wideEnd = new RegExp(`[。！？](?:${closing})*$`);
const final = new RegExp(`([.!?…]+)(?:${closing})*$`);
const bullet = /^(?:[-*•–]|[0-9]{1,3}[.)]|[A-Za-z][.)])$/;

/** Returns the start and end of each sentence of `text`, in UTF-16 code units. */
export function spans(text: string): Span[] {
  const all = wordsOf(text);
  const out: Span[] = [];
  let start = all[0]?.start ?? 0;
  for (const [k, word] of all.entries()) {
    const next = all[k + 1];
    const marked = next?.newLine === true && next.end < text.length && bullet.test(whole(text, next));
    if (next !== undefined && !next.blank && !marked && !ends(text, start, word, next)) continue;
    out.push(...cut(text, start, word.end));
    start = next?.start ?? text.length;
  }
  return out;
}

/** Returns the stretch to the next white space, with or without wide stops. */
function whole(text: string, word: Word): string {
  let end = word.end;
  while (end < text.length && !spaced(text.charCodeAt(end))) end++;
  return text.slice(word.start, end);
}

function ends(text: string, start: number, word: Word, next: Word): boolean {
  const written = text.slice(word.start, word.end);
  if (wideEnd.test(written)) return true;
  const match = final.exec(written);
  if (match === null || next.start === word.end) return false;
  const following = /^["'([{«“‘„¿¡]*/.exec(text.slice(next.start))?.[0].length ?? 0;
  const after = leading(text.slice(next.start + following, next.start + following + wordLongest + 1));
  const point = after.codePointAt(0) ?? 0;
  // Only scripts with case, which are below U+0590, have lowercase letters.
  if (after !== '' && !digit(point) && lowered(after.charCodeAt(0)) === after.charCodeAt(0) && point < 0x590) return false;
  return match[1] === '.' ? pointEnds(written.slice(0, match.index), word.start === start, after) : true;
}

/** Returns the letters, marks and digits at the beginning, up to 80 code units. */
function leading(text: string): string {
  let out = '';
  for (const character of text) {
    if (out.length >= wordLongest || !lettered(character.codePointAt(0) ?? 0)) break;
    out += character;
  }
  return out;
}

function pointEnds(before: string, opens: boolean, after: string): boolean {
  const near = before.slice(-wordLongest);
  const word = near.replace(/^["'([{«“‘„¿¡]+/, '');
  const low = loweredText(word);
  const first = after.codePointAt(0) ?? 0;
  if (opens && word === before && /^(?:[0-9]{1,3}|[a-z]|[ivx]{1,4})$/.test(low)) return false;
  if (never_final.includes(low)) return false;
  if (before_number.includes(low) && (digit(first) || word.length > 1)) return !digit(first);
  const letters = Array.from(word);
  const lead = letters[0]?.codePointAt(0) ?? 0;
  if (letters.length === 1 && word !== 'I' && lowered(lead) !== lead) return false;
  if (!sometimes_final.includes(low) && !/^[a-z](?:\.[a-z])+$/.test(low)) return true;
  return lowered(first) !== first && starters.includes(loweredText(after));
}

/** Returns a sentence that is too long in pieces that end before white space. */
function cut(text: string, start: number, end: number): Span[] {
  if (end - start <= sentence_chars_max) return [[start, end]];
  let to = start + sentence_chars_max;
  while (to > start && !spaced(text.charCodeAt(to))) to--;
  if (to === start) {
    to = start + sentence_chars_max;
    if ((text.charCodeAt(to) & 0xfc00) === 0xdc00) to--;
  }
  let last = to;
  while (spaced(text.charCodeAt(last - 1))) last--;
  let next = to;
  while (next < end && spaced(text.charCodeAt(next))) next++;
  return [[start, last], ...(next < end ? cut(text, next, end) : [])];
}
