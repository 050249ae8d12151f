/** The strings of a JSON text: where each ends, and whether it is well-formed. */
import type { JsonUnits } from './json-units.js';
import { decodedUnit, isLowSurrogate, isShortEscape, isSurrogate, unitLength } from './json-escapes.js';

const [quote, backslash, lowerD, space, surrogate_min] = [34, 92, 100, 32, 0xd800];
/** So many code units are looked at one by one before `indexOf` takes over. */
const short_string_units = 8;
/** The same after an escape, because escapes often follow each other. */
const after_escape_units = 64;
/** Nothing to search in a text that V8 stores with one byte for each character. */
const wide = /[\u0100-\uffff]/;
/** Subtracted from two code units at a time, sets the highest bit of each that is a control character. */
const two_spaces = 0x00200020;
const highest_bits = 0x80008000;

export class JsonStrings {
  /** Why `end` returned -1. */
  reason = '';
  /** Whether the last string has escapes. */
  isEscaped = false;
  /** Index of the next backslash. */
  private backslash = -1;
  private readonly isWide: boolean;
  /** From here on, code units of strings are looked at: surrogates, until the text is known to have no unpaired one. */
  private odd_min = surrogate_min;
  /** Null until a surrogate is read. */
  private isWellFormed: boolean | null = null;
  private readonly units: Uint16Array;
  private readonly pairs: Int32Array;

  /** @param isParsed whether `JSON.parse` accepts the text */
  constructor(
    private readonly text: string,
    { units, pairs }: JsonUnits,
    private readonly isParsed: boolean,
  ) {
    this.units = units;
    this.pairs = pairs;
    this.isWide = wide.test(text);
  }

  /** Returns where the string ends whose opening quote is at `at`, or -1 when it is none. Calls must go forward in the text. */
  end(at: number): number {
    const { units } = this;
    this.isEscaped = false;
    if (this.isWide) return this.wideEnd(at);
    const shortEnd = at + 1 + short_string_units;
    let i = at + 1;
    for (; i < shortEnd; i++) {
      const unit = units[i] ?? 0;
      if (unit === quote) return i + 1;
      if (unit < space || unit === backslash) break;
    }
    return this.narrowEnd(at, i);
  }

  /** Returns where a string ends, whose part before `from` is ordinary, in a text without surrogates. */
  private narrowEnd(at: number, from: number): number {
    const { text, units } = this;
    let i = from;
    for (;;) {
      if (units[i] !== backslash) {
        if (this.backslash < i) this.backslash = orEnd(text.indexOf('\\', i), text);
        const end = text.indexOf('"', i);
        if (end < 0) return this.refuse('malformed string');
        if (end < this.backslash) return this.checked(at, end);
        i = this.backslash;
      }
      const length = this.escapeLength(i);
      if (length === 0) return this.carefulEnd(this.isParsed ? i : at + 1);
      i += length;
      for (const shortEnd = Math.min(i + after_escape_units, text.length); i < shortEnd; ) {
        const unit = units[i] ?? 0;
        if (unit > backslash || (unit > quote && unit < backslash)) i++;
        else if (unit === quote) return this.checked(at, i);
        else if (unit !== backslash) i++;
        else if (isShortEscape(units[i + 1])) i += 2;
        else break;
      }
    }
  }

  /** The same for any text, in which `indexOf` may stop at half a character. */
  private wideEnd(at: number): number {
    const { units } = this;
    const { odd_min } = this;
    for (let i = at + 1; ; ) {
      const unit = units[i] ?? 0;
      if ((unit > backslash && unit < odd_min) || (unit > quote && unit < backslash)) i++;
      else if (unit === quote) return i + 1;
      else if (unit === backslash) {
        const length = this.escapeLength(i);
        if (length === 0) return this.carefulEnd(at + 1);
        i += length;
      } else if (unit < space) return this.refuse('malformed string');
      else if (unit < odd_min) i++;
      else return this.surrogateEnd(at);
    }
  }

  /** Returns where the string ends that has the first literal surrogate of the text, or a later one if the text is not well-formed. */
  private surrogateEnd(at: number): number {
    this.isWellFormed ??= this.text.isWellFormed();
    if (!this.isWellFormed) return this.carefulEnd(at + 1);
    this.odd_min = none_odd;
    return this.wideEnd(at);
  }

  /** Returns the length of the escape at this place; 0 for a malformed one and for one that stands for a surrogate. */
  private escapeLength(i: number): number {
    this.isEscaped = true;
    if (isShortEscape(this.units[i + 1])) return 2;
    // In a parsed text four digits follow, and those of a surrogate begin with a D.
    if (this.isParsed && ((this.units[i + 2] ?? 0) | 32) !== lowerD) return 6;
    const decoded = decodedUnit(this.units, i);
    return decoded < 0 || isSurrogate(decoded) ? 0 : 6;
  }

  /** Returns the end of the string whose closing quote is at `end`, if it has no control character. */
  private checked(at: number, end: number): number {
    return !this.isParsed && this.hasControl(at, end) ? this.refuse('malformed string') : end + 1;
  }

  private hasControl(at: number, end: number): boolean {
    const { units, pairs } = this;
    const lastPair = end >> 1;
    for (let pair = (at + 1) >> 1; pair < lastPair; pair++) {
      const two = pairs[pair] ?? 0;
      if (((two - two_spaces) & ~two & highest_bits) !== 0) return true;
    }
    return (units[end - 1] ?? 0) < space;
  }

  /** Returns the end of a string with surrogates or a malformed escape, each of which is looked at. */
  private carefulEnd(from: number): number {
    const { units } = this;
    let isPaired = true;
    for (let i = from; ; ) {
      const unit = units[i] ?? 0;
      if ((unit > backslash && unit < surrogate_min) || (unit > quote && unit < backslash)) i++;
      else if (unit === quote) return isPaired ? i + 1 : this.refuse('unpaired surrogate');
      else if (unit === backslash && isShortEscape(units[i + 1])) i += 2;
      else if (unit === backslash || isSurrogate(unit)) {
        const decoded = decodedUnit(units, i);
        if (decoded < 0) return this.refuse('malformed string');
        i += unitLength(units, i);
        if (!isSurrogate(decoded)) continue;
        if (isLowSurrogate(decoded) || !isLowSurrogate(decodedUnit(units, i))) isPaired = false;
        else i += unitLength(units, i);
      } else if (unit < space) return this.refuse('malformed string');
      else i++;
    }
  }

  private refuse(reason: string): number {
    this.reason = reason;
    return -1;
  }
}

/** Above every code unit. */
const none_odd = 0x10000;
const orEnd = (index: number, text: string): number => (index < 0 ? text.length : index);
