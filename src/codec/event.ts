/**
 * Every event that the journal holds: its document's shape by type and version. JSON from outside stands under one member
 * (`request`), never at the top of a document. Only mission events have `state`, `result` or `review` there.
 */
import * as E from 'fp-ts/lib/Either.js';
import { ok, type Result } from '../base/result.js';
import { no_blobs, type BlobFinder, type BlobUses } from './blobs.js';
import type { EventDeclaration } from './event-type.js';
import { controlEvents } from './events/control.js';
import { journalEvents } from './events/journal.js';
import { missionEvents } from './events/mission.js';
import { referenceEvents } from './events/reference.js';
import { simulationEvents } from './events/simulation.js';
import { tokenEvents } from './events/token.js';
import { toolEvents } from './events/tool.js';
import type { Reading } from './unknown.js';

const declarations = [
  ...controlEvents,
  ...journalEvents,
  ...missionEvents,
  ...toolEvents,
  ...tokenEvents,
  ...simulationEvents,
  ...referenceEvents,
] as const;

type Declaration = (typeof declarations)[number];
export type EventType = Declaration['type'];
export type Documents = {
  readonly [D in Declaration as D['type']]: D extends EventDeclaration<string, infer A> ? A : never;
};
/** A typed event: `type` selects the shape of `document`, which is that of the newest version. */
export type Event = { readonly [K in EventType]: { readonly type: K; readonly document: Documents[K] } }[EventType];

type AnyDeclaration = EventDeclaration<EventType, Documents[EventType]>;
const byType: ReadonlyMap<string, AnyDeclaration> = new Map(declarations.map((declaration) => [declaration.type, declaration]));

const eventOf = (type: string, document: Documents[EventType]): Event => ({ type, document }) as Event;

/** The version in which events of a type are recorded. */
export const currentVersion = (type: EventType): number => byType.get(type)?.version ?? 1;

/** The typed event, or a refusal when its document does not fit; null for a type or version that this program does not know. */
export function decodeEvent(type: string, version: number, document: unknown): Result<Event | null> {
  const declaration = byType.get(type);
  if (declaration === undefined) return ok(null);
  const decoded = declaration.decode(version, document);
  return E.map((known: Documents[EventType] | null) => (known === null ? null : eventOf(type, known)))(decoded);
}

/** The same for an event that a newer program may have recorded: as much of it as is known here, and what is not. */
export function readEvent(type: string, version: number, document: unknown): Result<Reading<Event>> {
  const reading = byType.get(type)?.read(version, document) ?? null;
  if (reading === null) return ok({ value: null, unknown: `it is version ${version} of ${type}` });
  return E.map(({ value, unknown }: Reading<Documents[EventType]>) => ({
    value: value === null ? null : eventOf(type, value),
    unknown,
  }))(reading);
}

/** The blobs that an event refers to and erases. */
export const blobUsesOf = ({ type, document }: Event): BlobUses => byType.get(type)?.blobUsesOf(document) ?? no_blobs;

/** How blobs are found in stored documents, by type and version; null for documents that can name none. */
export const blobFinders: ReadonlyMap<string, readonly (BlobFinder | null)[]> = new Map(
  declarations.map(({ type, blobFinders: finders }) => [type, finders]),
);
