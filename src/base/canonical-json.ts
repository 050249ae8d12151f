/**
 * Canonical JSON, RFC 8785 (JCS). Numbers and strings print as ECMAScript does (sections 3.2.2.2 and 3.2.2.3);
 * members are sorted by UTF-16 code units (3.2.3). What JSON cannot carry is an error here, never dropped.
 */
import { json_depth_max } from './limits.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A value that has no canonical form. `path` says where it stands. */
export class CanonicalJsonError extends Error {
  constructor(readonly path: string, readonly reason: string) {
    super(`${path === '' ? 'value' : path}: ${reason}`);
    this.name = 'CanonicalJsonError';
  }
}

/**
 * The canonical text of a value.
 * @throws CanonicalJsonError for NaN, infinities, undefined, holes, lone surrogates, non-plain objects and depth over 64.
 */
export const canonicalJson = (value: unknown): string => print(value, '', 0);

function print(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case 'string':
      return printString(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw new CanonicalJsonError(path, `${value} is not a JSON number`);
      return String(value === 0 ? 0 : value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= json_depth_max) throw new CanonicalJsonError(path, `nested deeper than ${json_depth_max} levels`);
      return Array.isArray(value) ? printArray(value, path, depth) : printObject(value, path, depth);
    default:
      throw new CanonicalJsonError(path, `${typeof value} is not a JSON value`);
  }
}

function printString(text: string, path: string): string {
  if (!text.isWellFormed()) throw new CanonicalJsonError(path, 'unpaired surrogate');
  return JSON.stringify(text);
}

function printArray(list: readonly unknown[], path: string, depth: number): string {
  let out = '[';
  for (let i = 0; i < list.length; i++) {
    if (i > 0) out += ',';
    out += print(list[i], `${path}[${i}]`, depth + 1);
  }
  return `${out}]`;
}

function printObject(value: object, path: string, depth: number): string {
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) throw new CanonicalJsonError(path, 'not a plain object');
  const members = value as Record<string, unknown>;
  let out = '{';
  for (const key of Object.keys(members).sort()) {
    if (out.length > 1) out += ',';
    const at = path === '' ? key : `${path}.${key}`;
    out += `${printString(key, at)}:${print(members[key], at, depth + 1)}`;
  }
  return `${out}}`;
}
