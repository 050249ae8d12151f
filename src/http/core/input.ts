/**
 * Decodes the parts of a request for its endpoint: first JSON (400), then shape (422). Error messages never repeat input values.
 */
import * as t from 'io-ts';
import { parseJsonBytes } from '../../base/json.js';
import { body_values_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { valuesOf, type RawHeaders } from './head.js';
import { Denied } from './problem.js';

/** The way an endpoint reads its body: it is parsed before the other parts are decoded, and its shape is checked after them. */
export interface BodyReader<B> {
  readonly parse: (headers: RawHeaders, body: Uint8Array) => unknown;
  readonly decode: (value: unknown, body: Uint8Array) => B;
}

export const noBody: BodyReader<null> = {
  parse: () => null,
  decode: (_value, body) => {
    if (body.length > 0) throw new RefusalError(invalid('', 'the body must be empty'));
    return null;
  },
};

/** Refuses a decoded body for how its text is written, by throwing. */
export type Inspect<B> = (body: B, bytes: Uint8Array) => void;

export const jsonBody = <B>(codec: t.Type<B, unknown>, inspect?: Inspect<B>): BodyReader<B> => ({
  parse: (headers, body) => {
    requireJson(headers);
    return unwrap(parseJsonBytes(body, { valuesMax: body_values_max }));
  },
  decode: (value, body) => {
    const decoded = unwrap(decode(codec, value));
    inspect?.(decoded, body);
    return decoded;
  },
});

/** Parser options that leave a number of any size to its codec. */
const anyNumber = { bigIntegers: 'round', overflow: 'infinite', valuesMax: body_values_max } as const;

export const optionalJsonBody = <B>(codec: t.Type<B, unknown>): BodyReader<B | null> => ({
  parse: (_headers, body) => (body.length === 0 ? null : unwrap(parseJsonBytes(body, anyNumber))),
  decode: (value) => (value === null ? null : unwrap(decode(codec, value))),
});

export const untypedJsonBody: BodyReader<unknown> = {
  parse: (_headers, body) => unwrap(parseJsonBytes(body, anyNumber)),
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

/** A decimal integer within bounds, in its one shortest form; decoded to a number. */
export class IntegerTextType extends t.Type<number, string, unknown> {
  readonly _tag = 'IntegerTextType' as const;
  constructor(
    readonly min: number,
    readonly max: number,
  ) {
    const complaint = `must be an integer from ${min} to ${max}`;
    const inBounds = (value: number): boolean => value >= min && value <= max;
    super(
      'integer',
      (u): u is number => typeof u === 'number' && Number.isSafeInteger(u) && inBounds(u),
      (u, c) => {
        const value = typeof u === 'string' && /^(?:0|-?[1-9][0-9]{0,15})$/.test(u) ? Number(u) : Number.NaN;
        return Number.isSafeInteger(value) && inBounds(value) ? t.success(value) : t.failure(u, c, complaint);
      },
      String,
    );
  }
}

export const integerText = (min: number, max: number): IntegerTextType => new IntegerTextType(min, max);
