/**
 * A second strict JSON reader, with which that of src/base/json.ts is compared: it makes a node for each value, carries the path along, and reads strings
 * by a pattern of the grammar.
 */
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../src/base/canonical-json.js';
import type { JsonNode, JsonOptions } from '../../../src/base/json.js';
import { json_depth_max } from '../../../src/base/limits.js';
import type { Refusal } from '../../../src/base/refusal.js';
import type { Result } from '../../../src/base/result.js';

class JsonError extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
    readonly offset: number,
  ) {
    super(reason);
  }
}

/** Parses a text and keeps the ranges of its values. */
export function parseJsonNode(text: string, options: JsonOptions): Result<JsonNode> {
  try {
    return E.right(new Reader(text, options).document());
  } catch (error) {
    if (error instanceof JsonError) return E.left(refusalOf(text, error));
    throw error;
  }
}

function refusalOf(text: string, error: JsonError): Refusal {
  const before = text.slice(0, error.offset);
  const line = before.split('\n').length;
  const column = error.offset - before.lastIndexOf('\n');
  const message = `${error.reason} (line ${line}, column ${column})`;
  return {
    code: 'malformed',
    detail: error.path === '' ? message : `${error.path}: ${message}`,
    errors: [{ path: error.path, message }],
  };
}

const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const space = /[ \t\n\r]*/y;

class Reader {
  private at = 0;
  constructor(
    private readonly text: string,
    private readonly options: JsonOptions,
  ) {}

  document(): JsonNode {
    const node = this.value('', 0);
    this.skip();
    if (this.at < this.text.length) this.fail('', 'unexpected text after the document');
    return node;
  }

  private value(path: string, depth: number): JsonNode {
    this.skip();
    const c = this.text[this.at];
    if (c === '{') return this.object(path, depth);
    if (c === '[') return this.array(path, depth);
    const start = this.at;
    const leaf = (value: Json): JsonNode => ({ value, start, end: this.at, members: null, items: null });
    if (c === '"') return leaf(this.string(path));
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return leaf(value);
      }
    }
    return leaf(this.number(path));
  }

  private object(path: string, depth: number): JsonNode {
    const start = this.at;
    const value: Record<string, Json> = {};
    const members = new Map<string, JsonNode>();
    this.open(path, depth);
    if (this.peek() !== '}') {
      do {
        this.skip();
        if (this.text[this.at] !== '"') this.fail(path, 'expected a member name');
        const nameAt = this.at;
        const name = this.string(path);
        const memberPath = path === '' ? name : `${path}.${name}`;
        if (members.has(name)) this.fail(memberPath, 'duplicate member', nameAt);
        this.expect(':', path);
        const node = this.value(memberPath, depth + 1);
        members.set(name, node);
        Object.defineProperty(value, name, { value: node.value, enumerable: true, writable: true, configurable: true });
      } while (this.more());
    }
    this.expect('}', path);
    return { value, start, end: this.at, members, items: null };
  }

  private array(path: string, depth: number): JsonNode {
    const start = this.at;
    const items: JsonNode[] = [];
    this.open(path, depth);
    if (this.peek() !== ']') {
      do {
        items.push(this.value(`${path}[${items.length}]`, depth + 1));
      } while (this.more());
    }
    this.expect(']', path);
    return { value: items.map((item) => item.value), start, end: this.at, members: null, items };
  }

  private open(path: string, depth: number): void {
    if (depth >= json_depth_max) this.fail(path, `nested deeper than ${json_depth_max} levels`);
    this.at++;
  }

  private number(path: string): number {
    numberToken.lastIndex = this.at;
    const token = numberToken.exec(this.text)?.[0];
    if (token === undefined) this.fail(path, this.at < this.text.length ? 'expected a value' : 'the document ends too early');
    const value = Number(token);
    const { bigIntegers = 'refuse', overflow = 'refuse' } = this.options;
    if (overflow === 'refuse' && !Number.isFinite(value)) this.fail(path, 'number out of range');
    if (bigIntegers === 'refuse' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.fail(path, 'integer beyond 2^53 - 1; write it as a string');
    }
    this.at += token.length;
    return value === 0 ? 0 : value;
  }

  private string(path: string): string {
    stringToken.lastIndex = this.at;
    const token = stringToken.exec(this.text)?.[0];
    if (token === undefined) this.fail(path, 'malformed string');
    const value: unknown = token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
    if (typeof value !== 'string' || !value.isWellFormed()) this.fail(path, 'unpaired surrogate');
    this.at += token.length;
    return value;
  }

  private more(): boolean {
    if (this.peek() !== ',') return false;
    this.at++;
    return true;
  }

  private expect(c: string, path: string): void {
    if (this.peek() !== c) this.fail(path, this.at < this.text.length ? `expected "${c}"` : 'the document ends too early');
    this.at++;
  }

  private peek(): string | undefined {
    this.skip();
    return this.text[this.at];
  }

  private skip(): void {
    space.lastIndex = this.at;
    space.exec(this.text);
    this.at = space.lastIndex;
  }

  private fail(path: string, reason: string, offset = this.at): never {
    throw new JsonError(path, reason, offset);
  }
}
