/** Approvers by their signed entries, which the table must match. */
import { canonicalJson } from '../base/canonical-json.js';
import { approvalKey, approverTitle } from '../codec/events/approver.js';
import { choice, decode, integer, list, nullable, object, optional, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { type Approver, approverStates, approverStream } from '../domain/approver.js';
import type { Db } from '../store/database.js';
import { readAll } from './read.js';
import { decoded, defineTable, named, parsed, valuesOf } from '../state/table.js';

/** One row an approver. `keys` is a list in JSON. */
const ddl = `CREATE TABLE approver(
  name TEXT PRIMARY KEY,
  title TEXT,
  state TEXT NOT NULL,
  keys TEXT NOT NULL,
  created_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
`;

const keyCodec = object('ApproverKeyRow', {
  ...approvalKey,
  credential: optional(text()),
  added_at: required(time),
  removed_at: required(nullable(time)),
  reason: required(nullable(text())),
});

const rowCodec = object('ApproverRow', {
  name: required(text()),
  title: required(nullable(approverTitle)),
  state: required(choice(...approverStates)),
  keys: required(list(keyCodec, 0, 100)),
  created_at: required(time),
  changed_at: required(time),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
});
const columns = Object.keys(rowCodec.fields);

export const approverTable = defineTable<Approver>({
  stream: approverStream,
  name: 'approver',
  projection: 'approvers',
  ddl,
  version: 1,
  columns,
  key: 'name',
  rowsOf: (approver) => [valuesOf(columns, { ...approver, keys: canonicalJson(approver.keys) })],
  stateOf([row]) {
    if (row === undefined) return null;
    const values = named(columns, row);
    return decoded('approver', decode(rowCodec, { ...values, keys: parsed('approver', values['keys']) }));
  },
  codes: approverStates,
  codeOf: ({ state }) => state,
});

/** Returns every approver whose entries are undamaged, removed ones too, by name. */
export function recordedApprovers(db: Db): ReadonlyMap<string, Approver> {
  const all = [...readAll(db, approverTable)];
  return new Map(all.flatMap(([name, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[name, state]])));
}
