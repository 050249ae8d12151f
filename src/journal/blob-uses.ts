/** Finds the blobs that stored entries refer to and erase, by the declarations of their event types. */
import { typeOf } from '../codec/entry.js';
import { blobFinders } from '../codec/event.js';
import { hash } from '../codec/scalars.js';
import type { BlobFinder, BlobUses } from '../codec/blobs.js';

export interface BlobUse {
  readonly sequence: number;
  readonly hash: string;
  /** `names`: an entry that this program cannot interpret contains the hash. */
  readonly use: 'refers' | 'erases' | 'names';
}
export type Use = Omit<BlobUse, 'sequence'>;

const none: readonly Use[] = [];

/** Returns the function that finds the blobs in canonical documents of an event type. @param finder null when they cannot name any */
export function blobsInDocuments(finder: BlobFinder | null): (document: string) => readonly Use[] {
  if (finder === null) return () => none;
  const names = finder.members.map((name) => `"${name}":`);
  // Most documents that could name a blob do not, and need not be parsed.
  return (document) => (names.some((name) => document.includes(name)) ? usesIn(finder.usesOf(JSON.parse(document))) : none);
}

/** Returns the blobs that a parsed body uses, none for one of schema 1; null for a type or version that is unknown. */
export function blobsOfBody({ schema, type, version, document }: Readonly<Record<string, unknown>>): readonly Use[] | null {
  if (schema !== 2) return none;
  const finder = typeof type === 'string' && typeof version === 'number' ? blobFinders.get(type)?.[version - 1] : undefined;
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
