/**
 * Checks whether a text is canonical JSON (RFC 8785), in one pass and without building its values: no space, members sorted by
 * UTF-16 code units and unique, strings with the shortest escapes, numbers as ECMAScript prints them. The result equals
 * `canonicalJson(JSON.parse(text)) === text` and takes a third of the time.
 */
import { json_depth_max } from './limits.js';

/** Members of the outermost object: from the name to the text of the value. */
export type TopLevel = ReadonlyMap<string, string>;

/** Returns the outermost object's members, or null when the text is not the canonical form of an object. */
export function scanCanonical(text: string): TopLevel | null {
  const scanner = new Scanner(text);
  const top = new Map<string, string>();
  return text.charCodeAt(0) === brace && scanner.object(0, top) && scanner.atEnd() ? top : null;
}

const [quote, backslash, comma, colon, minus, brace, bracket] = [34, 92, 44, 58, 45, 123, 91];
const short_escapes = '"\\bfnrt';
/** Control characters without a short escape, in lower-case hexadecimal. */
const long_escape = /00(?:0[0-7bef]|1[0-9a-f])/y;
const number_token = /-?[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?/y;
/** An integer of at most this many digits is printed unchanged. */
const plain_digits_max = 15;

class Scanner {
  private at = 0;
  /** Whether the last string that was read contains an escape. */
  private escaped = false;

  constructor(private readonly text: string) {}

  atEnd(): boolean {
    return this.at === this.text.length;
  }

  object(depth: number, top: Map<string, string> | null): boolean {
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
      const from = this.at;
      if (!this.value(depth + 1)) return false;
      if (top !== null && !escaped) top.set(this.text.slice(start + 1, end - 1), this.text.slice(from, this.at));
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
    if (c === brace) return this.object(depth, null);
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
