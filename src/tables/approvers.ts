/** Approvers by their signed entries, which the table must match. */
import { approverStates } from '../codec/api-approvers.js';
import { type Approver, approverRow, approverStream } from '../domain/approver.js';
import type { Db } from '../store/database.js';
import { defineRowTable } from '../state/rows.js';
import { readAll } from './read.js';

export const approverTable = defineRowTable<Approver>({
  stream: approverStream,
  name: 'approver',
  projection: 'approvers',
  version: 1,
  row: approverRow,
  key: 'name',
  codes: approverStates,
  codeOf: ({ state }) => state,
});

/** Returns every approver whose entries are undamaged, removed ones too, by name. */
export function recordedApprovers(db: Db): ReadonlyMap<string, Approver> {
  const all = [...readAll(db, approverTable)];
  return new Map(all.flatMap(([name, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[name, state]])));
}
