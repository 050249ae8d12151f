/**
 * Finds the members of a document that refer to rows of the `blob` table or erase rows, by the codecs of the members. Verification,
 * backup and erasure find blobs only through this module, so that a new member needs only its codec.
 */
import type * as t from 'io-ts';
import { isObject } from './faults.js';
import type { Fields } from './field.js';
import { EitherType, ListType, MapType, ObjectType, TaggedType, TextType } from './kit.js';
import { hash, hashPattern } from './scalars.js';

class BlobRefType extends TextType {}
class ErasedBlobsType extends ListType<string> {}

/** A reference to a value in the `blob` table by the SHA-256 of its salt and its bytes. */
export const blobRef: TextType = new BlobRefType({ pattern: hashPattern });
/** Hashes of the blobs that the event erases. */
export const erasedBlobs = (min: number, max: number): ListType<string> => new ErasedBlobsType(hash, min, max);

export interface BlobUses {
  readonly refers: readonly string[];
  readonly erases: readonly string[];
}

interface Found {
  readonly refers: string[];
  readonly erases: string[];
}
type Find = (value: unknown, found: Found) => void;

/** The blob uses of an event without blobs. */
export const no_blobs: BlobUses = { refers: [], erases: [] };

/** Finds the blobs that a document uses. */
export type BlobFinder = NonNullable<ReturnType<typeof blobFinder>>;

/** Returns the finder for documents of a codec; null when no member can name a blob. */
export function blobFinder({ fields }: { readonly fields: Fields }) {
  const finds = findersOf(fields);
  if (finds.length === 0) return null;
  const find = inMembers(finds);
  return {
    /** The top-level members that may name a blob: a document without any of them names none. */
    members: finds.map(([key]) => key),
    usesOf: (document: unknown): BlobUses => {
      const found: Found = { refers: [], erases: [] };
      find(document, found);
      return found;
    },
  };
}

function finder(codec: t.Mixed): Find | null {
  if (codec instanceof BlobRefType)
    return (value, { refers }) => void (typeof value === 'string' && hash.is(value) && refers.push(value));
  if (codec instanceof ErasedBlobsType)
    return (value, { erases }) => void (Array.isArray(value) && erases.push(...value.filter((item) => hash.is(item))));
  if (codec instanceof EitherType) return inEither(codec);
  if (codec instanceof ListType) return inItems(finder(codec.item), (value) => (Array.isArray(value) ? value : []));
  if (codec instanceof MapType) return inItems(finder(codec.item), (value) => (isObject(value) ? Object.values(value) : []));
  if (codec instanceof TaggedType) return inVariants(codec);
  if (!(codec instanceof ObjectType)) return null;
  const finds = findersOf(codec.fields as Fields);
  return finds.length === 0 ? null : inMembers(finds);
}

const findersOf = (fields: Fields): readonly (readonly [string, Find])[] =>
  Object.entries(fields).flatMap(([key, { codec }]) => {
    const find = finder(codec);
    return find === null ? [] : [[key, find] as const];
  });

const inMembers =
  (finds: readonly (readonly [string, Find])[]): Find =>
  (value, found) => {
    if (isObject(value)) for (const [key, find] of finds) if (Object.hasOwn(value, key)) find(value[key], found);
  };

const inItems = (find: Find | null, itemsOf: (value: unknown) => readonly unknown[]): Find | null =>
  find === null ? null : (value, found) => itemsOf(value).forEach((item) => find(item, found));

function inEither({ first, second }: EitherType<unknown, unknown>): Find | null {
  const finds = [first, second].map((codec) => [codec, finder(codec)] as const);
  if (finds.every(([, find]) => find === null)) return null;
  return (value, found) => finds.find(([codec]) => codec.is(value))?.[1]?.(value, found);
}

function inVariants({ tag, variants }: TaggedType<unknown>): Find | null {
  const finds = new Map(Object.entries(variants).map(([name, codec]) => [name, finder(codec)]));
  if ([...finds.values()].every((find) => find === null)) return null;
  return (value, found) => void (isObject(value) && finds.get(String(value[tag]))?.(value, found));
}
