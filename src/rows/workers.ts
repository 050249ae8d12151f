/** The keys of workers by their signed entries, which the table must match. */
import type { WorkerEvent, WorkerKey } from '../domain/worker-key.js';
import { requireSigned } from '../journal/stream.js';
import { workerTable } from '../projection/workers.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { readAll } from './read.js';

/** Whoever can write to the file could add a key, so the signature of every entry about one is checked. */
const checkedWorkers: CheckedTable<WorkerKey, WorkerEvent> = { ...workerTable, check: requireSigned };

/** Returns every key that the journal records and whose entries are undamaged. */
export function recordedWorkers(db: Db): ReadonlyMap<string, WorkerKey> {
  const all = [...readAll(db, checkedWorkers, `SELECT ${workerTable.columns.join(', ')} FROM worker`)];
  return new Map(all.flatMap(([key, { state, isDoubtful }]) => (state === null || isDoubtful ? [] : [[key, state]])));
}
