/**
 * Scans a text for what the strict reader refuses (json-parse.ts), without building its values. A scan takes less time than
 * `JSON.parse` on most texts: strings are skipped by `indexOf`, white space two code units at a time, and names are compared by their hashes.
 */
import type { Json } from './canonical-json.js';
import { Fault } from './fault.js';
import { JsonFault, placeOf } from './json-fault.js';
import { countMembers } from './json-members.js';
import { MemberNames } from './json-names.js';
import { JsonNumbers, type NumberOptions } from './json-number.js';
import { JsonStrings } from './json-string.js';
import { unitsOf } from './json-units.js';
import { NegativeZeros } from './json-zeros.js';
import { json_depth_max } from './limits.js';

/** Scans a text that `JSON.parse` accepts. Returns its value with zeros in place of negative zeros. @throws JsonFault for the first fault */
export function scanParsed(text: string, options: NumberOptions, value: Json): Json {
  const zeros = new NegativeZeros(value);
  const scanner = new Scanner(text, options, zeros);
  scanner.document();
  // When several members have the same name, the value has only the last one.
  const isRepeated = scanner.isInDoubt && countMembers(zeros.value) !== scanner.members;
  if (isRepeated) throw firstFault(text, options) ?? new Fault('a text has members that its value lacks');
  return zeros.value;
}

