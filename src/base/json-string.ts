/** The strings of a JSON text: where each ends, whether it is well-formed, and the hash of a name. */
import { hash_seed, hashed_units_max, mix } from './json-names.js';

const [quote, backslash, lowerU, space, surrogate_min] = [34, 92, 117, 32, 0xd800];
/** Longer strings are skipped by `indexOf`, and a regular expression looks for control characters. */
const short_string_units = 16;
const control = /[\u0000-\u001f]/g;

const hexDigits = new Int8Array(128).fill(-1);
for (const digit of '0123456789abcdefABCDEF') hexDigits[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
/** What a character after a backslash stands for, or 0. */
const escapes = new Uint8Array(128);
for (const [i, name] of [...'"\\/bfnrt'].entries()) escapes[name.charCodeAt(0)] = '"\\/\b\f\n\r\t'.charCodeAt(i);

const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

export class JsonStrings {
  /** Why `end` returned -1. */
  reason = '';
  /** The hash of the last name. */
  hash = 0;
  /** Index of the next backslash. A string that begins and closes before it ends at the next quote. */
  private backslash = -1;
  /** Index of the next control character. */
  private control = -1;
  private readonly isWellFormed: boolean;

  constructor(
    private readonly text: string,
    private readonly units: Uint16Array,
  ) {
    this.isWellFormed = text.isWellFormed();
  }

  /** Returns where the string ends whose opening quote is at `at`, or -1 when it is none. Calls must go forward in the text. */
  end(at: number): number {
    const { units } = this;
    let i = at + 1;
    for (; i <= at + short_string_units; i++) {
      const unit = units[i] ?? 0;
      if (unit === quote) return i + 1;
      if (unit < space || unit === backslash) return this.escapedEnd(i);
      if (unit >= surrogate_min) break;
    }
    return this.longEnd(i);
  }

  /** Returns what `end` does, and sets `hash`. */
  nameEnd(at: number): number {
    const { units } = this;
    let hash = hash_seed;
    let i = at + 1;
    for (; i <= at + hashed_units_max; i++) {
      const unit = units[i] ?? 0;
      if (unit < space || unit === backslash || unit >= surrogate_min) break;
      if (unit === quote) {
        this.hash = hash;
        return i + 1;
      }
      hash = mix(hash, unit);
    }
    const end = this.longEnd(i);
    if (end >= 0) this.hash = this.hashOf(at, end);
    return end;
  }

  /** Returns where the string ends of which the part before `from` is ordinary. Finds the quote by `indexOf` when it has no escapes. */
  private longEnd(from: number): number {
    const { text } = this;
    if (this.backslash < from) this.backslash = orEnd(text.indexOf('\\', from), text);
    const end = text.indexOf('"', from);
    if (end < 0 || end > this.backslash) return this.escapedEnd(from);
    if (this.control < from) {
      control.lastIndex = from;
      this.control = control.test(text) ? control.lastIndex - 1 : text.length;
    }
    if (this.control < end) return this.refuse('malformed string');
    if (!this.isWellFormed && !text.slice(from, end).isWellFormed()) return this.refuse('unpaired surrogate');
    return end + 1;
  }

  /** @param from no escape begins before it in the string */
  private escapedEnd(from: number): number {
    const { units } = this;
    let isPaired = true;
    for (let i = from; ; ) {
      const unit = units[i] ?? 0;
      if ((unit > backslash && unit < surrogate_min) || (unit > quote && unit < backslash)) i++;
      else if (unit === quote) return isPaired ? i + 1 : this.refuse('unpaired surrogate');
      else if (unit === backslash && escapes[units[i + 1] ?? 0]) i += 2;
      else if (unit === backslash || isSurrogate(unit)) {
        const decoded = this.decoded(i);
        if (decoded < 0) return this.refuse('malformed string');
        i += this.unitLength(i);
        if (!isSurrogate(decoded)) continue;
        if (isLowSurrogate(decoded) || !isLowSurrogate(this.decoded(i))) isPaired = false;
        else i += this.unitLength(i);
      } else if (unit < space) return this.refuse('malformed string');
      else i++;
    }
  }

  /** Returns the code unit that is at this place of a string, escaped or not; a negative number for a malformed escape. */
  private decoded(i: number): number {
    const { units } = this;
    const unit = units[i] ?? 0;
    if (unit !== backslash) return unit;
    const escape = units[i + 1] ?? 0;
    if (escape !== lowerU) return escape < 128 ? escapes[escape] || -1 : -1;
    return (
      (hexDigit(units[i + 2]) << 12) | (hexDigit(units[i + 3]) << 8) | (hexDigit(units[i + 4]) << 4) | hexDigit(units[i + 5])
    );
  }

  /** Returns how many code units of the text stand for the one at this place. */
  private unitLength(i: number): number {
    if (this.units[i] !== backslash) return 1;
    return this.units[i + 1] === lowerU ? 6 : 2;
  }

  /** Returns the hash of the first code units of the last string, whether escaped or not. */
  private hashOf(at: number, end: number): number {
    let hash = hash_seed;
    let i = at + 1;
    for (let count = 0; i < end - 1 && count < hashed_units_max; count++) {
      hash = mix(hash, this.decoded(i));
      i += this.unitLength(i);
    }
    return hash;
  }

  private refuse(reason: string): number {
    this.reason = reason;
    return -1;
  }
}

const orEnd = (index: number, text: string): number => (index < 0 ? text.length : index);
const hexDigit = (unit: number | undefined): number => (unit !== undefined && unit < 128 ? (hexDigits[unit] ?? -1) : -1);
