/** Adds, removes and lists the keys of workers whose results count. */
import type { Result } from '../../base/result.js';
import {
  decideAddKey,
  decideRefute,
  decideRemoveKey,
  workerStream,
  type WorkerEvent,
  type WorkerKey,
} from '../../domain/worker-key.js';
import { recordEvents } from '../../journal/stream.js';
import { recordedWorkers } from '../../rows/workers.js';
import type { Home } from '../home/home.js';
import type { AcceptedKeys } from './accepted.js';

export type WorkerKeyRecord = Pick<WorkerKey, 'key' | 'name' | 'state' | 'changed_at'>;

export interface WorkerKeyList {
  readonly items: readonly WorkerKeyRecord[];
}

const recordOf = ({ key, name, state, changed_at }: WorkerKey): WorkerKeyRecord => ({ key, name, state, changed_at });

/** Records a decision about a key; null when the key has no entries even then. */
async function change(
  home: Home,
  key: string,
  decide: (keys: ReadonlyMap<string, WorkerKey>) => Result<readonly WorkerEvent[]>,
): Promise<WorkerKeyRecord | null> {
  const known = await home.transact((tx) => {
    recordEvents(tx, workerStream, key, decide(recordedWorkers(tx.db)));
    return recordedWorkers(tx.db).get(key);
  });
  return known === undefined ? null : recordOf(known);
}

export const addWorkerKey = (home: Home, key: string, name: string, actor: string): Promise<WorkerKeyRecord | null> =>
  change(home, key, (keys) => decideAddKey(keys, key, name, actor));

export const removeWorkerKey = (home: Home, key: string, actor: string): Promise<WorkerKeyRecord | null> =>
  change(home, key, (keys) => decideRemoveKey(keys.get(key) ?? null, actor));

/** Stops using a worker whose result was wrong. */
export const refuteWorkerKey = (home: Home, key: string, reason: string, actor: string): Promise<WorkerKeyRecord | null> =>
  change(home, key, (keys) => decideRefute(keys.get(key) ?? null, reason, actor));

export const listWorkerKeys = (home: Home): WorkerKeyList => ({
  items: [...recordedWorkers(home.db).values()].map(recordOf).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
});

export function acceptedKeys(home: Pick<Home, 'db'>): AcceptedKeys {
  const all = [...recordedWorkers(home.db).values()];
  const added = all.filter(({ name }) => name !== null);
  return {
    keys: added.length === 0 ? null : added.flatMap(({ key, state }) => (state === 'active' ? [key] : [])),
    refuted: all.flatMap(({ key, state }) => (state === 'refuted' ? [key] : [])),
  };
}
