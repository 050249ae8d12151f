/** The first event after a restore. */
import { blobRef } from '../blobs.js';
import { declare } from '../event-type.js';
import { choice, flag, nullable, object, optional, required, text } from '../kit.js';
import { causedBy, count, hash, incarnation, sequence } from '../scalars.js';

const restored = declare('journal.restored', {
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
});

export const journalEvents = [restored] as const;
