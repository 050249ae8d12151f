/**
 * A strict JSON reader (RFC 8259). It refuses what `JSON.parse` lets pass: duplicate member names, unpaired surrogates, nesting over 64 levels,
 * numbers that overflow, and integers beyond ±(2^53 − 1). A refusal names the path, line and column of the first fault. -0 is read as 0.
 */
import * as E from 'fp-ts/lib/Either.js';
import { fromUtf8 } from './text.js';
import type { Json } from './canonical-json.js';
import { json_depth_max } from './limits.js';
import { type Refusal, type RefusalCode, RefusalError, refuse, type Result } from './refusal.js';

export interface JsonOptions {
  /** Integers of 2^53 and more: `refuse` (the default, for JSON from outside) or `round` (foreign text that is only hashed). */
  readonly bigIntegers?: 'refuse' | 'round';
  /** Numbers that no double holds: `refuse` (the default), or `infinite`, for a codec that tells where one stands that is not finite. */
  readonly overflow?: 'refuse' | 'infinite';
  /** A byte order mark at the beginning: `refuse` (the default), or `ignore` in files that people write. */
  readonly byteOrderMark?: 'refuse' | 'ignore';
  /** How many values the document may have, itself and every container counted; unlimited by default. */
  readonly valuesMax?: number;
}

/** A value and where it is, so that a foreign document can be hashed as it is instead of being printed again. */
export interface JsonNode {
  readonly value: Json;
  /** Range in the text, in UTF-16 code units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Members of an object, in the order of the text; null for other values, as are the items. */
  readonly members: ReadonlyMap<string, JsonNode> | null;
  readonly items: readonly JsonNode[] | null;
}

/** Parses UTF-8 bytes. */
export function parseJsonBytes(bytes: Uint8Array, options: JsonOptions = {}): Result<Json> {
  const text = fromUtf8(bytes);
  return text === null ? refuse({ code: 'malformed', detail: 'not valid UTF-8' }) : parseJson(text, options);
}

export const parseJson = (text: string, options: JsonOptions = {}): Result<Json> =>
  E.tryCatch(() => new Reader(text, options, false).document(), refusalOf);

/** Parses a text and keeps the ranges of its values. */
export const parseJsonNode = (text: string, options: JsonOptions = {}): Result<JsonNode> =>
  E.tryCatch(() => {
    const reader = new Reader(text, options, true);
    reader.document();
    return reader.last;
  }, refusalOf);

function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  throw error;
}

const words = new Map(Object.entries({ true: true, false: false, null: null }));
const scalarToken = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapeOrControl = /[\\\u0000-\u001f]/;
/** V8 copies a part of so many code units. A longer one would keep the whole text in memory. */
const copied_units_max = 12;
const ownMember = { enumerable: true, writable: true, configurable: true } as const;

class Reader {
  /** The value that was read last, if nodes are made. */
  last: JsonNode = { value: null, start: 0, end: 0, members: null, items: null };
  private at = 0;
  private values = 0;
  /** The name or index of the value that is read in each open container. */
  private readonly keys: (string | number)[] = [];

  constructor(
    private readonly text: string,
    private readonly options: JsonOptions,
    private readonly makesNodes: boolean,
  ) {}

  document(): Json {
    const hasMark = this.text.startsWith('\ufeff');
    if (hasMark && this.options.byteOrderMark !== 'ignore') this.fail('a byte order mark (BOM) is not allowed');
    if (hasMark) this.at++;
    const value = this.value();
    if (this.peek() !== undefined) this.fail('unexpected text after the document');
    return value;
  }

  private value(): Json {
    const c = this.peek();
    const { valuesMax } = this.options;
    if (this.values++ === valuesMax) this.fail(`more than ${valuesMax} values in the document`, this.at, this.keys, 'invalid');
    const start = this.at;
    if (c === '{') return this.object(start);
    if (c === '[') return this.array(start);
    return this.made(c === '"' ? this.string() : this.numberOrWord(), start);
  }

  private made(value: Json, start: number, members: JsonNode['members'] = null, items: JsonNode['items'] = null): Json {
    if (this.makesNodes) this.last = { value, start, end: this.at, members, items };
    return value;
  }

