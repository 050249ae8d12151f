/**
 * Decodes the parts of a request for its endpoint: first JSON (400), then shape (422). Error messages never repeat input values.
 */
import type * as t from 'io-ts';
import { parseJsonBytes } from '../../base/json.js';
import { body_values_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { Denied } from './problem.js';
import { valuesOf, type RawHeaders } from './headers.js';

/** The way an endpoint reads its body: it is parsed before the other parts are decoded, and its shape is checked after them. */
export interface BodyReader<B> {
  readonly parse: (headers: RawHeaders, body: Uint8Array | null) => unknown;
  readonly decode: (value: unknown, body: Uint8Array | null) => B;
}

const no_bytes = new Uint8Array();

export const noBody: BodyReader<null> = {
  parse: (_headers, body) => body,
  decode: (value) => {
    if (value instanceof Uint8Array && value.length > 0) throw new RefusalError(invalid('', 'the body must be empty'));
    return null;
  },
};

export const bytesBody: BodyReader<Uint8Array> = {
  parse: (_headers, body) => body,
  decode: (value) => (value instanceof Uint8Array ? value : no_bytes),
};

/** Refuses a decoded body for how its text is written, by throwing. */
export type Inspect<B> = (body: B, bytes: Uint8Array) => void;

export const jsonBody = <B>(codec: t.Type<B, unknown>, inspect?: Inspect<B>): BodyReader<B> => ({
  parse: (headers, body) => {
    requireJson(headers);
    return unwrap(parseJsonBytes(body ?? no_bytes, { valuesMax: body_values_max }));
  },
  decode: (value, body) => {
    const decoded = unwrap(decode(codec, value));
    inspect?.(decoded, body ?? no_bytes);
    return decoded;
  },
});

/** Parser options that leave a number of any size to its codec. */
const anyNumber = { bigIntegers: 'round', overflow: 'infinite', valuesMax: body_values_max } as const;

export const optionalJsonBody = <B>(codec: t.Type<B, unknown>): BodyReader<B | null> => ({
  parse: (_headers, body) => (body === null || body.length === 0 ? null : unwrap(parseJsonBytes(body, anyNumber))),
  decode: (value) => (value === null ? null : unwrap(decode(codec, value))),
});

export const untypedJsonBody: BodyReader<unknown> = {
  parse: (_headers, body) => unwrap(parseJsonBytes(body ?? no_bytes, anyNumber)),
  decode: (value) => value,
};

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:"utf-8"|utf-8)[ \t]*)?$/i;

/** Refuses a body whose type is not JSON. A body without a type is taken for JSON. */
function requireJson(headers: RawHeaders): void {
  const types = valuesOf(headers, 'content-type');
  const encodings = valuesOf(headers, 'content-encoding').filter((encoding) => encoding.toLowerCase() !== 'identity');
  if (types.every((type) => jsonType.test(type)) && encodings.length === 0) return;
  throw new Denied({ code: 'unsupported_media_type', detail: 'the body must be application/json in UTF-8, without an encoding' });
}

export const decodeTexts = <A>(shape: t.Type<A, unknown>, texts: object): A => unwrap(decode(shape, { ...texts }));

/** Returns the header fields of these names. @throws RefusalError for one that was sent twice */
export function readFields(names: readonly string[], raw: RawHeaders): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const [value, ...more] = valuesOf(raw, name);
    if (more.length > 0) throw new RefusalError(invalid(name, 'must be sent once'));
    if (value !== undefined) found[name] = value;
  }
  return found;
}
