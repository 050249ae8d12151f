/** Reading what a newer program wrote: members that are not known here are left out, at every depth. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { Result } from '../base/result.js';
import { isObject, refusalOf, UnknownFault } from './faults.js';
import { EitherType, ListType, MapType, ObjectType, TaggedType } from './kit.js';

/** What a codec makes of a value that may hold more than it knows. */
export interface Reading<A> {
  /** Null when not even the members that are known here can be read: they hold a choice that is not. */
  readonly value: A | null;
  /** Where the value goes beyond the codec, in words; null when it does not. */
  readonly unknown: string | null;
}

/** Reads a value with `decode`, tolerating only members and choices that its codec does not know; any other fault is a refusal. */
export function readKnown<A>(codec: t.Mixed, decode: (value: unknown) => Result<A>, value: unknown): Result<Reading<A>> {
  const whole = decode(value);
  if (E.isRight(whole)) return E.right({ value: whole.right, unknown: null });
  const strict = codec.decode(value);
  if (E.isRight(strict)) return whole;
  const wrong = strict.left.filter((fault) => !(fault instanceof UnknownFault));
  if (wrong.length > 0) return E.left(refusalOf(wrong));
  const known = decode(withoutUnknown(codec, value));
  return E.right({ value: E.isRight(known) ? known.right : null, unknown: refusalOf(strict.left).detail });
}

/** The value without the members that its codec does not know. */
function withoutUnknown(codec: t.Mixed, value: unknown): unknown {
  if (codec instanceof EitherType)
    return codec.first.is(value) ? value : withoutUnknown(codec.second, withoutUnknown(codec.first, value));
  if (codec instanceof ListType) return Array.isArray(value) ? value.map((item) => withoutUnknown(codec.item, item)) : value;
  if (!isObject(value)) return value;
  if (codec instanceof MapType)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutUnknown(codec.item, item)]));
  if (codec instanceof TaggedType) {
    const variant = codec.variants[String(value[codec.tag])];
    return variant === undefined ? value : withoutUnknown(variant, value);
  }
  if (!(codec instanceof ObjectType)) return value;
  const known = Object.entries(codec.fields).filter(([key]) => Object.hasOwn(value, key));
  return Object.fromEntries(known.map(([key, field]) => [key, withoutUnknown(field.codec, value[key])]));
}