  private object(start: number): Json {
    const value: Record<string, Json> = {};
    const members = this.makesNodes ? new Map<string, JsonNode>() : null;
    for (let hasMember = this.opens('}'); hasMember; hasMember = this.take(',')) {
      const name = this.newName(value);
      this.expect(':');
      this.keys.push(name);
      const member = this.value();
      // A member may be named so, too.
      if (name === '__proto__') Object.defineProperty(value, name, { value: member, ...ownMember });
      else value[name] = member;
      this.keys.pop();
      members?.set(name, this.last);
    }
    this.expect('}');
    return this.made(value, start, members);
  }

  /** Reads the name of a member that the object does not have yet. */
  private newName(object: object): string {
    if (this.peek() !== '"') this.fail('expected a member name');
    const start = this.at;
    const name = this.string();
    if (Object.hasOwn(object, name)) this.fail('duplicate member', start, [...this.keys, name]);
    return name;
  }

  private array(start: number): Json {
    const value: Json[] = [];
    const items: JsonNode[] | null = this.makesNodes ? [] : null;
    for (let hasItem = this.opens(']'); hasItem; hasItem = this.take(',')) {
      this.keys.push(value.length);
      value.push(this.value());
      this.keys.pop();
      items?.push(this.last);
    }
    this.expect(']');
    return this.made(value, start, null, items);
  }

  /** Reads the bracket of a container. Returns whether something is in it. */
  private opens(end: string): boolean {
    if (this.keys.length >= json_depth_max) this.fail(`nested deeper than ${json_depth_max} levels`);
    this.at++;
    return this.peek() !== end;
  }

  private take(c: string): boolean {
    if (this.peek() !== c) return false;
    this.at++;
    return true;
  }

  private expect(c: string): void {
    if (!this.take(c)) this.failUnlessEnded(`expected "${c}"`);
  }

  /** Returns the character after white space; undefined at the end of the text. */
  private peek(): string | undefined {
    let c = this.text[this.at];
    while (c === ' ' || c === '\n' || c === '\r' || c === '\t') c = this.text[++this.at];
    return c;
  }

  private string(): string {
    const { text, at } = this;
    let end = at;
    do end = text.indexOf('"', end + 1);
    while (isEscaped(text, end));
    const token = text.slice(at, end + 1);
    const isShort = token.length > 1 && token.length <= copied_units_max + 2 && !escapeOrControl.test(token);
    let value: string;
    try {
      value = isShort ? token.slice(1, -1) : String(JSON.parse(token));
    } catch {
      this.fail('malformed string');
    }
    if (!value.isWellFormed()) this.fail('unpaired surrogate');
    this.at = end + 1;
    return value;
  }

  private numberOrWord(): Json {
    scalarToken.lastIndex = this.at;
    if (!scalarToken.test(this.text)) this.failUnlessEnded('expected a value');
    const end = scalarToken.lastIndex;
    const token = this.text.slice(this.at, end);
    const word = words.get(token);
    const number = word === undefined ? Number(token) : 0;
    if (this.options.overflow !== 'infinite' && !Number.isFinite(number)) this.fail('number out of range');
    const isBig = Number.isInteger(number) && !Number.isSafeInteger(number);
    if (isBig && this.options.bigIntegers !== 'round')
      this.fail('integer beyond 2^53 - 1; use a smaller number, or a string if allowed');
    this.at = end;
    if (word !== undefined) return word;
    return number === 0 ? 0 : number;
  }

  private failUnlessEnded(reason: string): never {
    this.fail(this.at < this.text.length ? reason : 'the document ends too early');
  }

  private fail(reason: string, offset = this.at, keys = this.keys, code: RefusalCode = 'malformed'): never {
    const step = (key: string | number): string => (typeof key === 'number' ? `[${key}]` : `.${key}`);
    const path = keys.reduce<string>((outer, key) => (outer === '' && typeof key === 'string' ? key : outer + step(key)), '');
    const before = this.text.slice(0, offset);
    const message = `${reason} (line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')})`;
    throw new RefusalError(code, path === '' ? message : `${path}: ${message}`, { errors: [{ path, message }] });
  }
}

/** Returns whether an odd number of backslashes is before the character. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}
