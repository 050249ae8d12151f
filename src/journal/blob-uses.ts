/** Finds the blobs that stored entries refer to and erase, by the declarations of their event types. */
import { typeOf } from '../codec/entry.js';
import { blobFinders } from '../codec/event.js';
import { hash } from '../codec/scalars.js';
import type { BlobFinder, BlobUses } from '../codec/blobs.js';
import type { TopLevel } from '../base/canonical-scan.js';

export interface BlobUse {
  readonly sequence: number;
  readonly hash: string;
  /** `names`: an entry that this program cannot interpret contains the hash. */
  readonly use: 'refers' | 'erases' | 'names';
}
type Use = Omit<BlobUse, 'sequence'>;

const none: readonly Use[] = [];

/** The finders by the texts of type and version in an entry's body. */
const byText: ReadonlyMap<string | undefined, ReadonlyMap<string | undefined, BlobFinder | null>> = new Map(
  [...blobFinders].map(([type, finders]) => [JSON.stringify(type), new Map(finders.map((finder, i) => [String(i + 1), finder]))]),
);

/** Returns the blobs that an entry of schema 2 uses, from its scanned text; null for an unknown type or version. */
export function blobsInText(top: TopLevel): readonly Use[] | null {
  const finder = byText.get(top.get('type'))?.get(top.get('version'));
  if (finder === undefined) return null;
  const document = top.get('document') ?? '{}';
  // Most documents that could name a blob do not, and need not be parsed.
  if (finder === null || !finder.members.some((name) => document.includes(`"${name}":`))) return none;
  return usesIn(finder.usesOf(JSON.parse(document)));
}

/** Returns the same from a parsed body; no blobs for one of schema 1. */
export function blobsOfBody({ schema, type, version, document }: Readonly<Record<string, unknown>>): readonly Use[] | null {
  if (schema !== 2) return none;
  const finder = byText.get(JSON.stringify(type))?.get(String(version));
  if (finder === undefined) return null;
  return finder === null ? none : usesIn(finder.usesOf(document));
}

/** Returns the blobs that a stored entry of this program refers to. */
export function blobsReferredTo(bodyText: string): readonly string[] {
  const at = typeOf(bodyText);
  const finder = at === null ? undefined : blobFinders.get(at.type)?.[at.version - 1];
  if (finder === null || (finder !== undefined && !finder.members.some((name) => bodyText.includes(`"${name}":`)))) return [];
  const uses = blobsOfBody(JSON.parse(bodyText) as Readonly<Record<string, unknown>>) ?? none;
  return uses.filter(({ use }) => use === 'refers').map((use) => use.hash);
}

const usesIn = ({ refers, erases }: BlobUses): readonly Use[] => [
  ...refers.map((hash) => ({ hash, use: 'refers' as const })),
  ...erases.map((hash) => ({ hash, use: 'erases' as const })),
];

/** Returns every text in an unknown document that could be the hash of a blob. */
export function namesOf(value: unknown): readonly Use[] {
  if (typeof value === 'string') return hash.is(value) ? [{ hash: value, use: 'names' }] : none;
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesOf) : none;
}
