/** The keys of workers: which of them give results that count, and the decisions that add, remove and refute them. */
import type { Result } from '../../base/result.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import {
  decideAddKey,
  decideRefute,
  decideRemoveKey,
  type WorkerEvent,
  type WorkerKey,
  workerStream,
} from '../../domain/worker-key.js';
import { recordEvents } from '../../journal/stream.js';
import { isDamaged } from '../../tables/connection.js';
import { recordedWorkers } from '../../tables/workers.js';
import type { Home } from '../home/home.js';

export interface AcceptedKeys {
  /** The keys whose results count; null while none was ever added, when all workers of a queue on loopback count. */
  readonly keys: readonly string[] | null;
  /** Keys whose workers have given a wrong result. */
  readonly refuted: readonly string[];
}

/** Returns whether results of a key count that come from a queue. */
export const isAccepted = ({ keys, refuted }: AcceptedKeys, queue: Pick<NatsAddress, 'tls'>, key: string): boolean =>
  (keys === null ? !queue.tls : keys.includes(key)) && !refuted.includes(key);

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

/** The reason that the journal has for a key that is not used any more. */
export const wrong_result = 'a recomputation gave another result';

export const listWorkerKeys = (home: Home): WorkerKeyList => ({
  items: [...recordedWorkers(home.db).values()].map(recordOf).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
});

/** Returns the keys that count. On a damaged home a key may have been added of which nothing can be read: then no worker counts without one. */
export function acceptedKeys({ db }: Pick<Home, 'db'>): AcceptedKeys {
  const all = [...recordedWorkers(db).values()];
  const added = all.filter(({ name }) => name !== null);
  return {
    keys: added.length === 0 && !isDamaged(db) ? null : added.flatMap(({ key, state }) => (state === 'active' ? [key] : [])),
    refuted: all.flatMap(({ key, state }) => (state === 'refuted' ? [key] : [])),
  };
}
