/** The canonical form of a value, which is hashed, stored and exported. Members that were added later do not change it while they have their default. */
import type * as t from 'io-ts';
import { canonicalJson } from '../base/canonical-json.js';
import { isObject } from './faults.js';
import { EitherType, ListType, MapType, ObjectType, TaggedType } from './kit.js';

/** Returns the canonical JSON of that form, which a request's hash covers. */
export const canonicalText = <A>(codec: ObjectType<A>, value: A): string => canonicalJson(canonicalOf(codec, value));

function canonical(codec: t.Mixed, value: unknown): unknown {
  if (codec instanceof EitherType) return canonical(codec.first.is(value) ? codec.first : codec.second, value);
  if (codec instanceof ListType) return Array.isArray(value) ? value.map((item) => canonical(codec.item, item)) : value;
  if (!isObject(value)) return value;
  if (codec instanceof MapType)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, canonical(codec.item, item)]));
  if (codec instanceof TaggedType) {
    const variant = codec.variants[String(value[codec.tag])];
    return variant === undefined ? value : canonical(variant, value);
  }
  return codec instanceof ObjectType ? canonicalOf(codec as ObjectType<unknown>, value) : value;
}

/** Returns the decoded value without each `added` member that has its default, at every depth. */
export function canonicalOf<A>({ fields }: ObjectType<A>, value: A): Readonly<Record<string, unknown>> {
  const members = Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([key, member]): [string, unknown][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return [[key, member]];
    const isLeftOut = field.since !== undefined && canonicalJson(member) === canonicalJson(field.fallback);
    return isLeftOut ? [] : [[key, canonical(field.codec, member)]];
  });
  return Object.fromEntries(members);
}
