/** The keys of workers on other machines: added by name, removed, and refuted once a result was wrong. Adding a refuted key again admits it. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { invalid, ok, type Result } from '../base/refusal.js';
import { workerKey } from '../codec/jobs.js';
import { choice, nullable, object, required, text } from '../codec/kit.js';
import { idForm, idPattern, sequence, time } from '../codec/scalars.js';
import { type EventContext, type EventIn, streams } from './stream.js';

/** Keys of workers whose results count. */
const worker_keys_max = 1_000;

export type WorkerEvent = EventIn<'worker.'>;

export const workerKeyStates = ['active', 'removed', 'refuted'] as const;

/** A key of a worker on another machine. Results of active keys count. */
export const workerCodec = object('WorkerRow', {
  /** The Ed25519 public key, 64 hexadecimal digits. */
  key: required(workerKey),
  /** Null for a key that was never added: of a worker on loopback that was refuted. */
  name: required(nullable(text())),
  state: required(choice(...workerKeyStates)),
  changed_at: required(time),
  /** Sequence of its newest event. */
  revision: required(sequence),
});

export type WorkerKey = t.TypeOf<typeof workerCodec>;

export const workerStream = streams<WorkerKey, 'worker.'>('@worker:', {
  noun: "worker's key",
  events: ['worker.'],
  evolve: (
    before,
    { type, document }: WorkerEvent,
    { id: key, sequence: revision, time: changed_at }: EventContext,
  ): WorkerKey => {
    const at = { key, revision, changed_at };
    switch (type) {
      case 'worker.added':
        return { ...at, name: document.name, state: 'active' };
      case 'worker.removed':
        return { ...at, name: before?.name ?? null, state: 'removed' };
      case 'worker.refuted':
        return { ...at, name: before?.name ?? null, state: 'refuted' };
    }
  },
});

type Keys = ReadonlyMap<string, WorkerKey>;
type Events = Result<readonly WorkerEvent[]>;

export function decideAddKey(keys: Keys, key: string, name: string, actor: string): Events {
  if (!workerKey.is(key)) return E.left(invalid('key', 'must be the 64 hexadecimal digits that the worker prints'));
  if (!idPattern.test(name)) return E.left(invalid('name', `must be ${idForm}`));
  const active = [...keys.values()].filter(({ state }) => state === 'active');
  const same = active.find((known) => known.key === key || known.name === name);
  if (same?.key === key && same.name === name) return ok([]);
  if (same !== undefined) {
    const detail = same.key === key ? `the key is added already, as ${same.name}` : `there is a key named ${name} already`;
    return E.left({ code: 'exists', detail, hint: 'agent-cli worker-key list' });
  }
  if (active.length >= worker_keys_max)
    return E.left({
      code: 'conflict',
      detail: `there are ${worker_keys_max} keys, which is the most`,
      hint: 'agent-cli worker-key list',
    });
  return ok([{ type: 'worker.added', document: { name, actor } }]);
}

export function decideRemoveKey(known: WorkerKey | null, actor: string): Events {
  if (known?.state === 'active') return ok([{ type: 'worker.removed', document: { actor } }]);
  return E.left({ code: 'not_found', detail: 'no such key is in use', hint: 'agent-cli worker-key list' });
}

/** A key that is refuted already changes nothing. */
export const decideRefute = (known: WorkerKey | null, reason: string, actor: string): Events =>
  ok(known?.state === 'refuted' ? [] : [{ type: 'worker.refuted', document: { reason, actor } }]);
