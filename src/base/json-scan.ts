/**
 * Scans a text for what the strict reader refuses (json-parse.ts), without building its values. A scan takes less time than
 * `JSON.parse` on the same text: strings without escapes are skipped by `indexOf`, and names are compared by their hashes.
 */
import { MemberNames } from './json-names.js';
import { JsonNumbers, type NumberOptions } from './json-number.js';
import { JsonStrings } from './json-string.js';
import { textOfUnits, unitsOf } from './json-units.js';
import { json_depth_max } from './limits.js';

/** The first fault of a text. */
export class JsonFault extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
    readonly place: Place,
  ) {
    super(reason);
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
  /** Whether a control character that is valid nowhere comes before it. */
  readonly isAfterInvalid: boolean;
}

/**
 * Scans the whole text, except that any control character counts as white space: `JSON.parse` refuses those that are none. Returns the text to
 * parse, in which the sign of each negative zero is a space.
 * @throws JsonFault with the first fault
 */
export function scanJson(text: string, options: NumberOptions): string {
  try {
    return new Scanner(text, options, false).document();
  } catch (error) {
    throw error instanceof JsonFault && error.place.isAfterInvalid ? firstFault(text, options) : error;
  }
}

/** Returns the first fault of a text that is not strict JSON. */
export function firstFault(text: string, options: NumberOptions): JsonFault {
  try {
    new Scanner(text, options, true).document();
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
  throw new Error('JSON.parse and the scan disagree');
}

const [quote, comma, colon, minus, zero, nine] = [34, 44, 58, 45, 48, 57];
const [brace, braceEnd, bracket, bracketEnd, space, newline, carriageReturn, tab] = [123, 125, 91, 93, 32, 10, 13, 9];
/** Runs of white space longer than this are skipped by a regular expression. */
const short_space_units = 48;
const visible = /[\u0021-\uffff]/g;
const control = /[\u0000-\u001f]/g;

class Scanner {
  private at = 0;
  private readonly units: Uint16Array;
  private readonly names: MemberNames;
  private readonly numbers: JsonNumbers;
  private readonly strings: JsonStrings;
  /** For each open container: of an object, the index of its first name; of an array, -1 less the index of the item that is read. */
  private readonly open: number[] = [];

  constructor(
    private readonly text: string,
    options: NumberOptions,
    private readonly isExact: boolean,
  ) {
    this.units = unitsOf(text);
    this.names = new MemberNames(text);
    this.numbers = new JsonNumbers(text, this.units, options);
    this.strings = new JsonStrings(text, this.units);
  }

  document(): string {
    this.value(this.peek(), 0);
    this.peek();
    const { text } = this;
    if (this.at < text.length) this.fail(0, 0, 'unexpected text after the document');
    return this.numbers.hasNegativeZero ? textOfUnits(this.units, text.length) : text;
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
      if (names.firstRepeated(first, names.count) >= 0) this.fail(depth, depth + 1, 'duplicate member');
      names.cutTo(first);
    }
    this.at++;
  }

  private array(depth: number): void {
    if (depth >= json_depth_max) this.fail(depth, depth, `nested deeper than ${json_depth_max} levels`);
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
    const end = this.strings.nameEnd(start);
    if (end < 0) this.fail(depth, depth + 1, this.strings.reason);
    this.names.add(this.strings.hash, start, end);
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
    if (this.isExact) while (i < this.text.length && isSpace(units[i])) i++;
    else {
      const shortEnd = Math.min(i + short_space_units, this.text.length);
      while (i < shortEnd && (units[i] ?? 0) <= space) i++;
      if (i === shortEnd) i = searchFrom(visible, this.text, i);
    }
    this.at = i;
    return units[i] ?? 0;
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
    if (repeated < 0) throw new JsonFault(this.path(depth, openLevels), reason, placeOf(this.text, this.units, this.at));
    const path = joined(this.path(level, openLevels), this.names.name(repeated));
    throw new JsonFault(path, 'duplicate member', placeOf(this.text, this.units, this.names.start(repeated)));
  }

  /** Returns the path that leads through the first open containers. */
  private path(levels: number, openLevels: number): string {
    let path = '';
    for (let i = 0; i < levels; i++) {
      const first = this.open[i] ?? 0;
      path = first < 0 ? `${path}[${-1 - first}]` : joined(path, this.names.name(this.namesEnd(i, openLevels) - 1));
    }
    return path;
  }

  /** Returns the index after the last name of an open object. */
  private namesEnd(level: number, openLevels: number): number {
    const inner = this.open.slice(level + 1, openLevels).find((first) => first >= 0);
    return inner ?? this.names.count;
  }
}

const isSpace = (c: number | undefined): boolean => c === space || c === newline || c === carriageReturn || c === tab;
const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns where the pattern is found from `start` on; after the text when it is not. */
function searchFrom(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

function placeOf(text: string, units: Uint16Array, offset: number): Place {
  let [line, lineStart, isAfterInvalid] = [1, 0, false];
  // Most texts have no control character, which the regular expression finds faster.
  for (let i = searchFrom(control, text, 0); i < offset; i++) {
    const c = units[i] ?? 0;
    if (c >= space) continue;
    if (c === newline) {
      line++;
      lineStart = i + 1;
    } else if (!isSpace(c)) isAfterInvalid = true;
  }
  return { line, column: offset - lineStart + 1, isAfterInvalid };
}
