/**
 * Every event that the journal holds: its document's shape by type and version. JSON from outside stands under one member
 * (`request`), never at the top of a document. Only mission events have `state`, `result` or `review` there.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Result } from '../base/result.js';
import { choice, decode, integer, list, mapOf, nullable, number, object, optional, required, text } from './kit.js';
import { kind } from './kinds.js';
import { roles } from './roles.js';
import { actor, hash, incarnation, time, uuid } from './scalars.js';
import {
  simulationCancelled,
  simulationCompleted,
  simulationFailed,
  simulationRequested,
  simulationStarted,
} from './simulation-events.js';
import { tokenCreated, tokenRevoked, tokenRotated } from './token-events.js';
import { toolImported, toolStatusSet } from './tool-events.js';

const attempt = integer(1, Number.MAX_SAFE_INTEGER);
const json = mapOf(t.unknown);

export const missionError = object('MissionError', {
  code: required(text({ min: 1, max: 64 })),
  message: required(text({ max: 2_000 })),
  stage: required(nullable(choice(...roles))),
});
export const engineId = object('EngineId', { name: required(text()), version: required(text()) });
export const effort = object('Effort', {
  max_evaluations: required(integer(1, Number.MAX_SAFE_INTEGER)),
  iterations: required(nullable(number(0, Number.MAX_SAFE_INTEGER))),
});
export const verification = object('Verification', {
  passed: required(choice(true, false)),
  checks: required(list(text(), 0, 100)),
  failure: required(nullable(text())),
});
export const review = object('Review', {
  actor: required(actor),
  approved: required(choice(true, false)),
  at: required(time),
  note: required(text()),
  result_hash: required(hash),
});

const initialised = object('control.initialised', {
  state: required(choice('ready')),
  config_hash: required(hash),
  config_blob: optional(hash),
});
const configured = object('control.configured', {
  state: required(choice('paused')),
  config_hash: required(hash),
  config_blob: required(hash),
  changed: required(list(text(), 0, 100)),
  erased: required(list(hash, 0, 10)),
  actor: required(actor),
});
const paused = object('control.paused', { state: required(choice('paused')), actor: optional(actor) });
const resumed = object('control.resumed', { state: required(choice('ready')), actor: optional(actor) });
const rollbackAccepted = object('control.rollback_accepted', {
  state: required(choice('paused')),
  actor: required(actor),
  reason: required(text()),
  lost: required(
    object('Lost', {
      from_size: required(integer(0, Number.MAX_SAFE_INTEGER)),
      to_size: required(integer(0, Number.MAX_SAFE_INTEGER)),
      witness: required(text()),
    }),
  ),
  incarnation: required(incarnation),
});

const restored = object('journal.restored', {
  state: required(choice('paused')),
  /** SHA-256 of the archive's bytes; of a series, of all its archives' bytes in order. */
  archive_sha256: required(hash),
  events: required(integer(1, Number.MAX_SAFE_INTEGER)),
  head: required(hash),
  root: required(hash),
  /** What a checkpoint from elsewhere says that the archive lacks; `entries` is 0 where it is a fork of the same length or longer. */
  behind: required(
    nullable(
      object('Behind', { entries: required(integer(0, Number.MAX_SAFE_INTEGER)), checkpoint: required(text({ max: 65_536 })) }),
    ),
  ),
  incarnation: required(incarnation),
  reason: required(text({ max: 2_000 })),
  actor: required(actor),
  /** Where no earlier entry holds the configuration's text (the reference's homes). */
  config_hash: optional(hash),
  config_blob: optional(hash),
});

const witnessAdded = object('control.witness_added', {
  name: required(text({ min: 1, max: 255 })),
  url: required(text({ min: 1, max: 2_048 })),
  vkey: required(text({ min: 1, max: 400 })),
  actor: required(actor),
});

