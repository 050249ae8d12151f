/** A second reading of texts by the engine's description: characters and normal forms are the platform's, sentences are split word by word. */
import {
  after_ordinal,
  more_before_number,
  more_never_final,
  more_sometimes_final,
  more_starters,
} from '../../../../src/engines/text/abbreviations.js';
import { before_number, never_final, sometimes_final, starters } from '../../../../src/engines/text/english.js';
import type { Script } from '../../../../src/engines/text/language.js';
import { gram_runs, joiners, script_runs, tone_runs, wide_stops, zeros } from '../../../../src/engines/text/scripts.js';
import { phrase_chars_min, sentence_chars_max } from '../../../../src/kinds/research/constants.js';

const written = String.fromCodePoint;
export const lettered = (point: number): boolean => /[\p{L}\p{M}\p{N}]/u.test(written(point));
export const spaced = (point: number): boolean => point === 0x85 || (point !== 0xfeff && /\s/.test(written(point)));
export const digit = (point: number): boolean => point > 47 && point < 58;

/** Returns the simple case folding: the lower case of the upper case, where an expression without case finds the same. */
export function lowered(point: number): number {
  const character = written(point);
  const forms = [character.toUpperCase().toLowerCase(), character.toLowerCase()];
  const form = forms.find(
    (other) => other !== character && Array.from(other).length === 1 && new RegExp(`^${other}$`, 'iu').test(character),
  );
  return form?.codePointAt(0) ?? point;
}

export const loweredText = (text: string): string => Array.from(text, (c) => written(lowered(c.codePointAt(0) ?? 0))).join('');

const zeroPoints: number[] = [];
for (const gap of zeros.split(' ')) zeroPoints.push((zeroPoints.at(-1) ?? 0) + Number.parseInt(gap, 36));

/** Returns the lowercase code point, or the ASCII digit for a decimal digit. */
export function plain(point: number): number {
  const zero = zeroPoints.findLast((first) => first <= point);
  return zero !== undefined && point < zero + 10 ? 48 + point - zero : lowered(point);
}

const runAt = <R extends readonly [number, number, ...unknown[]]>(runs: readonly R[], point: number): R | undefined =>
  runs.find(([first, last]) => first <= point && point <= last);

/** Returns the length of the grams in which the character's script is read; 0 for a script with spaces. */
export const gramLength = (point: number): number => (lettered(point) ? (runAt(gram_runs, point)?.[2] ?? 0) : 0);
export const toneMark = (point: number): boolean => runAt(tone_runs, point) !== undefined;
export const joiner = (point: number): boolean => joiners.includes(point);
/** Returns the script whose languages are told apart; null for another. */
export const scriptAt = (point: number): Script | null => runAt(script_runs, point)?.[2] ?? null;

export interface Normal {
  readonly text: string;
  /** Returns the place in the original of a place in the normal form. */
  readonly place: (at: number) => number;
}

/** A character with what may compose with it: marks, and the vowels and final consonants of Hangul. */
const cluster = /[^][\p{M}\u1161-\u1175\u11a8-\u11c2]*/gu;

export function normalForm(original: string): Normal {
  const places: number[] = [];
  let text = '';
  for (const { 0: part, index } of original.matchAll(cluster)) {
    const form = part.normalize('NFC');
    const end = index + part.length;
    for (let k = 0; k < form.length; k++) places.push(form === part ? index + k : k === 0 ? index : end);
    text += form;
  }
  return { text, place: (at) => places[at] ?? original.length };
}

const rules = {
  never: [...never_final, ...more_never_final.split(' ')],
  numbered: [...before_number, ...more_before_number.split(' ')],
  sometimes: [...sometimes_final, ...more_sometimes_final.split(' ')],
  starters: [...starters, ...more_starters.split(' ')],
  ordinals: after_ordinal.split(' '),
};

const word_chars_max = 80;

export type Span = readonly [number, number];

