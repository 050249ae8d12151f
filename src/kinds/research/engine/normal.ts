/**
 * The form of a text in which its words are compared: Normalization Form C (UAX #15) by the frozen tables of Unicode 17, in which ligatures and
 * wide, narrow and raised letters and figures are plain ones as in Form KC, with the place in the original of every place in the normal form.
 *
 * A text is normalised in segments. A segment begins with a character of class 0 that composes with none before it, or after
 * `normal_segment_points` characters. A place in the normal form is a clean cut when the characters before it come from the original's
 * first characters only, and those after it from the rest; another place is read as the next clean cut.
 */
import {
  class_runs,
  compatible,
  compatible_class,
  composed_pairs,
  composing,
  decomposed_only,
} from '../../../engines/text/normal-tables.js';
import { normal_segment_points } from '../constants.js';
import type { Range } from './split.js';

// The frozen tables of normalisation, decoded when a text first needs them.

type Tables = Readonly<ReturnType<typeof decode>>;

/** Bit of a character that continues a segment, and of one that may change or compose with one before it. */
const continues = 1;
const changes = 2;

/** No character before it has another normal form. */
const first_changed = 0xaa;
const table_end = 0x30000;
const pair_base = 0x200000;
const syllables = 0xac00;
const leads = 0x1100;
const vowels = 0x1161;
const trails = 0x11a7;
const vowel_count = 21;
const trail_count = 28;
const syllable_count = 19 * vowel_count * trail_count;

const numbers = (token: string): number[] => token.split('.').map((digits) => Number.parseInt(digits, 36));

/**
 * Returns the tables: the composite of a first and a second character is by second · 2^21 + first; the bits are those of each character in
 * the planes that have tables.
 */
function decode() {
  const classes = new Map<number, number>();
  const composites = new Map<number, number>();
  const decompositions = new Map<number, readonly number[]>();
  const bits = new Uint8Array(table_end);
  let at = 0;
  for (const token of class_runs.join(' ').split(' ')) {
    const [gap = 0, length = 0, combining = 0] = numbers(token);
    at += gap;
    for (const end = at + length; at < end; at++) classes.set(at, combining);
  }
  for (const point of classes.keys()) bits[point] = continues;
  bits.fill(continues | changes, vowels, vowels + vowel_count);
  bits.fill(continues | changes, trails + 1, trails + trail_count);
  let [second, first, composite] = [0, 0, 0];
  for (const token of composed_pairs.join(' ').split(' ')) {
    const colon = token.indexOf(':');
    if (colon >= 0) {
      second += Number.parseInt(token.slice(0, colon), 36);
      [first, composite] = [0, 0];
      bits[second] = continues | changes;
    }
    const [toFirst = 0, toComposite = 0] = numbers(token.slice(colon + 1));
    first += toFirst;
    composite += toComposite;
    composites.set(second * pair_base + first, composite);
    decompositions.set(composite, [first, second]);
  }
  let [point, lead] = [0, 0];
  for (const token of decomposed_only.join(' ').split(' ')) {
    const [gap = 0, toLead = 0, ...others] = numbers(token);
    point += gap;
    lead += toLead;
    decompositions.set(point, [lead, ...others.map((other) => lead + other)]);
    bits[point] = changes;
  }
  readCompatible(decompositions, bits);
  for (const [whole, [base = 0]] of decompositions) if (((bits[base] ?? 0) & continues) !== 0) bits[whole] = continues | changes;
  return { classes, composites, decompositions, bits };
}

function readCompatible(decompositions: Map<number, readonly number[]>, bits: Uint8Array): void {
  let [point, lead] = [0, 0];
  for (const token of compatible.join(' ').split(' ')) {
    const [, gap = '', parts = '', kind, count = '1'] = /^([^.]*)\.([^+*]+)(?:([+*])(.+))?$/.exec(token) ?? [];
    const [toLead = 0, ...others] = numbers(parts);
    point += gap === '' ? 1 : Number.parseInt(gap, 36);
    lead += toLead;
    const whole = [lead];
    for (const other of others) whole.push((whole.at(-1) ?? 0) + other);
    for (let i = Number.parseInt(count, 36); i > 0; i--) {
      decompositions.set(point, [...whole]);
      bits[point] = changes;
      if (i === 1) break;
      point++;
      if (kind === '+') whole[0] = (whole[0] ?? 0) + 1;
    }
  }
}

let decoded: Tables | null = null;
const tables = (): Tables => (decoded ??= decode());

/** A stretch between clean cuts whose normal form differs: [from, to) of the normal form is [start, end) of the original. */
interface Edit extends Range {
  readonly from: number;
  readonly to: number;
}

export type NormalText = Readonly<ReturnType<typeof normalise>>;

/** A character with the first and the last of the original's characters that it comes from. */
interface Part {
  point: number;
  readonly combining: number;
  first: number;
  last: number;
}

function decompose(point: number, index: number, known: Tables, out: Part[]): void {
  const add = (part: number): void => {
    out.push({ point: part, combining: known.classes.get(part) ?? 0, first: index, last: index });
  };
  const syllable = point - syllables;
  if (syllable >= 0 && syllable < syllable_count) {
    add(leads + Math.floor(syllable / (vowel_count * trail_count)));
    add(vowels + (Math.floor(syllable / trail_count) % vowel_count));
    if (syllable % trail_count > 0) add(trails + (syllable % trail_count));
    return;
  }
  const parts = known.decompositions.get(point);
  if (parts === undefined) add(point);
  else for (const part of parts) decompose(part, index, known, out);
}

