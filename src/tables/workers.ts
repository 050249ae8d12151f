/** The keys of workers by their signed entries, which the table must match. */
import { workerKey } from '../codec/jobs.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { type WorkerKey, workerKeyStates, workerStream } from '../domain/worker-key.js';
import { decoded, defineTable, named, valuesOf } from '../state/table.js';
import type { Db } from '../store/database.js';
import { readAll } from './read.js';

/** One row a key of a worker on another machine that the journal says something of. Results of active keys count. */
const ddl = `CREATE TABLE worker(
  key TEXT PRIMARY KEY,
  name TEXT,
  state TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
`;

const rowCodec = object('WorkerRow', {
  key: required(workerKey),
  name: required(nullable(text())),
  state: required(choice(...workerKeyStates)),
  changed_at: required(time),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
});
const columns = Object.keys(rowCodec.fields);

export const workerTable = defineTable<WorkerKey>({
  stream: workerStream,
  name: 'worker',
  projection: 'workers',
  ddl,
  version: 1,
  columns,
  key: 'key',
  rowsOf: (worker) => [valuesOf(columns, { ...worker })],
  stateOf: ([row]) => (row === undefined ? null : decoded('worker', decode(rowCodec, named(columns, row)))),
  codes: workerKeyStates,
  codeOf: ({ state }) => state,
});

/** Returns every key that the journal records and whose entries are undamaged. */
export function recordedWorkers(db: Db): ReadonlyMap<string, WorkerKey> {
  const all = [...readAll(db, workerTable)];
  return new Map(all.flatMap(([key, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[key, state]])));
}