/** Returns the first fault of a text that `JSON.parse` refuses; null if there is none. */
export function firstFault(text: string, options: NumberOptions): JsonFault | null {
  try {
    new Scanner(text, options, null).document();
    return null;
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
}

const [quote, comma, colon, minus, zero, nine] = [34, 44, 58, 45, 48, 57];
const [brace, braceEnd, bracket, bracketEnd, space, newline, carriageReturn, tab] = [123, 125, 91, 93, 32, 10, 13, 9];
const spaces = [9, 10, 13, 32];
/** Two code units at a time have only these bits if both are below 64; then their low bits side by side are an index of the table. */
const high_bits = 0xffc0ffc0;
const areSpaces = new Uint8Array(4_096);
for (const first of spaces) for (const second of spaces) areSpaces[first | (second << 6)] = 1;
/** Returns whether two code units are both white space. */
const areBothSpaces = (two: number): boolean => (two & high_bits) === 0 && areSpaces[(two | (two >>> 10)) & 0xfff] === 1;
/** Returns whether two code units are both at most a space. */
const areLow = (two: number): boolean => ((two | (two + above_space)) & highest_bits) === 0;
/** Added to two code units at a time, sets the highest bit of each that is above a space. */
const above_space = 0x7fdf7fdf;
const highest_bits = 0x80008000;
const isSpace = (c: number | undefined): boolean => c === space || c === newline || c === carriageReturn || c === tab;

class Scanner {
  members = 0;
  /** Whether the hashes of an object's names did not tell whether one is repeated. */
  isInDoubt = false;
  private at = 0;
  readonly units: Uint16Array;
  readonly pairs: Int32Array;
  private readonly names: MemberNames;
  private readonly numbers: JsonNumbers;
  private readonly strings: JsonStrings;
  /** For each open container: of an object, the index of its first name; of an array, -1 less the index of the item that is read. */
  private readonly open: number[] = [];

  constructor(
    private readonly text: string,
    options: NumberOptions,
    /** The value of the text; null if its grammar is in doubt. */
    private readonly zeros: NegativeZeros | null,
  ) {
    const both = unitsOf(text);
    const { units, pairs } = both;
    this.units = units;
    this.pairs = pairs;
    this.names = new MemberNames(text, units);
    this.numbers = new JsonNumbers(text, units, options);
    this.strings = new JsonStrings(text, both, zeros !== null);
  }

  document(): void {
    this.value(this.peek(), 0);
    this.peek();
    if (this.at < this.text.length) this.fail(0, 0, 'unexpected text after the document');
  }

  /** Reads the value that begins with the code unit c. @param depth number of objects and arrays around it */
  private value(c: number, depth: number): void {
    if (c === quote) this.string(depth);
    else if (c === brace) this.object(depth);
    else if (c === bracket) this.array(depth);
    else if ((c >= zero && c <= nine) || c === minus) this.number(depth);
    else this.word(c, depth);
  }

  private object(depth: number): void {
    if (depth >= json_depth_max) this.fail(depth, depth, `nested deeper than ${json_depth_max} levels`);
    const { names } = this;
    const first = names.count;
    this.open[depth] = first;
    this.zeros?.opened(depth);
    this.at++;
    let c = this.peek();
    if (c !== braceEnd) {
      for (;;) {
        if (c !== quote) this.fail(depth, depth + 1, 'expected a member name');
        this.name(depth);
        if (this.peek() !== colon) this.failAtEnd(depth, depth + 1, 'expected ":"');
        this.at++;
        this.value(this.peek(), depth + 1);
        c = this.peek();
        if (c !== comma) break;
        this.at++;
        c = this.peek();
      }
      if (c !== braceEnd) this.failAtEnd(depth, depth + 1, 'expected "}"');
      this.members += names.count - first;
      if (this.zeros === null) {
        if (names.firstRepeated(first, names.count) >= 0) this.fail(depth, depth + 1, 'duplicate member');
      } else if (!this.isInDoubt) this.isInDoubt = !names.mayBeDistinct(first, names.count);
      names.cutTo(first);
    }
    this.at++;
  }

  private array(depth: number): void {
    if (depth >= json_depth_max) this.fail(depth, depth, `nested deeper than ${json_depth_max} levels`);
    this.zeros?.opened(depth);
    this.at++;
    let c = this.peek();
    if (c !== bracketEnd) {
      for (let i = -1; ; i--) {
        this.open[depth] = i;
        this.value(c, depth + 1);
        c = this.peek();
        if (c !== comma) break;
        this.at++;
        c = this.peek();
      }
      if (c !== bracketEnd) this.failAtEnd(depth, depth, 'expected "]"');
    }
    this.at++;
  }

  private name(depth: number): void {
    const start = this.at;
    const end = this.strings.end(start);
    if (end < 0) this.fail(depth, depth + 1, this.strings.reason);
    this.names.add(start, end, this.strings.isEscaped);
    this.at = end;
  }

  private string(depth: number): void {
    const end = this.strings.end(this.at);
    if (end < 0) this.fail(depth, depth, this.strings.reason);
    this.at = end;
  }

  private number(depth: number): void {
    const end = this.numbers.end(this.at);
    if (end < 0) this.fail(depth, depth, this.numbers.reason);
    if (this.numbers.isNegativeZero) this.zeros?.clear(depth, this);
    this.at = end;
  }

  private word(c: number, depth: number): void {
    const { units, at } = this;
    const [second, third, fourth] = [units[at + 1], units[at + 2], units[at + 3]];
    // true, null and false
    if (c === 116 && second === 114 && third === 117 && fourth === 101) this.at = at + 4;
    else if (c === 110 && second === 117 && third === 108 && fourth === 108) this.at = at + 4;
    else if (c === 102 && second === 97 && third === 108 && fourth === 115 && units[at + 4] === 101) this.at = at + 5;
    else this.failAtEnd(depth, depth, 'expected a value');
  }

  /** Skips white space and returns the code unit after it; 0 at the end of the text. */
  private peek(): number {
    const c = this.units[this.at] ?? 0;
    return c > space ? c : this.skip();
  }

  private skip(): number {
    const { units } = this;
    let i = this.at;
    if (isSpace(units[i]) && isSpace(units[++i])) i = this.skipPairs(i + (i & 1));
    this.at = i;
    return units[i] ?? 0;
  }

  /** Returns where the white space ends that goes at least to this even index. */
  private skipPairs(from: number): number {
    const { pairs, units } = this;
    let pair = from >> 1;
    // In a text that is parsed, nothing but white space is so low.
    if (this.zeros !== null) while (areLow(pairs[pair] ?? -1)) pair++;
    else while (areBothSpaces(pairs[pair] ?? -1)) pair++;
    const i = 2 * pair;
    return isSpace(units[i]) ? i + 1 : i;
  }

  private failAtEnd(depth: number, openLevels: number, reason: string): never {
    this.fail(depth, openLevels, this.at < this.text.length ? reason : 'the document ends too early');
  }

  /**
   * Refuses the text for what is at the current position, unless a name was repeated before it.
   * @param depth number of containers that the path leads through @param openLevels number of containers whose names count
   */
  private fail(depth: number, openLevels: number, reason: string): never {
    let [repeated, level] = [-1, 0];
    for (let i = openLevels - 1; i >= 0; i--) {
      const first = this.open[i] ?? -1;
      const found = first < 0 ? -1 : this.names.firstRepeated(first, this.namesEnd(i, openLevels));
      if (found >= 0) [repeated, level] = [found, i];
    }
    if (repeated < 0) throw new JsonFault(this.path(depth, openLevels), reason, placeOf(this.text, this, this.at));
    const path = joined(this.path(level, openLevels), this.names.name(repeated));
    throw new JsonFault(path, 'duplicate member', placeOf(this.text, this, this.names.start(repeated)));
  }

  /** Returns the path that leads through the first open containers. */
  private path(levels: number, openLevels: number): string {
    let path = '';
    for (let i = 0; i < levels; i++) {
      const key = this.key(i, openLevels);
      path = typeof key === 'number' ? `${path}[${key}]` : joined(path, key);
    }
    return path;
  }

  /** Returns the name or index at which an open container is read. */
  key(level: number, openLevels: number): string | number {
    const first = this.open[level] ?? 0;
    return first < 0 ? -1 - first : this.names.name(this.namesEnd(level, openLevels) - 1);
  }

  /** Returns the index after the last name of an open object. */
  private namesEnd(level: number, openLevels: number): number {
    const { open } = this;
    for (let inner = level + 1; inner < openLevels; inner++) {
      const first = open[inner] ?? -1;
      if (first >= 0) return first;
    }
    return this.names.count;
  }
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
