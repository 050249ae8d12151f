/** Approvers by their signed entries, which the table must match. */
import { approvalKey, approverTitle } from '../codec/events/approver.js';
import { choice, integer, list, nullable, object, optional, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { type Approver, approverStates, approverStream } from '../domain/approver.js';
import type { Db } from '../store/database.js';
import { readAll } from './read.js';
import { defineRowTable } from '../state/rows.js';

/** One row an approver. `keys` is a list in JSON. */
const keyCodec = object('ApproverKeyRow', {
  ...approvalKey,
  credential: optional(text()),
  added_at: required(time),
  removed_at: required(nullable(time)),
  reason: required(nullable(text())),
});

const row = object('ApproverRow', {
  name: required(text()),
  title: required(nullable(approverTitle)),
  state: required(choice(...approverStates)),
  keys: required(list(keyCodec, 0, 100)),
  created_at: required(time),
  changed_at: required(time),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
});

export const approverTable = defineRowTable<Approver>({
  stream: approverStream,
  name: 'approver',
  projection: 'approvers',
  version: 1,
  row,
  key: 'name',
  codes: approverStates,
  codeOf: ({ state }) => state,
});

/** Returns every approver whose entries are undamaged, removed ones too, by name. */
export function recordedApprovers(db: Db): ReadonlyMap<string, Approver> {
  const all = [...readAll(db, approverTable)];
  return new Map(all.flatMap(([name, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[name, state]])));
}