/** Puts each run of characters of a class above 0 in the order of the classes. */
function reorder(parts: Part[]): void {
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i];
    if (part === undefined || part.combining === 0) continue;
    let to = i;
    while (to > 0 && (parts[to - 1]?.combining ?? 0) > part.combining) to--;
    if (to < i) parts.splice(to, 0, ...parts.splice(i, 1));
  }
}

/** Returns the composite of two characters; 0 if they do not compose. */
function composite(first: number, second: number, { composites }: Tables): number {
  const vowel = second - vowels;
  const lead = first - leads;
  if (lead >= 0 && lead < 19 && vowel >= 0 && vowel < vowel_count) return syllables + (lead * vowel_count + vowel) * trail_count;
  const trail = second - trails;
  const syllable = first - syllables;
  if (syllable >= 0 && syllable < syllable_count && syllable % trail_count === 0 && trail > 0 && trail < trail_count)
    return first + trail;
  return composites.get(second * pair_base + first) ?? 0;
}

function compose(parts: readonly Part[], known: Tables): Part[] {
  const out: Part[] = [];
  let starter: Part | undefined;
  for (const part of parts) {
    const before = out.at(-1);
    const isNext = before === starter;
    const isBlocked = !isNext && (before?.combining ?? 0) >= part.combining;
    const whole = starter === undefined || isBlocked ? 0 : composite(starter.point, part.point, known);
    if (starter !== undefined && whole > 0) {
      starter.point = whole;
      starter.first = Math.min(starter.first, part.first);
      starter.last = Math.max(starter.last, part.last);
      continue;
    }
    out.push(part);
    if (part.combining === 0) starter = part;
  }
  return out;
}

/** Returns the offsets of the characters of text[start, end), and the end. */
function offsetsOf(text: string, { start, end }: Range): number[] {
  const out: number[] = [];
  for (let at = start; at < end; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) out.push(at);
  return [...out, end];
}

/** Returns the pieces of a segment between clean cuts that differ from their normal form, with it. */
function changed(text: string, segment: Range, known: Tables): (Range & { readonly normal: string })[] {
  const offsets = offsetsOf(text, segment);
  const parts: Part[] = [];
  for (const [i, at] of offsets.slice(0, -1).entries()) decompose(text.codePointAt(at) ?? 0, i, known, parts);
  reorder(parts);
  const whole = compose(parts, known);
  const out: (Range & { readonly normal: string })[] = [];
  const least = whole.map(({ first }) => first);
  for (let i = least.length - 2; i >= 0; i--) least[i] = Math.min(least[i] ?? 0, least[i + 1] ?? 0);
  let [from, last, normal] = [0, -1, ''];
  for (const [i, part] of whole.entries()) {
    normal += String.fromCodePoint(part.point);
    last = Math.max(last, part.last);
    const next = least[i + 1] ?? offsets.length - 1;
    if (next <= last) continue;
    const [start, end] = [offsets[from] ?? 0, offsets[next] ?? 0];
    if (next > from + 1 || text.slice(start, end) !== normal) out.push({ start, end, normal });
    [from, normal] = [next, ''];
  }
  return out;
}

const possible = new RegExp(`[${compatible_class}${composing}]`, 'g');

/** Returns the place of the character before the next one that may have to be normalised; the end if there is none. */
function beforePossible(text: string, from: number): number {
  possible.lastIndex = from;
  if (!possible.test(text)) return text.length;
  const found = possible.lastIndex - 1;
  const before = found - ((text.codePointAt(found - 2) ?? 0) > 0xffff ? 2 : 1);
  return Math.max(from, before);
}

/** Returns the normal form of a text. */
export function normalise(text: string) {
  const edits: Edit[] = [];
  const begin = beforePossible(text, 0);
  if (begin === text.length) return { text, edits };
  const known = tables();
  let out = '';
  let copied = 0;
  const close = (start: number, end: number): void => {
    for (const piece of changed(text, { start, end }, known)) {
      out += text.slice(copied, piece.start);
      edits.push({ start: piece.start, end: piece.end, from: out.length, to: out.length + piece.normal.length });
      out += piece.normal;
      copied = piece.end;
    }
  };
  let [start, points, before, open] = [begin, 0, 0, false];
  for (let at = begin; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const bits = point < first_changed ? 0 : (known.bits[point] ?? 0);
    if ((bits & continues) === 0 || points === normal_segment_points) {
      if (open) close(start, at);
      [start, points, before, open] = [at, 0, 0, false];
    }
    points++;
    if (bits !== 0) {
      const combining = known.classes.get(point) ?? 0;
      if ((bits & changes) !== 0 || (combining > 0 && combining < before)) open = true;
      before = combining;
    }
    at += point > 0xffff ? 2 : 1;
    if (bits === 0 && at < text.length && text.charCodeAt(at) < 0x300) at = beforePossible(text, at);
  }
  if (open) close(start, text.length);
  return edits.length === 0 ? { text, edits } : { text: out + text.slice(copied), edits };
}

/** Returns the place in the original of a place in the normal form. */
function originalOf(edits: readonly Edit[], at: number): number {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle]?.from ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const edit = edits[low - 1];
  if (edit === undefined) return at;
  return at < edit.to ? edit.end : at - edit.to + edit.end;
}

/** Returns the range of the original from which a range of the normal form comes. */
export const originalRange = ({ edits }: NormalText, { start, end }: Range): Range =>
  edits.length === 0 ? { start, end } : { start: originalOf(edits, start), end: originalOf(edits, end) };
