/**
 * Canonical JSON, RFC 8785 (JCS). Numbers and strings print as ECMAScript does (sections 3.2.2.2 and 3.2.2.3);
 * members are sorted by UTF-16 code units (3.2.3). A value that JSON cannot represent is an error, never dropped.
 */
import { json_depth_max } from './limits.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The error for a value without a canonical form, with the value's path. */
export class CanonicalJsonError extends Error {
  path = '';
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'CanonicalJsonError';
  }

  /** Adds the step that leads to the faulty value; called while the error travels up. */
  under(step: string): this {
    this.path = this.path === '' || this.path.startsWith('[') ? step + this.path : `${step}.${this.path}`;
    this.message = `${this.path}: ${this.reason}`;
    return this;
  }
}

/**
 * Returns the canonical text of a value.
 * @example canonicalJson({ b: 1.0, a: [true] }) // {"a":[true],"b":1}
 * @param depth the number of objects and lists that the text will be in
 * @throws CanonicalJsonError for NaN, infinities, undefined, holes, lone surrogates, non-plain objects and depth over 64.
 */
export const canonicalJson = (value: unknown, depth = 0): string => print(value, depth);

/** Returns the canonical text of a value, or null when it has none. */
export function canonicalOrNull(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return null;
    throw error;
  }
}

function print(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return printString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new CanonicalJsonError(`${value} is not a JSON number`);
      return value === 0 ? '0' : `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= json_depth_max) throw new CanonicalJsonError(`nested deeper than ${json_depth_max} levels`);
      return Array.isArray(value) ? printArray(value, depth) : printObject(value, depth);
    default:
      throw new CanonicalJsonError(`${typeof value} is not a JSON value`);
  }
}

// Most strings need no escape: this test takes a third of the time of JSON.stringify.
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

function printString(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new CanonicalJsonError('unpaired surrogate');
  return JSON.stringify(text);
}

/** Names of members, printed: most documents have the same ones. */
const printed = new Map<string, string>();
const printed_max = 1_024;
const printed_length_max = 64;

function printKey(key: string): string {
  const known = printed.get(key);
  if (known !== undefined) return known;
  const text = `${printString(key)}:`;
  if (printed.size < printed_max && key.length <= printed_length_max) printed.set(key, text);
  return text;
}

function printArray(list: readonly unknown[], depth: number): string {
  let out = '[';
  for (let i = 0; i < list.length; i++) {
    if (i > 0) out += ',';
    try {
      out += print(list[i], depth + 1);
    } catch (error) {
      throw error instanceof CanonicalJsonError ? error.under(`[${i}]`) : error;
    }
  }
  return `${out}]`;
}

function printObject(value: object, depth: number): string {
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) throw new CanonicalJsonError('not a plain object');
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members);
  if (!isSorted(keys)) keys.sort();
  let out = '{';
  let separator = '';
  for (const key of keys) {
    try {
      out += separator + printKey(key) + print(members[key], depth + 1);
    } catch (error) {
      throw error instanceof CanonicalJsonError ? error.under(key) : error;
    }
    separator = ',';
  }
  return `${out}}`;
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] ?? '') > (keys[i] ?? '')) return false;
  return true;
}
