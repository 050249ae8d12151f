/**
 * Versions of the defaults. A document that is stored names the version by which its absent members were filled in (`defaults`, left out
 * for 1), so that a repeat of it can be compared under the same defaults whatever the program's are by then.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { isObject } from './faults.js';
import type { AnyField, Field } from './field.js';
import { integer, ObjectType, TaggedType, withDefault } from './kit.js';

const version_max = 2;

/** The version of the defaults that a document names. */
export const defaultsVersion = integer(1, version_max);

/**
 * A member whose default changed: it decodes to `fallback` when it is absent, and a new document takes the newest of `later`, so
 * that earlier documents and their hashes do not change.
 */
export const withDefaults = <A>(
  codec: t.Type<A, unknown>,
  fallback: A,
  later: Readonly<Record<number, A>>,
): Field<A, 'default'> => ({ ...withDefault(codec, fallback), later });

/** Returns the default of a member under a version of the defaults, the newest if none is given. */
export function defaultOf({ fallback, later = {} }: AnyField, version: number = version_max): unknown {
  let value = fallback;
  for (let v = 2; v <= version; v++) if (Object.hasOwn(later, v)) value = later[v];
  return value;
}

/** A document as it is read when it is new, and as it was read under the first defaults. They are the same where no default changed. */
export interface Draft<A> {
  readonly latest: A;
  readonly first: A;
}

/** Decodes new documents of an object codec that has a member `defaults`. */
export class DraftType<A> extends t.Type<Draft<A>, unknown, unknown> {
  readonly _tag = 'DraftType' as const;
  constructor(readonly base: ObjectType<A>) {
    super(
      base.name,
      (u): u is Draft<A> => isObject(u) && base.is(u['latest']) && base.is(u['first']),
      (u, c) => {
        const given = isObject(u) ? u['defaults'] : undefined;
        const version = given === undefined ? newestChange(base, u) : given;
        const filled = defaultsVersion.is(version) && version > 1 ? under(base, u, version) : u;
        const latest = base.validate(filled, c);
        if (E.isLeft(latest)) return latest;
        const first = given === undefined && filled !== u ? base.validate(u, c) : latest;
        return t.success({ latest: latest.right, first: E.isRight(first) ? first.right : latest.right });
      },
      (a) => a,
    );
  }
}

/** Returns the newest version that changed a default of this document's shape. */
function newestChange(codec: t.Mixed, value: unknown): number {
  return shapesOf(codec, value).reduce((newest, { later = {} }) => Math.max(newest, ...Object.keys(later).map(Number)), 1);
}

/** Returns the fields of the object and of the objects in it, as far as their codecs follow from the value. */
function shapesOf(codec: t.Mixed, value: unknown): readonly AnyField[] {
  const object = objectOf(codec, value);
  if (object === null || !isObject(value)) return [];
  return Object.entries(object.fields).flatMap(([name, field]) => [field, ...shapesOf(field.codec, value[name])]);
}

function objectOf(codec: t.Mixed, value: unknown): ObjectType<unknown> | null {
  if (codec instanceof ObjectType) return codec as ObjectType<unknown>;
  if (!(codec instanceof TaggedType) || !isObject(value)) return null;
  const tag = value[codec.tag];
  const variants: Readonly<Record<string, t.Mixed>> = codec.variants;
  const variant = typeof tag === 'string' && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
  return variant === undefined ? null : objectOf(variant, value);
}

/** Returns the document with the version and with each absent member that has another default under it. */
const under = (base: t.Mixed, value: unknown, version: number): unknown =>
  isObject(value) ? { ...(filled(base, value, version) as object), defaults: version } : value;

function filled(codec: t.Mixed, value: unknown, version: number): unknown {
  const object = objectOf(codec, value);
  if (object === null || !isObject(value)) return value;
  const members = Object.entries(object.fields).flatMap(([name, field]): [string, unknown][] => {
    if (Object.hasOwn(value, name) && value[name] !== undefined) return [[name, filled(field.codec, value[name], version)]];
    return field.later === undefined ? [] : [[name, defaultOf(field, version)]];
  });
  return { ...value, ...Object.fromEntries(members) };
}
