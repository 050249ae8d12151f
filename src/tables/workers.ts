/** The keys of workers by their signed entries, which the table must match. */
import { workerKey } from '../codec/jobs.js';
import { choice, integer, nullable, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { type WorkerKey, workerKeyStates, workerStream } from '../domain/worker-key.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { readAll } from './read.js';

/** One row a key of a worker on another machine that the journal says something of. Results of active keys count. */
const row = object('WorkerRow', {
  key: required(workerKey),
  name: required(nullable(text())),
  state: required(choice(...workerKeyStates)),
  changed_at: required(time),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
});

export const workerTable = defineRowTable<WorkerKey>({
  stream: workerStream,
  name: 'worker',
  projection: 'workers',
  version: 1,
  row,
  key: 'key',
  codes: workerKeyStates,
  codeOf: ({ state }) => state,
});

/** Returns every key that the journal records and whose entries are undamaged. */
export function recordedWorkers(db: Db): ReadonlyMap<string, WorkerKey> {
  const all = [...readAll(db, workerTable)];
  return new Map(all.flatMap(([key, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[key, state]])));
}
