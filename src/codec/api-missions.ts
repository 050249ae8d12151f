/** Missions as the operator's HTTP API takes and returns them: the documents of `run`, `list`, `show`, `review` and `export`. */
import * as t from 'io-ts';
import * as limits from '../base/limits.js';
import { fingerprint } from './events/approver.js';
import { approvalSummary } from './approvals.js';
import { invoiceRecordCodec, receiptRecordCodec } from './api-invoices.js';
import { allRequired, choice, flag, list, mapOf, nullable, object, optional, required, text } from './kit.js';
import { inference } from './chat-completion.js';
import { count, hash, time, uuid, uuidInAnyCase, sequence } from './scalars.js';
import { kind } from './kinds.js';
import { configStatus } from './api-status.js';
import { missionCodec, missionState } from './record.js';

/** Changes of a request that its record shows. */
export const request_changes_max = 100;

/** A record leaves out the parts of the projection's state that only the program itself needs. */
const {
  request_seq: _request_seq,
  result_seq: _result_seq,
  ids_hash: _ids_hash,
  blobs: _blobs,
  leased_at: _leased_at,
  assistant: _assistant,
  requester: _requester,
  policy: _policy,
  approvals: _approvals,
  approved_seq: _approved_seq,
  ...shown
} = missionCodec.fields;

const shownApproval = object('ShownApproval', {
  ...approvalSummary.fields,
  /** The key was removed after it approved, which leaves the approval valid. */
  key_removed_at: optional(time),
});

/** What a mission's state does not say. */
const progress = {
  /** The process that executed it ended without an outcome; `recover` queues it again. */
  interrupted: optional(choice(true)),
  /** It has been executing for longer than its lease; only `cancel` ends it. */
  late: optional(choice(true)),
  /** Its place in the queue, from 1, while it is to be executed. */
  queue_position: optional(sequence),
  /** Why it cannot start now; it is tried again every minute. */
  queue_reason: optional(text()),
  /** About how long its search will take, at most; there before the start, for kinds that search as long as their effort says. */
  estimate: optional(
    object('Estimate', {
      search_ms: required(count),
      /** The effort that fits into the time of a search; there where the mission's does not, and would end early. */
      evaluations_in_time: optional(count),
    }),
  ),
  /** The next command for an interrupted or late mission. */
  next: optional(text()),
};

/** Goal and sources are texts of an assistant. */
const submitter = {
  /** The name of the assistant that submitted it; absent where a person did. */
  assistant: optional(text()),
};

/** A member of a request that differs from the one that it was made from; absent where it is missing. */
const requestChange = object('RequestChange', {
  path: required(text()),
  before: optional(t.unknown),
  after: optional(t.unknown),
});
export type RequestChange = t.TypeOf<typeof requestChange>;

export const missionRecordCodec = object('MissionRecord', {
  ...allRequired(shown),
  request: required(t.unknown),
  result: required(t.unknown),
  /** The call of the language model that the result came from; null for a result of an engine. */
  inference: required(nullable(inference)),
  ...submitter,
  /** Whether the reader may not see the result: an assistant sees none before people have approved it. Only then. */
  result_hidden: optional(choice(true)),
  /** The newest invoice; null while there is none. */
  invoice: required(nullable(invoiceRecordCodec)),
  /** The evidence of its payment; null until that is settled. */
  receipt: required(nullable(receiptRecordCodec)),
  /** There where a result is, or was approved, without being computed again as others of its kind are: another version of the engine made it. */
  recomputed: optional(choice(null)),
  /** Who has approved the result by a key; absent while nobody has and none is called for. */
  approvals: optional(list(shownApproval, 0, 100)),
  /** How many people must approve it, or had to; absent with `approvals`. */
  approvals_required: optional(count),
  /** What the home's word for an approval is worth that no key of a person signed; only then. */
  unsigned: optional(text()),
  /** What was changed of the request of the mission that it was made from; only where there is one, and both are stored. */
  changes: optional(list(requestChange, 0, request_changes_max)),
  ...progress,
  /** The warning that config.json is not the signed configuration; only then. */
  config: optional(configStatus),
});

export type MissionRecord = t.TypeOf<typeof missionRecordCodec>;

export const missionItem = object('MissionItem', {
  id: required(uuid),
  kind: required(kind),
  goal: required(text()),
  state: required(missionState),
  revision: required(sequence),
  updated_at: required(time),
  ...submitter,
  ...progress,
});

export type MissionItem = t.TypeOf<typeof missionItem>;

export const missionPageCodec = object('MissionPage', {
  items: required(list(missionItem, 0, limits.page_items_max)),
  /** Sent as `cursor` it returns the next page; null at the end. */
  next_cursor: required(nullable(text({ pattern: /^[1-9][0-9]{0,15}$/ }))),
  /** The warning that config.json is not the signed configuration; only then. */
  config: optional(configStatus),
});

export type MissionPage = t.TypeOf<typeof missionPageCodec>;

export const missionParams = object('MissionParams', { id: required(uuid) });

/** The same key with the same input returns the mission that it made before. */
export const idempotencyHeaders = object('IdempotencyHeaders', { 'idempotency-key': optional(uuidInAnyCase) });

export const reviewBody = object('ReviewBody', {
  revision: required(count),
  result_hash: required(text({ min: 1, max: 64 })),
  approve: required(flag),
  note: required(text({ min: 1, max: limits.review_note_chars_max, notBlank: true })),
});
/** What a person decides, bound to the result that was looked at. */
export type ReviewBody = t.TypeOf<typeof reviewBody>;

export const subjectQuery = object('SubjectQuery', {
  approver: optional(text({ min: 1, max: 64 })),
  /** The fingerprint of the key that is to sign. */
  key: required(fingerprint),
  note: reviewBody.fields.note,
});

const missionEntryCodec = object('MissionEntry', {
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

export type MissionEntry = t.TypeOf<typeof missionEntryCodec>;

export const missionEntriesCodec = object('MissionEntries', {
  /** The oldest first. */
  items: required(list(missionEntryCodec, 0, limits.page_items_max)),
  /** Sent as `after` it returns the entries that follow; null at the end. */
  next_after: required(nullable(sequence)),
  /** The warning that config.json is not the signed configuration; only then. */
  config: optional(configStatus),
});
export type MissionEntries = t.TypeOf<typeof missionEntriesCodec>;
