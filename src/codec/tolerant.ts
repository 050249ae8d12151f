/**
 * Decoders for a client of a newer server: they leave out unknown members and accept a list of any length. Everything else is decoded
 * as usual.
 */
import type * as t from 'io-ts';
import type { Fields } from './field.js';
import { EitherType, list, ListType, MapType, ObjectType, RefinedType, TaggedType } from './kit.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../base/refusal.js';
import { refusalOf, UnknownFault } from './faults.js';

/** The tolerant codecs by the codec that each was made from, because every response needs the same ones. */
const made = new WeakMap<t.Mixed, t.Mixed>();

/** Returns the tolerant form of a codec, in which every codec that it is made of is tolerant too. */
export function tolerant<A>(codec: t.Type<A, unknown>): t.Type<A, unknown> {
  const known = made.get(codec);
  if (known !== undefined) return known;
  const built = make(codec);
  made.set(codec, built);
  return built;
}

function make(codec: t.Mixed): t.Mixed {
  if (codec instanceof ObjectType) {
    const { name, rules, unknownMembers } = codec;
    return new ObjectType(name, fieldsOf(codec), rules, unknownMembers === 'kept' ? 'kept' : 'ignored');
  }
  if (codec instanceof TaggedType) return new TaggedType(codec.name, codec.tag, variantsOf(codec.variants));
  if (codec instanceof ListType) return list(tolerant(codec.item), 0, Number.MAX_SAFE_INTEGER);
  if (codec instanceof EitherType) return new EitherType(tolerant(codec.first), tolerant(codec.second), codec.teller);
  if (codec instanceof MapType) return new MapType(tolerant(codec.item));
  if (codec instanceof RefinedType) return new RefinedType(tolerant(codec.base), codec.refine);
  return codec;
}

const fieldsOf = ({ fields }: { readonly fields: Fields }): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, codec: tolerant(field.codec) }]));

const variantsOf = (variants: Readonly<Record<string, t.Mixed>>): Readonly<Record<string, t.Mixed>> =>
  Object.fromEntries(Object.entries(variants).map(([value, variant]) => [value, tolerant(variant)]));

// Decoding of what a newer program wrote: unknown members are left out, at every depth.

/** The result of decoding a value that may hold more than its codec knows. */
export interface Reading<A> {
  /** Null when a known member holds a choice that is not known: then the value cannot be read at all. */
  readonly value: A | null;
  /** Describes the first unknown member or choice; null when there is none. */
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
  const without = tolerant(codec).decode(value);
  const known = decode(E.isRight(without) ? without.right : value);
  return E.right({ value: E.isRight(known) ? known.right : null, unknown: refusalOf(strict.left).detail });
}
