/** The keys of workers by their signed entries, which the table must match. */
import { workerKey } from '../codec/jobs.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { type WorkerEvent, type WorkerKey, workerKeyStates, workerStream } from '../domain/worker-key.js';
import { requireSigned } from '../journal/stream.js';
import { rowProjector } from './project.js';
import { decoded, named, type Table, valuesOf } from './table.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
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

const workerTable: Table<WorkerKey, WorkerEvent> = {
  stream: workerStream,
  name: 'worker',
  columns,
  idOf: ([key]) => String(key),
  rowsOf: (worker) => [valuesOf(columns, { ...worker })],
  stateOf: ([row]) => (row === undefined ? null : decoded('worker', decode(rowCodec, named(columns, row)))),
};

export const workersProjector = rowProjector(workerTable, {
  name: 'workers',
  version: 1,
  ddl,
  key: 'key',
});

/** Whoever can write to the file could add a key, so the signature of every entry about one is checked. */
const checkedWorkers: CheckedTable<WorkerKey, WorkerEvent> = { ...workerTable, check: requireSigned };

/** Returns every key that the journal records and whose entries are undamaged. */
export function recordedWorkers(db: Db): ReadonlyMap<string, WorkerKey> {
  const all = [...readAll(db, checkedWorkers, `SELECT ${workerTable.columns.join(', ')} FROM worker`)];
  return new Map(all.flatMap(([key, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[key, state]])));
}
