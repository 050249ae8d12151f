/** The events of the home as a whole: its control, its restores, its agents and workers, its bus, and the entries of the reference agent. */
import { declare } from '../event-type.js';
import { noticeKind } from '../config.js';
import { blobRef, erasedBlobs } from '../blobs.js';
import { choice, flag, list, mapOf, nullable, object, optional, required, text } from '../kit.js';
import { actor, causedBy, count, hash, id, incarnation, sequence, uuid, via } from '../scalars.js';
import { envelope } from '../bus.js';
import * as t from 'io-ts';

// Events of the stream `@control`: the agent's state, its configuration, accepted rollbacks, witnesses.

export const controlEvents = [
  declare('control.initialised', {
    state: required(choice('ready')),
    config_hash: required(hash),
    config_blob: optional(blobRef),
  }),
  declare('control.configured', {
    state: required(choice('paused')),
    config_hash: required(hash),
    config_blob: required(blobRef),
    changed: required(list(text(), 0, 100)),
    erased: required(erasedBlobs(0, 10)),
    ...causedBy,
  }),
  declare('control.paused', { state: required(choice('paused')), actor: optional(actor), via: optional(via) }),
  declare('control.resumed', { state: required(choice('ready')), actor: optional(actor), via: optional(via) }),
  declare('control.rollback_accepted', {
    state: required(choice('paused')),
    ...causedBy,
    reason: required(text()),
    lost: required(
      object('Lost', {
        from_size: required(count),
        to_size: required(count),
        witness: required(text()),
      }),
    ),
    incarnation: required(incarnation),
  }),
  declare('control.witness_added', {
    name: required(text({ min: 1, max: 255 })),
    url: required(text({ min: 1, max: 2_048 })),
    vkey: required(text({ min: 1, max: 400 })),
    ...causedBy,
  }),
  /** A notice that no try could deliver. The address is a secret, and not part of it. */
  declare('control.notice_failed', {
    delivery: required(uuid),
    kind: required(noticeKind),
    /** The id of the mission, or the type of the alert. */
    id: required(text({ min: 1, max: 64 })),
    tries: required(sequence),
    failed: required(text({ max: 200 })),
  }),
] as const;

// The first event after a restore.

export const journalEvents = [
  declare('journal.restored', {
    state: required(choice('paused')),
    /** SHA-256 of the archive's bytes; for a series, of all its archives' bytes in order. */
    archive_sha256: required(hash),
    events: required(sequence),
    head: required(hash),
    root: required(hash),
    /** Number of entries that a checkpoint from elsewhere covers and the archive lacks; 0 when that checkpoint is of a fork that is no longer than the archive. */
    behind: required(nullable(object('Behind', { entries: required(count), checkpoint: required(text({ max: 65_536 })) }))),
    incarnation: required(incarnation),
    reason: required(text({ max: 2_000 })),
    ...causedBy,
    /** Set when this home replaces the one that it continues: copies of that one are then refused. */
    supersede: optional(flag),
    /** The configuration, when no earlier entry holds its text (homes of the reference agent). */
    config_hash: optional(hash),
    config_blob: optional(blobRef),
  }),
] as const;

// Events of the streams `@agent:<role>`: restarts of an agent. Each holds the number of all of them.

/** Why an agent restarts: its work threw an unexpected error, or showed no progress for too long. */
const restartCauses = ['failed', 'unresponsive'] as const;
export type RestartCause = (typeof restartCauses)[number];

export const agentEvents = [
  declare('agent.restarted', {
    /** The number of the agent's restarts, this one included. */
    restarts: required(sequence),
    cause: required(choice(...restartCauses)),
    /** The id of the mission or run whose work failed; empty for other work. */
    work: required(text({ max: 64 })),
  }),
] as const;

// Events of the stream `@worker:<key>`: whether results of a worker count that signs them with this key.

export const workerEvents = [
  declare('worker.added', { name: required(id), ...causedBy }),
  declare('worker.removed', { ...causedBy }),
  /** A recomputation gave something else than the worker. */
  declare('worker.refuted', { reason: required(text({ min: 1, max: 500 })), ...causedBy }),
] as const;

// Events of the stream `@bus`: envelopes that the message bus accepted. An envelope over 64 KiB is in a blob (`envelope_blob`).

export const busEvents = [
  declare('bus.received', {
    /** The connection, as `address:port`: `sender` is only what the envelope says. */
    peer: required(text({ min: 1, max: 100 })),
    /** True when the call showed a token; left out otherwise. */
    has_token: optional(flag),
    envelope: optional(envelope),
    envelope_blob: optional(blobRef),
    via: optional(via),
  }),
] as const;

// Events into which entries of the reference agent (schema 1) are read: its control state, and a mission's whole state.

export const referenceEvents = [
  declare('reference.control', {
    state: required(choice('ready', 'paused')),
    config_hash: required(hash),
  }),
  declare('reference.mission', {
    snapshot: required(mapOf(t.unknown)),
    lease_expires_ns: required(nullable(text())),
  }),
] as const;
