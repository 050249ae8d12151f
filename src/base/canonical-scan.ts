/**
 * Checks whether a text is canonical JSON (RFC 8785), in one pass and without building its values: no space, members sorted by
 * UTF-16 code units and unique, strings with the shortest escapes, numbers as ECMAScript prints them.
 */
import { json_depth_max } from './limits.js';

/** Returns whether the text is the canonical form of an object: `canonicalJson(JSON.parse(text)) === text`. */
export const isCanonicalObject = (text: string): boolean => canonicalObjectEnd(text, 0, 0) === text.length;

/**
 * Returns where the canonical object that begins at `start` ends, or -1 when none does.
 * @param depth number of objects and arrays around it
 */
export function canonicalObjectEnd(text: string, start: number, depth: number): number {
  if (text.charCodeAt(start) !== brace) return -1;
  const scanner = new Scanner(text, start);
  return scanner.object(depth) ? scanner.end : -1;
}

const [quote, backslash, comma, colon, minus, brace, bracket] = [34, 92, 44, 58, 45, 123, 91];
const short_escapes = '"\\bfnrt';
/** Control characters without a short escape, in lower-case hexadecimal. */
const long_escape = /00(?:0[0-7bef]|1[0-9a-f])/y;
const number_token = /-?[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?/y;
const control = /[\u0000-\u001f]/;
const special = /[\u0000-\u001f\\\ud800-\udfff]/g;
/** An integer of at most this many digits is printed unchanged. */
const plain_digits_max = 15;

class Scanner {
  /** Whether the last string that was read contains an escape. */
  private escaped = false;
  /** Index of the next backslash, control character or surrogate. A string in which none of them comes first ends at the next quote. */
  private special: number;

  constructor(
    private readonly text: string,
    private at: number,
  ) {
    // Most texts have none, which these three tests find in half the time of the one below.
    const isPlain = !text.includes('\\') && text.isWellFormed() && !control.test(text);
    this.special = isPlain ? text.length : this.nextSpecial();
  }

  private nextSpecial(): number {
    special.lastIndex = this.at;
    return special.test(this.text) ? special.lastIndex - 1 : this.text.length;
  }

  get end(): number {
    return this.at;
  }

  object(depth: number): boolean {
    if (depth >= json_depth_max) return false;
    this.at++;
    if (this.take(125)) return true;
    let [before, beforeEnd, beforeEscaped] = [0, 0, false];
    do {
      const start = this.at;
      if (!this.string()) return false;
      const [end, escaped] = [this.at, this.escaped];
      if (beforeEnd > 0 && !this.isBefore(before, beforeEnd, start, end, beforeEscaped || escaped)) return false;
      [before, beforeEnd, beforeEscaped] = [start, end, escaped];
      if (!this.take(colon)) return false;
      if (!this.value(depth + 1)) return false;
    } while (this.take(comma));
    return this.take(125);
  }

  private array(depth: number): boolean {
    if (depth >= json_depth_max) return false;
    this.at++;
    if (this.take(93)) return true;
    do {
      if (!this.value(depth + 1)) return false;
    } while (this.take(comma));
    return this.take(93);
  }

  private value(depth: number): boolean {
    const c = this.text.charCodeAt(this.at);
    if (c === quote) return this.string();
    if (c === brace) return this.object(depth);
    if (c === bracket) return this.array(depth);
    if (c === minus || (c >= 48 && c <= 57)) return this.number(c);
    for (const word of ['true', 'false', 'null']) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return true;
    }
    return false;
  }

  private string(): boolean {
    const { text } = this;
    if (!this.take(quote)) return false;
    this.escaped = false;
    if (this.special < this.at) this.special = this.nextSpecial();
    const end = text.indexOf('"', this.at);
    if (end < 0) return false;
    if (end < this.special) {
      this.at = end + 1;
      return true;
    }
    for (let i = this.at; ; i++) {
      const c = text.charCodeAt(i);
      if (c === quote) {
        this.at = i + 1;
        return true;
      }
      if (c === backslash) {
        this.escaped = true;
        const length = this.escapeLength(i + 1);
        if (length === 0) return false;
        i += length;
      } else if (c >= 0xd800 && c <= 0xdfff) {
        const low = text.charCodeAt(i + 1);
        if (c > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return false;
        i++;
      } else if (!(c >= 32)) return false; // a raw control character, or NaN: the text ends inside the string
    }
  }

  private escapeLength(at: number): number {
    const c = this.text[at];
    if (c === undefined) return 0;
    if (short_escapes.includes(c)) return 1;
    long_escape.lastIndex = at + 1;
    return c === 'u' && long_escape.test(this.text) ? 5 : 0;
  }

  private number(first: number): boolean {
    const { text } = this;
    let i = this.at;
    for (let c = first; c >= 48 && c <= 57; c = text.charCodeAt(++i));
    const digits = i - this.at;
    const next = text.charCodeAt(i);
    if (digits > 0 && digits <= plain_digits_max && next !== 46 && next !== 101 && (first !== 48 || digits === 1)) {
      this.at = i;
      return true;
    }
    number_token.lastIndex = this.at;
    const token = number_token.exec(text)?.[0];
    if (token === undefined || String(Number(token)) !== token) return false;
    this.at += token.length;
    return true;
  }

  /** Returns whether the name at a sorts before the name at b; both ranges include their quotes. */
  private isBefore(a: number, aEnd: number, b: number, bEnd: number, escaped: boolean): boolean {
    const { text } = this;
    if (escaped) return String(JSON.parse(text.slice(a, aEnd))) < String(JSON.parse(text.slice(b, bEnd)));
    const [length, other] = [aEnd - a - 2, bEnd - b - 2];
    for (let i = 1; i <= length && i <= other; i++) {
      const difference = text.charCodeAt(a + i) - text.charCodeAt(b + i);
      if (difference !== 0) return difference < 0;
    }
    return length < other;
  }

  private take(c: number): boolean {
    if (this.text.charCodeAt(this.at) !== c) return false;
    this.at++;
    return true;
  }
}
