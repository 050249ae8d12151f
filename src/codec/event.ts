/**
 * All event types of the journal, with the shape of their documents by type and version. JSON from outside is the value of one member
 * (`request`, `manifest`), never the top level of a document. Only mission events have `state`, `result` or `review` there.
 */
import * as E from 'fp-ts/lib/Either.js';
import { ok, type Result } from '../base/refusal.js';
import { no_blobs, type BlobFinder, type BlobUses } from './blobs.js';
import type { EventDeclaration } from './event-type.js';
import { agentEvents, busEvents, controlEvents, journalEvents, referenceEvents, workerEvents } from './events/home.js';
import { approverEvents } from './events/approver.js';
import { invoiceEvents } from './events/invoice.js';
import { missionEvents } from './events/mission.js';
import { simulationEvents, sweepEvents } from './events/simulation.js';
import { tokenEvents } from './events/token.js';
import { toolEvents } from './events/tool.js';
import { walletEvents } from './events/wallet.js';
import type { Via } from './scalars.js';
import type { Reading } from './tolerant.js';

const declarations = [
  ...controlEvents,
  ...journalEvents,
  ...missionEvents,
  ...toolEvents,
  ...tokenEvents,
  ...simulationEvents,
  ...sweepEvents,
  ...walletEvents,
  ...invoiceEvents,
  ...busEvents,
  ...agentEvents,
  ...approverEvents,
  ...workerEvents,
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

/** Returns an event with the channel through which it was caused, beside its actor; unchanged when its type names none. */
export function withVia(event: Event, via: Via): Event {
  const { type, document } = event;
  const fields = byType.get(type)?.fields ?? {};
  if ('via' in fields) return eventOf(type, { ...document, via });
  return 'review' in fields && 'review' in document ? eventOf(type, { ...document, review: { ...document.review, via } }) : event;
}

/** The version in which events of a type are recorded. */
export const currentVersion = (type: EventType): number => byType.get(type)?.version ?? 1;

/** Returns the typed event, or a refusal when its document is invalid; null for a type or version that this program does not know. */
export function decodeEvent(type: string, version: number, document: unknown): Result<Event | null> {
  const declaration = byType.get(type);
  if (declaration === undefined) return ok(null);
  const decoded = declaration.decode(version, document);
  return E.map((known: Documents[EventType] | null) => (known === null ? null : eventOf(type, known)))(decoded);
}

/** Returns the same for an event that a newer program may have recorded: its known part, and a description of the rest. */
export function readEvent(type: string, version: number, document: unknown): Result<Reading<Event>> {
  const reading = byType.get(type)?.read(version, document) ?? null;
  if (reading === null) return ok({ value: null, unknown: `it is version ${version} of ${type}` });
  return E.map(({ value, unknown }: Reading<Documents[EventType]>) => ({
    value: value === null ? null : eventOf(type, value),
    unknown,
  }))(reading);
}

/** Returns the blobs that an event refers to and erases. */
export const blobUsesOf = ({ type, document }: Event): BlobUses =>
  byType.get(type)?.blobFinders.at(-1)?.usesOf(document) ?? no_blobs;

/** Finders of the blobs in stored documents, by type and version; null for documents that cannot name any. */
export const blobFinders: ReadonlyMap<string, readonly (BlobFinder | null)[]> = new Map(
  declarations.map(({ type, blobFinders: finders }) => [type, finders]),
);
