/**
 * The verifier's own Normalization Form C: each chunk is decomposed in full, sorted and composed pair by pair, and every character keeps the
 * numbers of the characters that it comes from. Chunks and clean cuts are those that `normal.ts` of the engine describes.
 */
import { class_runs, composed_pairs, decomposed_only } from '../../../engines/text/normal-tables.js';
import { normal_segment_points } from '../constants.js';

const base36 = (digits: string | undefined): number => Number.parseInt(digits ?? '0', 36);

/** The combining classes, by code point. */
function readClasses(): Record<number, number> {
  const out: Record<number, number> = {};
  let next = 0;
  for (const run of class_runs.flatMap((line) => line.split(' '))) {
    const [gap, length, value] = run.split('.').map(base36);
    next += gap ?? 0;
    for (let i = 0; i < (length ?? 0); i++) out[next++] = value ?? 0;
  }
  return out;
}

/** The composites, by the text of the pair. */
function readPairs(): Map<string, number> {
  const out = new Map<string, number>();
  const second = { mark: 0, first: 0, whole: 0 };
  for (const token of composed_pairs.flatMap((line) => line.split(' '))) {
    const [group, pair] = token.includes(':') ? token.split(':') : [null, token];
    if (group !== null) Object.assign(second, { mark: second.mark + base36(group), first: 0, whole: 0 });
    const [first, whole] = (pair ?? '').split('.').map(base36);
    second.first += first ?? 0;
    second.whole += whole ?? 0;
    out.set(String.fromCodePoint(second.first, second.mark), second.whole);
  }
  return out;
}

/** The decompositions, one step of them: the text of a pair, or what is never restored. */
function readParts(pairs: ReadonlyMap<string, number>): Map<number, string> {
  const out = new Map(Array.from(pairs, ([pair, whole]) => [whole, pair]));
  let [point, lead] = [0, 0];
  for (const entry of decomposed_only.flatMap((line) => line.split(' '))) {
    const [gap = 0, to = 0, ...rest] = entry.split('.').map(base36);
    point += gap;
    lead += to;
    out.set(point, String.fromCodePoint(lead, ...rest.map((other) => other + lead)));
  }
  return out;
}

interface Known {
  readonly classes: Readonly<Record<number, number>>;
  readonly pairs: ReadonlyMap<string, number>;
  readonly parts: ReadonlyMap<number, string>;
  readonly seconds: ReadonlySet<string>;
}

let read: Known | null = null;
function known(): Known {
  if (read !== null) return read;
  const pairs = readPairs();
  const seconds = new Set(Array.from(pairs.keys(), (pair) => Array.from(pair)[1] ?? ''));
  return (read = { classes: readClasses(), pairs, parts: readParts(pairs), seconds });
}

/** One character of a normal form, and the numbers of those of the original that it comes from. */
interface Piece {
  readonly character: string;
  readonly from: readonly number[];
}

const classOf = (character: string): number => known().classes[character.codePointAt(0) ?? 0] ?? 0;

/** Returns the full decomposition of a character. */
function taken(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xac00 && point <= 0xd7a3) {
    const [block, trail] = [Math.floor((point - 0xac00) / 28), (point - 0xac00) % 28];
    const jamo = String.fromCodePoint(0x1100 + Math.floor(block / 21), 0x1161 + (block % 21));
    return trail === 0 ? jamo : jamo + String.fromCodePoint(0x11a7 + trail);
  }
  const parts = known().parts.get(point);
  return parts === undefined ? character : Array.from(parts, taken).join('');
}

/** Returns the composite of two characters; null if they have none. */
function joined(first: string, second: string): string | null {
  const [a, b] = [first.codePointAt(0) ?? 0, second.codePointAt(0) ?? 0];
  if (a >= 0x1100 && a <= 0x1112 && b >= 0x1161 && b <= 0x1175)
    return String.fromCodePoint(0xac00 + ((a - 0x1100) * 21 + b - 0x1161) * 28);
  if (a >= 0xac00 && a <= 0xd7a3 && (a - 0xac00) % 28 === 0 && b > 0x11a7 && b <= 0x11c2)
    return String.fromCodePoint(a + b - 0x11a7);
  const whole = known().pairs.get(first + second);
  return whole === undefined ? null : String.fromCodePoint(whole);
}

