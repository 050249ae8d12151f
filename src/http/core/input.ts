/** Decodes the parts of a request for its endpoint: first JSON (400), then shape (422). Input values are never repeated. */
import * as E from 'fp-ts/lib/Either.js';
import type { ParsedUrlQuery } from 'node:querystring';
import { parseJsonBytes } from '../../base/json-parse.js';
import { invalid } from '../../base/refusal.js';
import { unwrap } from '../../base/result.js';
import { decode, object, type ObjectType } from '../../codec/kit.js';
import type { Endpoint } from './endpoint.js';
import { Denied } from './problem.js';
import { valuesOf, type RawHeaders } from './headers.js';

interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParsedUrlQuery;
  readonly headers: RawHeaders;
  /** Of a mutation. */
  readonly body: Uint8Array | null;
}

export interface Decoded {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

const nothing = object('Nothing', {});
const empty = {};

/** Throws a denial or a refusal. */
export function readInput(endpoint: Endpoint, { params, query, headers, body }: Parts): Decoded {
  const json = readBodyValue(endpoint, headers, body);
  return {
    params: readTexts(endpoint.params, params),
    query: endpoint.ignoresQuery === true ? empty : readTexts(endpoint.query, query),
    headers: readHeaders(endpoint.headers, headers),
    body: readShape(endpoint, json),
  };
}

/** Where none are wanted and none came, which is so most often, there is nothing to decode. */
function readTexts(shape: ObjectType<unknown> | undefined, texts: Readonly<ParsedUrlQuery>): unknown {
  if (shape === undefined && Object.keys(texts).length === 0) return empty;
  return unwrap(decode(shape ?? nothing, { ...texts }));
}

function readBodyValue({ body: expected, bodyRule }: Endpoint, headers: RawHeaders, body: Uint8Array | null): unknown {
  if (expected === 'bytes') return body ?? new Uint8Array();
  if (expected === undefined) return body;
  if (bodyRule === undefined) requireJson(headers);
  if (bodyRule === 'optional' && (body ?? []).length === 0) return null;
  // With a rule of its own a number is judged by its codec, whatever its size.
  const options = bodyRule === undefined ? {} : ({ bigIntegers: 'round', overflow: 'infinite' } as const);
  return unwrap(parseJsonBytes(body ?? new Uint8Array(), options));
}

function readShape({ body: expected, bodyRule }: Endpoint, value: unknown): unknown {
  if (expected === 'bytes' || bodyRule === 'own') return value;
  if (bodyRule === 'optional' && value === null) return null;
  if (expected !== undefined) return unwrap(decode(expected, value));
  if (value instanceof Uint8Array && value.length > 0) return unwrap(E.left(invalid('', 'the body must be empty')));
  return null;
}

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:"utf-8"|utf-8)[ \t]*)?$/i;

/** A body without a type is taken for JSON; one that says something else is not. */
function requireJson(headers: RawHeaders): void {
  const types = valuesOf(headers, 'content-type');
  const encodings = valuesOf(headers, 'content-encoding').filter((encoding) => encoding.toLowerCase() !== 'identity');
  if (types.every((type) => jsonType.test(type)) && encodings.length === 0) return;
  throw new Denied({ code: 'unsupported_media_type', detail: 'the body must be application/json in UTF-8, without an encoding' });
}

/** The fields that the endpoint reads, each at most once. */
function readHeaders(shape: ObjectType<unknown> | undefined, raw: RawHeaders): unknown {
  if (shape === undefined) return empty;
  const { fields } = shape;
  const found: Record<string, string> = {};
  for (const name of Object.keys(fields)) {
    const [value, ...more] = valuesOf(raw, name);
    if (more.length > 0) unwrap(E.left(invalid(name, 'must be sent once')));
    if (value !== undefined) found[name] = value;
  }
  return unwrap(decode(shape, found));
}
