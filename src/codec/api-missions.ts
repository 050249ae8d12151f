/** Missions as the operator's HTTP API takes and answers them: the documents of `run`, `list`, `show`, `review` and `export`. */
import * as t from 'io-ts';
import * as limits from '../base/limits.js';
import { count, hash, time, uuid, sequence } from './scalars.js';
import { kind } from './kinds.js';
import { choice, flag, list, mapOf, nullable, object, optional, required, text } from './kit.js';
import type { Fields } from './field.js';
import { missionCodec, missionState } from './record.js';

/** What `missionRecord` leaves out of the projection's state. */
const inner = ['request_seq', 'result_seq', 'ids_hash', 'blobs', 'leased_at'];

/** An answer fills in every default, so nothing is optional in it. */
const answered = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !inner.includes(name))
      .map(([name, { codec }]) => [name, required(codec)]),
  );

export const missionRecordCodec = object('MissionRecord', {
  ...answered(missionCodec.fields),
  request: required(t.unknown),
  result: required(t.unknown),
  inference: required(choice(null)),
  invoice: required(choice(null)),
  receipt: required(choice(null)),
});

export const missionItem = object('MissionItem', {
  id: required(uuid),
  kind: required(kind),
  goal: required(text()),
  state: required(missionState),
  revision: required(sequence),
  updated_at: required(time),
});

export const missionPageCodec = object('MissionPage', {
  items: required(list(missionItem, 0, limits.page_items_max)),
  next_cursor: required(nullable(text({ pattern: /^[1-9][0-9]{0,15}$/ }))),
});

export const missionParams = object('MissionParams', { id: required(uuid) });

/** RFC 9562, section 4: a UUID is written in lower case, and read in either. */
const uuidInAnyCase = text({ pattern: /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/ });

/** Of a created mission: the same key with the same input answers the mission that is there. */
export const idempotencyHeaders = object('IdempotencyHeaders', { 'idempotency-key': optional(uuidInAnyCase) });

export const reviewBody = object('ReviewBody', {
  revision: required(count),
  result_hash: required(text({ min: 1, max: 64 })),
  approve: required(flag),
  note: required(text({ min: 1, max: limits.review_note_chars_max, notBlank: true })),
});

export const missionEntryCodec = object('MissionEntry', {
  sequence: required(sequence),
  time: required(time),
  /** Empty for a type that this program does not know. */
  type: required(text()),
  hash: required(hash),
  previous: required(hash),
  signature: required(text()),
  document: required(mapOf(t.unknown)),
  /** C2SP tlog-proof under the newest checkpoint. */
  proof: required(text()),
});

export const missionEntriesCodec = object('MissionEntries', {
  items: required(list(missionEntryCodec, 0, limits.page_items_max)),
  /** Give it back as `after` for the entries that follow; null at the end. */
  next_after: required(nullable(sequence)),
});