/** Returns whether a character may compose with one before it, or be put before it. */
function attaches(character: string): boolean {
  const [first = ''] = taken(character);
  const point = first.codePointAt(0) ?? 0;
  return (
    classOf(first) > 0 ||
    known().seconds.has(first) ||
    (point >= 0x1161 && point <= 0x1175) ||
    (point > 0x11a7 && point <= 0x11c2)
  );
}

function sorted(pieces: readonly Piece[]): Piece[] {
  let starters = 0;
  const ranked = pieces.map((piece) => {
    const rank = classOf(piece.character);
    if (rank === 0) starters++;
    return { piece, starters, rank };
  });
  return ranked.sort((a, b) => a.starters - b.starters || a.rank - b.rank).map(({ piece }) => piece);
}

/** Composes: takes the first pair that may be composed until there is none. */
function composed(pieces: readonly Piece[]): Piece[] {
  const out = [...pieces];
  for (let i = 0; i < out.length; i++) {
    const first = out[i];
    if (first === undefined || classOf(first.character) > 0) continue;
    let [whole, highest]: [Piece, number] = [first, 0];
    for (let k = i + 1; k < out.length; k++) {
      const other = out[k];
      if (other === undefined) break;
      const rank = classOf(other.character);
      const isFree = k === i + 1 || highest < rank;
      const both = isFree ? joined(whole.character, other.character) : null;
      if (both !== null) {
        whole = { character: both, from: [...whole.from, ...other.from] };
        out.splice(i, 1, whole);
        out.splice(k, 1);
        k--;
        continue;
      }
      if (rank === 0) break;
      highest = Math.max(highest, rank);
    }
  }
  return out;
}

export interface Normal {
  readonly text: string;
  /** Returns the place in the original of a place in the normal form. */
  readonly place: (at: number) => number;
}

/** Returns a function that remembers what it returned for each character. */
function remembered<A>(read: (character: string) => A): (character: string) => A {
  const results = new Map<string, A>();
  return (character) => {
    const known = results.get(character) ?? read(character);
    results.set(character, known);
    return known;
  };
}

const beginsChunk = remembered((character) => character < '\u0300' || !attaches(character));

/** Returns the characters in chunks. */
function chunks(characters: readonly string[]): string[][] {
  const out: string[][] = [];
  for (const character of characters) {
    const last = out.at(-1);
    if (last === undefined || last.length === normal_segment_points || beginsChunk(character)) out.push([character]);
    else last.push(character);
  }
  return out;
}

/** A stretch of a normal form between clean cuts, and the number of the original's characters from which it comes. */
type Stretch = readonly [string, number];

function stretches(chunk: readonly string[]): Stretch[] {
  const pieces = chunk.flatMap((character, i) => Array.from(taken(character), (part): Piece => ({ character: part, from: [i] })));
  const whole = composed(sorted(pieces));
  const out: Stretch[] = [];
  let [text, done] = ['', 0];
  for (const [k, { character }] of whole.entries()) {
    text += character;
    const upTo = 1 + Math.max(...whole.slice(0, k + 1).flatMap(({ from }) => from));
    const rest = Math.min(chunk.length, ...whole.slice(k + 1).flatMap(({ from }) => from));
    if (rest < upTo) continue;
    out.push([text, rest - done]);
    [text, done] = ['', rest];
  }
  return out;
}

const alone = remembered((character) => (character < '\u0300' ? [[character, 1] as const] : stretches([character])));

/** Returns the normal form of a text, with the place of each of its places. */
export function normalForm(text: string): Normal {
  if (!/[^\0-\u02ff]/.test(text)) return { text, place: (at) => at };
  const places: number[] = [];
  let out = '';
  let passed = 0;
  for (const chunk of chunks(Array.from(text))) {
    let left = chunk;
    for (const [form, count] of chunk.length === 1 ? alone(chunk[0] ?? '') : stretches(chunk)) {
      const end = passed + left.slice(0, count).join('').length;
      places.push(passed, ...Array.from({ length: form.length - 1 }, () => end));
      out += form;
      passed = end;
      left = left.slice(count);
    }
  }
  return { text: out, place: (at) => places[at] ?? passed };
}
