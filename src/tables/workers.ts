/** The keys of workers by their signed entries, which the table must match. */
import { workerCodec, type WorkerKey, workerKeyStates, workerStream } from '../domain/worker-key.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { readAll } from './read.js';

export const workerTable = defineRowTable<WorkerKey>({
  stream: workerStream,
  name: 'worker',
  projection: 'workers',
  version: 1,
  row: workerCodec,
  key: 'key',
  codes: workerKeyStates,
  codeOf: ({ state }) => state,
});

/** Returns every key that the journal records and whose entries are undamaged. */
export function recordedWorkers(db: Db): ReadonlyMap<string, WorkerKey> {
  const all = [...readAll(db, workerTable)];
  return new Map(all.flatMap(([key, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[key, state]])));
}
