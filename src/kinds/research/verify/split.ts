/** The verifier's own sentence splitter: the five rules in `split.ts`, applied word by word instead of character by character. */
import { digit, gramLength, lettered, lowered, loweredText, spaced } from './characters.js';

/** The lists of a version of the engine. */
export interface SplitRules {
  /** Marks that end a sentence wherever they are. */
  readonly wide: string;
  /** Abbreviations that never end a sentence, that end one unless a number follows, and that do before one of the starters. */
  readonly never: readonly string[];
  readonly numbered: readonly string[];
  readonly sometimes: readonly string[];
  readonly starters: readonly string[];
  /** Words before which a number of at most two digits is an ordinal. */
  readonly ordinals: readonly string[];
  /** The longest sentence in UTF-16 code units. */
  readonly longest: number;
  /** The shortest sentence that ends at white space between phrases of a script that has none between words; 0 for no such end. */
  readonly phrase: number;
}

const wordLongest = 80;

export type Span = readonly [number, number];

interface Word {
  readonly start: number;
  readonly end: number;
  /** Whether the white space before it holds a blank line. */
  readonly blank: boolean;
  readonly newLine: boolean;
}

/** Returns the stretches without white space; one with wide stops inside is split after each of them. */
function wordsOf(text: string, wide: RegExp): Word[] {
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
    for (const [a, b] of pieces(text.slice(at, end), wide)) {
      out.push({ start: at + a, end: at + b, blank: first && breaks > 1 && gap > 0, newLine: first && breaks > 0 && gap > 0 });
      first = false;
    }
    at = end;
    gap = end;
  }
  return out;
}

const closing = '["\'\\)\\]}»”’」』]|\\[[A-Za-z0-9]{1,4}\\]';

function pieces(word: string, wide: RegExp): Span[] {
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

const final = new RegExp(`([.!?…]+)(?:${closing})*$`);
const bullet = /^(?:[-*•–]|[0-9]{1,3}[.)]|[A-Za-z][.)])$/;

/** Returns the splitter of a version: it returns the start and end of each sentence of a text, in UTF-16 code units. */
export function spansBy(rules: SplitRules): (text: string) => Span[] {
  const wide = new RegExp(`[${rules.wide}](?:${closing})*`, 'g');
  const wideEnd = new RegExp(`[${rules.wide}](?:${closing})*$`);
  return (text) => spans(text, { ...rules, all: wide, last: wideEnd });
}

interface Rules extends SplitRules {
  /** Wide stops with what closes them, anywhere and at the end. */
  readonly all: RegExp;
  readonly last: RegExp;
}

function spans(text: string, rules: Rules): Span[] {
  const all = wordsOf(text, rules.all);
  const out: Span[] = [];
  let start = all[0]?.start ?? 0;
  for (const [k, word] of all.entries()) {
    const next = all[k + 1];
    const marked = next?.newLine === true && next.end < text.length && bullet.test(whole(text, next));
    if (next !== undefined && !next.blank && !marked && !ends(text, start, word, next, rules)) continue;
    out.push(...phrases(text, start, word.end, rules).flatMap(([from, to]) => cut(text, from, to, rules.longest)));
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

function ends(text: string, start: number, word: Word, next: Word, rules: Rules): boolean {
  const written = text.slice(word.start, word.end);
  if (rules.last.test(written)) return true;
  const match = final.exec(written);
  if (match === null || next.start === word.end) return false;
  const following = /^["'([{«“‘„¿¡]*/.exec(text.slice(next.start))?.[0].length ?? 0;
  const after = leading(text.slice(next.start + following, next.start + following + wordLongest + 1));
  const point = after.codePointAt(0) ?? 0;
  // Only scripts with case, which are below U+0590, have lowercase letters.
  if (after !== '' && !digit(point) && lowered(after.charCodeAt(0)) === after.charCodeAt(0) && point < 0x590) return false;
  return match[1] === '.' ? pointEnds(written.slice(0, match.index), word.start === start, after, rules) : true;
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

function pointEnds(before: string, opens: boolean, after: string, rules: Rules): boolean {
  const near = before.slice(-wordLongest);
  const word = near.replace(/^["'([{«“‘„¿¡]+/, '');
  const low = loweredText(word);
  const first = after.codePointAt(0) ?? 0;
  if (opens && word === before && /^(?:[0-9]{1,3}|[a-z]|[ivx]{1,4})$/.test(low)) return false;
  if (rules.never.includes(low)) return false;
  if (rules.numbered.includes(low) && (digit(first) || word.length > 1)) return !digit(first);
  const letters = Array.from(word);
  const lead = letters[0]?.codePointAt(0) ?? 0;
  if (letters.length === 1 && word !== 'I' && lowered(lead) !== lead) return false;
  if (/^[0-9]{1,2}$/.test(low) && rules.ordinals.includes(loweredText(after))) return false;
  if (!rules.sometimes.includes(low) && !/^[a-z](?:\.[a-z])+$/.test(low)) return true;
  return lowered(first) !== first && rules.starters.includes(loweredText(after));
}

/** Returns a sentence in its phrases, if its script has them. */
function phrases(text: string, start: number, end: number, { phrase }: Rules): Span[] {
  if (phrase === 0) return [[start, end]];
  const out: Span[] = [];
  let from = start;
  const white = (at: number): boolean => spaced(text.charCodeAt(at));
  const phrased = (at: number): boolean => gramLength(text.charCodeAt(at)) === 3;
  for (let at = start + phrase; at < end; at++) {
    if (at < from + phrase || !white(at) || !phrased(at - 1)) continue;
    let next = at;
    while (white(next)) next++;
    if (!phrased(next)) continue;
    out.push([from, at]);
    from = next;
  }
  return [...out, [from, end]];
}

/** Returns a sentence that is too long in pieces that end before white space. */
function cut(text: string, start: number, end: number, longest: number): Span[] {
  if (end - start <= longest) return [[start, end]];
  let to = start + longest;
  while (to > start && !spaced(text.charCodeAt(to))) to--;
  if (to === start) {
    to = start + longest;
    if ((text.charCodeAt(to) & 0xfc00) === 0xdc00) to--;
  }
  let last = to;
  while (spaced(text.charCodeAt(last - 1))) last--;
  let next = to;
  while (next < end && spaced(text.charCodeAt(next))) next++;
  return [[start, last], ...(next < end ? cut(text, next, end, longest) : [])];
}