const submitted = object('mission.submitted', {
  kind: required(kind),
  goal: required(text()),
  request_hash: required(hash),
  request: optional(json),
  request_blob: optional(hash),
  ids_hash: optional(hash),
  actor: optional(actor),
});
const leased = object('mission.leased', {
  state: required(choice('running')),
  attempt: required(attempt),
  lease_expires_at: required(time),
  config_hash: required(hash),
  engine: required(engineId),
  max_evaluations: required(integer(1, Number.MAX_SAFE_INTEGER)),
  parent: required(nullable(uuid)),
  parent_digest: required(nullable(hash)),
  actor: required(actor),
});
const staged = object('mission.staged', {
  attempt: required(attempt),
  index: required(integer(0, roles.length - 1)),
  role: required(choice(...roles)),
  detail: required(json),
});
const produced = object('mission.produced', {
  state: required(choice('review')),
  attempt: required(attempt),
  result: optional(json),
  result_blob: optional(hash),
  result_hash: required(hash),
  solution: required(t.unknown),
  warm_start: required(t.unknown),
  effort: required(effort),
  verification: required(verification),
});
const failed = object('mission.failed', {
  state: required(choice('failed')),
  attempt: required(attempt),
  error: required(missionError),
});
const cancelled = object('mission.cancelled', {
  state: required(choice('failed')),
  error: required(missionError),
  actor: required(actor),
});
const recovered = object('mission.recovered', {
  state: required(choice('queued')),
  attempt: required(attempt),
  recovered_from: required(hash),
  actor: required(actor),
});
const completed = object('mission.completed', {
  state: required(choice('completed')),
  result: required(json),
  review: required(review),
  /** Of a result that the reference agent made: its hash over its own text. */
  source_result_hash: optional(hash),
  kind: optional(kind),
  goal: optional(text()),
  request_hash: optional(hash),
  engine: optional(engineId),
  effort: optional(effort),
  warm_start: optional(t.unknown),
  parent: optional(nullable(uuid)),
  parent_digest: optional(nullable(hash)),
});
const rejected = object('mission.rejected', { state: required(choice('rejected')), review: required(review) });
const erased = object('mission.erased', {
  blobs: required(list(hash, 1, 10)),
  actor: required(actor),
  reason: required(text({ min: 1, max: 2_000 })),
});

/** What upcasters make of the reference agent's entries (schema 1): its control state, and a mission's whole state. */
const referenceControl = object('reference.control', {
  state: required(choice('ready', 'paused')),
  config_hash: required(hash),
});
const referenceMission = object('reference.mission', {
  snapshot: required(json),
  lease_expires_ns: required(nullable(text())),
});

const codecs = {
  'control.initialised': initialised,
  'control.configured': configured,
  'control.paused': paused,
  'control.resumed': resumed,
  'control.rollback_accepted': rollbackAccepted,
  'control.witness_added': witnessAdded,
  'journal.restored': restored,
  'mission.submitted': submitted,
  'mission.leased': leased,
  'mission.staged': staged,
  'mission.produced': produced,
  'mission.failed': failed,
  'mission.cancelled': cancelled,
  'mission.recovered': recovered,
  'mission.completed': completed,
  'mission.rejected': rejected,
  'mission.erased': erased,
  'tool.imported': toolImported,
  'tool.status_set': toolStatusSet,
  'token.created': tokenCreated,
  'token.rotated': tokenRotated,
  'token.revoked': tokenRevoked,
  'simulation.requested': simulationRequested,
  'simulation.started': simulationStarted,
  'simulation.completed': simulationCompleted,
  'simulation.failed': simulationFailed,
  'simulation.cancelled': simulationCancelled,
  'reference.control': referenceControl,
  'reference.mission': referenceMission,
} as const;

export type EventType = keyof typeof codecs;
export type Documents = { readonly [K in EventType]: t.TypeOf<(typeof codecs)[K]> };
/** A typed event: `type` selects the shape of `document`. All types are at version 1. */
export type Event = { readonly [K in EventType]: { readonly type: K; readonly document: Documents[K] } }[EventType];

export type MissionError = t.TypeOf<typeof missionError>;
export type Review = t.TypeOf<typeof review>;
export type EngineId = t.TypeOf<typeof engineId>;
export type RecordedEffort = t.TypeOf<typeof effort>;
export type RecordedVerification = t.TypeOf<typeof verification>;

const isEventType = (type: string): type is EventType => Object.hasOwn(codecs, type);

/** The typed event, or a refusal when its document does not fit; null for a type or version that this program does not know. */
export function decodeEvent(type: string, version: number, document: unknown): Result<Event | null> {
  if (!isEventType(type) || version !== 1) return E.right(null);
  const codec: t.Decoder<unknown, Documents[EventType]> = codecs[type];
  return E.map((decoded: Documents[EventType]) => ({ type, document: decoded }) as Event)(decode(codec, document));
}
