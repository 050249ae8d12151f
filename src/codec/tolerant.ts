/**
 * Decoders for a client of a newer server: they leave out unknown members and accept a list of any length. Everything else is decoded
 * as usual.
 */
import type * as t from 'io-ts';
import type { Fields } from './field.js';
import { EitherType, list, ListType, MapType, ObjectType, TaggedType, RefinedType } from './kit.js';

/** The tolerant codecs by the codec that each was made from, because every response needs the same ones. */
const made = new WeakMap<t.Mixed, t.Mixed>();

/** Returns the tolerant form of a codec, in which every codec that it is made of is tolerant too. */
export function tolerant<A>(codec: t.Type<A, unknown>): t.Type<A, unknown> {
  const known = made.get(codec);
  if (known !== undefined) return known;
  const one = make(codec);
  made.set(codec, one);
  return one;
}

function make(codec: t.Mixed): t.Mixed {
  if (codec instanceof ObjectType) return new ObjectType(codec.name, fieldsOf(codec), codec.rules, 'ignored');
  if (codec instanceof TaggedType) return new TaggedType(codec.name, codec.tag, variantsOf(codec.variants));
  if (codec instanceof ListType) return list(tolerant(codec.item), 0, Number.MAX_SAFE_INTEGER);
  if (codec instanceof EitherType) return new EitherType(tolerant(codec.first), tolerant(codec.second));
  if (codec instanceof MapType) return new MapType(tolerant(codec.item));
  if (codec instanceof RefinedType) return new RefinedType(tolerant(codec.base), codec.refine);
  return codec;
}

const fieldsOf = ({ fields }: { readonly fields: Fields }): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, codec: tolerant(field.codec) }]));

const variantsOf = (variants: Readonly<Record<string, t.Mixed>>): Readonly<Record<string, t.Mixed>> =>
  Object.fromEntries(Object.entries(variants).map(([value, variant]) => [value, tolerant(variant)]));
