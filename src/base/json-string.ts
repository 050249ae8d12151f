/** The strings of a JSON text: where each ends, whether it is well-formed, and the hash of a name. */
import { hash_seed, hashed_units_max, mix } from './json-names.js';

const [quote, backslash, lowerU, space] = [34, 92, 117, 32];
/** In longer strings a regular expression looks for control characters. */
const short_string_units = 48;
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
  /** Where the next backslash is: a string that ends before it ends at the next quote. */
  private backslash = -1;
  /** Where the next control character is. */
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
    const { text } = this;
    if (this.backslash < at) this.backslash = orEnd(text.indexOf('\\', at), text);
    const end = text.indexOf('"', at + 1);
    if (end < 0 || end > this.backslash) return this.escapedEnd(at);
    if (this.hasControl(at, end)) return this.refuse('malformed string');
    if (!this.isWellFormed && !text.slice(at, end).isWellFormed()) return this.refuse('unpaired surrogate');
    return end + 1;
  }

  private hasControl(at: number, end: number): boolean {
    if (end - at <= short_string_units) {
      let i = at;
      while (i < end && (this.units[i] ?? 0) >= space) i++;
      return i < end;
    }
    if (this.control < at) {
      control.lastIndex = at;
      this.control = control.test(this.text) ? control.lastIndex - 1 : this.text.length;
    }
    return this.control < end;
  }

  private escapedEnd(at: number): number {
    const { units } = this;
    let isPaired = true;
    for (let i = at + 1; ; ) {
      const unit = units[i] ?? 0;
      if ((unit > backslash && unit < 0xd800) || (unit > quote && unit < backslash)) i++;
      else if (unit === quote) return isPaired ? i + 1 : this.refuse('unpaired surrogate');
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

  /** Returns the hash of the string for which `end` was called last: its first code units, whether escaped or not. */
  hash(at: number, end: number): number {
    const { units } = this;
    let hash = hash_seed;
    if (this.backslash >= end) {
      const hashedEnd = Math.min(end - 1, at + 1 + hashed_units_max);
      for (let i = at + 1; i < hashedEnd; i++) hash = mix(hash, units[i] ?? 0);
      return hash;
    }
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