const nonWhite = /(?:[^\s\u0085]|\ufeff)+/g;
const closing = '["\'\\)\\]}»”’」』]|\\[[A-Za-z0-9]{1,4}\\]';
const pieces = new RegExp(`[^${wide_stops}]*[${wide_stops}](?:${closing})*|[^]+`, 'g');
const wideEnd = new RegExp(`[${wide_stops}](?:${closing})*$`);
const final = new RegExp(`([.!?…]+)(?:${closing})*$`);
const bullet = /^(?:[-*•–]|[0-9]{1,3}[.)]|[A-Za-z][.)])$/;
const opening = /^["'([{«“‘„¿¡]*/;

/** Returns the stretches without white space, split after each wide stop, with the number of line breaks before each. */
function wordsOf(text: string) {
  let gap = 0;
  return Array.from(text.matchAll(nonWhite)).flatMap(({ 0: whole, index }) => {
    const breaks = gap === 0 ? 0 : text.slice(gap, index).split('\n').length - 1;
    gap = index + whole.length;
    return Array.from(whole.matchAll(pieces), ({ 0: written, index: at }) => {
      const start = index + at;
      return { start, end: start + written.length, written, breaks: at === 0 ? breaks : 0, whole: whole.slice(at) };
    });
  });
}

type Word = ReturnType<typeof wordsOf>[number];

/** Returns the start and end of each sentence of a text, in UTF-16 code units. */
export function spans(text: string): Span[] {
  const all = wordsOf(text);
  const out: Span[] = [];
  let start = all[0]?.start ?? 0;
  for (const [k, word] of all.entries()) {
    const next = all[k + 1];
    const isMarked = next !== undefined && next.breaks > 0 && next.end < text.length && bullet.test(next.whole);
    if (next !== undefined && next.breaks < 2 && !isMarked && !ends(text, start, word, next)) continue;
    out.push(...phrases(text, start, word.end).flatMap(([from, to]) => cut(text, from, to)));
    start = next?.start ?? text.length;
  }
  return out;
}

function ends(text: string, start: number, word: Word, next: Word): boolean {
  if (wideEnd.test(word.written)) return true;
  const match = final.exec(word.written);
  if (match === null || next.start === word.end) return false;
  const after = leading(
    text
      .slice(next.start)
      .replace(opening, '')
      .slice(0, word_chars_max + 1),
  );
  const point = after.codePointAt(0) ?? 0;
  // Only scripts with case, which are below U+0590, have lowercase letters.
  if (after !== '' && !digit(point) && lowered(after.charCodeAt(0)) === after.charCodeAt(0) && point < 0x590) return false;
  return match[1] === '.' ? pointEnds(word.written.slice(0, match.index), word.start === start, after) : true;
}

/** Returns the letters, marks and digits at the beginning, up to 80 code units. */
function leading(text: string): string {
  let out = '';
  for (const character of /^[\p{L}\p{M}\p{N}]*/u.exec(text)![0]) if (out.length < word_chars_max) out += character;
  return out;
}

function pointEnds(before: string, opens: boolean, after: string): boolean {
  const word = before.slice(-word_chars_max).replace(opening, '');
  const low = loweredText(word);
  const first = after.codePointAt(0) ?? 0;
  if (opens && word === before && /^(?:[0-9]{1,3}|[a-z]|[ivx]{1,4})$/.test(low)) return false;
  const part = low.split(/['’-]/).at(-1)!;
  if (rules.never.includes(part)) return false;
  const numbered = rules.numbered.includes(part);
  if (/[0-9]/.test(after) && (numbered || part.endsWith('str') || part.endsWith('nr'))) return false;
  if (numbered && word.length > 1) return true;
  if (Array.from(word).length === 1 && word !== 'I' && low !== word) return false;
  if (/^[0-9]{1,2}$/.test(part) && rules.ordinals.includes(loweredText(after))) return false;
  if (!rules.sometimes.includes(part) && !/^[a-z]$/.test(word) && !/^[a-z](?:\.[a-z])+$/.test(part)) return true;
  return lowered(first) !== first && rules.starters.includes(loweredText(after));
}

/** Returns a sentence in its phrases, where its script puts white space between those only. */
function phrases(text: string, start: number, end: number): Span[] {
  const isPhrased = (at: number): boolean => gramLength(text.charCodeAt(at)) === 3;
  const out: Span[] = [];
  let from = start;
  for (let at = start + phrase_chars_min; at < end; at++) {
    if (at < from + phrase_chars_min || !spaced(text.charCodeAt(at)) || !isPhrased(at - 1)) continue;
    let next = at;
    while (spaced(text.charCodeAt(next))) next++;
    if (!isPhrased(next)) continue;
    out.push([from, at]);
    from = next;
  }
  return [...out, [from, end]];
}

/** Returns a sentence that is too long in pieces that end before white space. */
function cut(text: string, start: number, end: number): Span[] {
  if (end - start <= sentence_chars_max) return [[start, end]];
  let to = start + sentence_chars_max;
  while (to > start && !spaced(text.charCodeAt(to))) to--;
  if (to === start) to += sentence_chars_max - (/^[\udc00-\udfff]/.test(text.slice(start + sentence_chars_max)) ? 1 : 0);
  let [last, next] = [to, to];
  while (spaced(text.charCodeAt(last - 1))) last--;
  while (next < end && spaced(text.charCodeAt(next))) next++;
  return [[start, last], ...(next < end ? cut(text, next, end) : [])];
}
