/** The canonical form of a value, which is hashed, stored and exported. Members that were added later do not change it while they have their default. */
import type * as t from 'io-ts';
import { canonicalJson } from '../base/canonical-json.js';
import { isObject } from './faults.js';
import type { AnyField, Fields } from './field.js';
import { EitherType, ListType, MapType, ObjectType, TaggedType } from './kit.js';

/** Returns the decoded value without each `added` member that has its default, at every depth. */
export const canonicalOf = <A>(codec: ObjectType<A>, value: A): Readonly<Record<string, unknown>> =>
  canonicalMembers(codec, value as Readonly<Record<string, unknown>>);

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
  return codec instanceof ObjectType ? canonicalMembers(codec, value) : value;
}

function canonicalMembers(
  { fields }: { readonly fields: Fields },
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return [[key, member]];
    return isLeftOut(field, member) ? [] : [[key, canonical(field.codec, member)]];
  });
  return Object.fromEntries(members);
}

const isLeftOut = ({ since, fallback }: AnyField, member: unknown): boolean =>
  since !== undefined && canonicalJson(member) === canonicalJson(fallback);
