/** Events of the stream `@control`: the agent's state, its configuration, accepted rollbacks, witnesses. */
import { noticeKind } from '../config.js';
import { blobRef, erasedBlobs } from '../blobs.js';
import { declare } from '../event-type.js';
import { choice, list, object, optional, required, text } from '../kit.js';
import { actor, causedBy, count, hash, incarnation, sequence, uuid, via } from '../scalars.js';

const initialised = declare('control.initialised', {
  state: required(choice('ready')),
  config_hash: required(hash),
  config_blob: optional(blobRef),
});

const configured = declare('control.configured', {
  state: required(choice('paused')),
  config_hash: required(hash),
  config_blob: required(blobRef),
  changed: required(list(text(), 0, 100)),
  erased: required(erasedBlobs(0, 10)),
  ...causedBy,
});

const paused = declare('control.paused', { state: required(choice('paused')), actor: optional(actor), via: optional(via) });
const resumed = declare('control.resumed', { state: required(choice('ready')), actor: optional(actor), via: optional(via) });
const rollbackAccepted = declare('control.rollback_accepted', {
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
});

const witnessAdded = declare('control.witness_added', {
  name: required(text({ min: 1, max: 255 })),
  url: required(text({ min: 1, max: 2_048 })),
  vkey: required(text({ min: 1, max: 400 })),
  ...causedBy,
});

/** A notice that no try could deliver. The address is a secret, and not part of it. */
const noticeFailed = declare('control.notice_failed', {
  delivery: required(uuid),
  kind: required(noticeKind),
  /** The id of the mission, or the type of the alert. */
  id: required(text({ min: 1, max: 64 })),
  tries: required(sequence),
  failed: required(text({ max: 200 })),
});

export const controlEvents = [initialised, configured, paused, resumed, rollbackAccepted, witnessAdded, noticeFailed] as const;
