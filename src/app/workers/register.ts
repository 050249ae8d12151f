/** The workers of queues as a process knows them: which are there, which count, and what operators are told of them. */
import { messageOf, type Result } from '../../base/refusal.js';
import { epochs_checked_one_in, job_silence_ms_max, worker_silence_ms_max, workers_listed_max } from '../../base/limits.js';
import type { WorkerBeat, WorkerState } from '../../codec/jobs.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import type { Home } from '../home/home.js';
import { type NatsLink, openNats } from './nats.js';
import { type NatsCredentials, readNatsCredentials } from './nats-credentials.js';
import { ownRelease, readBeat } from './messages.js';
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

/** A worker that has been gone for this time is not listed any more. */
const worker_forgotten_ms = 600_000;

/** What happened with a worker of a queue. */
export type WorkerNotice =
  /** It had taken a job and shows no progress; the job is done again. The key is null for one that was not heard at all since the queue gave it the job. */
  | { readonly type: 'lost'; readonly key: string | null }
  /** Its result is not what the recomputation gave. */
  | { readonly type: 'refuted'; readonly key: string }
  /** Its result does not count; the key is null for a result that is not signed by the key that it names. */
  | { readonly type: 'ignored'; readonly key: string | null; readonly reason: string }
  /** Begins that jobs are computed here because no worker answers, for a reason; null when that ends. */
  | { readonly type: 'alone'; readonly why: string | null };

/** Returns what operators are told of a worker. */
export function noticeText(notice: WorkerNotice): string {
  switch (notice.type) {
    case 'lost':
      return `${silentText(notice.key)}; its job is done again`;
    case 'refuted':
      return `the worker ${notice.key} gave a wrong result: it is not used any more, and its work is computed again`;
    case 'ignored':
      return `a result${notice.key === null ? '' : ` of the worker ${notice.key}`} does not count: ${notice.reason}`;
    case 'alone':
      return notice.why === null ? 'workers respond again' : `${notice.why}: jobs are computed here`;
  }
}

export const silentText = (key: string | null): string =>
  key === null
    ? 'a worker was given a job and was not heard after that'
    : `the worker ${key} showed no progress for ${job_silence_ms_max / 1_000} s`;

const none: ReadonlySet<string> = new Set();

interface WorkerEntry {
  readonly beat: WorkerBeat;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** On this process's monotonic clock (ms). */
  readonly heardAt: number;
}

/** The workers of the queues that are named at the moment, as their own messages describe them. It keeps a connection to each. */
export class WorkerRegister {
  private named = '';
  private ending = new AbortController();
  private links: NatsLink[] = [];
  private readonly ends: Promise<unknown>[] = [];
  /** By instance, the one heard longest ago first. */
  private readonly workers = new Map<string, WorkerEntry>();

  constructor(
    private readonly home: Home,
    private readonly queues: () => readonly NatsAddress[],
  ) {}

  /** Returns the workers heard from in the last ten minutes; null without a queue. @param refuted keys that gave a wrong result, besides the recorded ones */
  readonly states = (refuted: ReadonlySet<string> = none): readonly WorkerState[] | null => {
    const queues = this.queues();
    this.followAll(queues);
    if (queues.length === 0) return null;
    const recorded = acceptedKeys(this.home).refuted;
    const now = performance.now();
    return [...this.workers.values()]
      .filter(({ heardAt }) => now - heardAt <= worker_forgotten_ms)
      .map(({ beat, at, heardAt }) => ({
        key: beat.key,
        version: beat.version,
        state: refuted.has(beat.key) || recorded.includes(beat.key) ? 'refuted' : stateOf(beat, now - heardAt),
        last_beat: Math.floor(at / 1_000),
        done: beat.done,
      }));
  };

  async end(): Promise<void> {
    this.leave();
    await Promise.all(this.ends);
  }

  private leave(): void {
    this.ending.abort();
    this.ends.push(Promise.allSettled(this.links.map((link) => link.close())));
    this.links = [];
    this.workers.clear();
  }

  private followAll(queues: readonly NatsAddress[]): void {
    const named = queues.map(({ url }) => url).join();
    if (named === this.named) return;
    this.leave();
    this.named = named;
    this.ending = new AbortController();
    const credentials = readNatsCredentials(this.home.world.env);
    for (const queue of queues) void this.follow(queue, credentials, this.ending.signal);
  }

  private async follow(queue: NatsAddress, credentials: NatsCredentials, signal: AbortSignal): Promise<void> {
    try {
      const link = await openNats(queue, credentials, signal);
      if (signal.aborted) return void link.close();
      this.links.push(link);
      link.onBeat((message) => this.hear(message));
    } catch {
      // The only end of the tries is that of the server, or of the queue's place in the configuration.
    }
  }

  private hear(message: Uint8Array): void {
    const beat = readBeat(message);
    if (beat === null) return;
    const { instance } = beat;
    this.workers.delete(instance);
    this.workers.set(instance, { beat, at: this.home.world.clock(), heardAt: performance.now() });
    const [oldest] = this.workers.keys();
    if (this.workers.size > workers_listed_max && oldest !== undefined) this.workers.delete(oldest);
  }
}

function stateOf({ is_ending, release, jobs }: WorkerBeat, silent_ms: number): WorkerState['state'] {
  if (is_ending || silent_ms > worker_silence_ms_max) return 'gone';
  if (release !== ownRelease) return 'other_version';
  return jobs.length > 0 ? 'working' : 'idle';
}

/** How a run's work reaches the workers of queues, and which of them count. */
export interface WorkerAccess extends AcceptedKeys {
  readonly credentials: NatsCredentials;
  /** One epoch or run in this many is recomputed here. */
  readonly check_one_in: number;
}

interface WorkerTrustOptions {
  readonly home: Home;
  readonly actor: string;
  readonly queues: readonly NatsAddress[];
  readonly onWarning: (message: string) => void;
  /** One epoch in this many is recomputed. */
  readonly check_one_in?: number | undefined;
  /** Whether to follow the workers' messages, for `states`. */
  readonly listens?: boolean;
}

/** Which workers of queues count in this process, and what it tells of them. */
export class WorkerTrust {
  private readonly refuted = new Set<string>();
  private readonly credentials: NatsCredentials | null;
  private readonly register: WorkerRegister | null;
  private readonly recording: Promise<void>[] = [];

  /** @throws RefusalError `invalid` for credentials that cannot be used, if there is a queue */
  constructor(private readonly options: WorkerTrustOptions) {
    const { home, queues, listens = false } = options;
    this.credentials = queues.length === 0 ? null : readNatsCredentials(home.world.env);
    this.register = listens ? new WorkerRegister(home, () => queues) : null;
    this.states();
  }

  /** Returns the workers that were heard lately; null without a queue. */
  readonly states = (): readonly WorkerState[] | null => this.register?.states(this.refuted) ?? null;

  /** Resolves when what was learnt of workers is recorded, and no worker is followed any more. */
  async end(): Promise<void> {
    await Promise.all(this.recording);
    await this.register?.end();
  }

  /** Returns how a run reaches its workers, and which of them count at this moment; undefined without a queue. */
  readonly access = (): WorkerAccess | undefined => {
    const { credentials } = this;
    if (credentials === null) return undefined;
    const { keys, refuted } = acceptedKeys(this.options.home);
    const check_one_in = this.options.check_one_in ?? epochs_checked_one_in;
    return { credentials, keys, refuted: [...refuted, ...this.refuted], check_one_in };
  };

  readonly note = (notice: WorkerNotice): void => {
    if (notice.type === 'refuted') this.recording.push(this.refute(notice.key));
    this.options.onWarning(noticeText(notice));
  };

  /** Records that a key is not used any more. In this process that holds even if it cannot be recorded now. */
  private async refute(key: string): Promise<void> {
    this.refuted.add(key);
    const { home, actor, onWarning } = this.options;
    try {
      await refuteWorkerKey(home, key, wrong_result, actor);
    } catch (error) {
      onWarning(`that the worker ${key} is not used any more could not be recorded (${messageOf(error)})`);
    }
  }
}

// The keys of workers: which of them give results that count, and the decisions that add, remove and refute them.

type AcceptedKeys = Readonly<ReturnType<typeof acceptedKeys>>;

/** Returns whether results of a key count that come from a queue. */
export const isAccepted = ({ keys, refuted }: AcceptedKeys, queue: Pick<NatsAddress, 'tls'>, key: string): boolean =>
  (keys === null ? !queue.tls : keys.includes(key)) && !refuted.includes(key);

export type WorkerKeyRecord = Pick<WorkerKey, 'key' | 'name' | 'state' | 'changed_at'>;

export type WorkerKeyList = Readonly<ReturnType<typeof listWorkerKeys>>;

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

export const listWorkerKeys = (home: Home) => ({
  items: [...recordedWorkers(home.db).values()].map(recordOf).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
});

/** Returns the keys that count. On a damaged home a key may have been added of which nothing can be read: then no worker counts without one. */
export function acceptedKeys({ db }: Pick<Home, 'db'>) {
  const all = [...recordedWorkers(db).values()];
  const added = all.filter(({ name }) => name !== null);
  return {
    /** The keys whose results count; null while none was ever added, when all workers of a queue on loopback count. */
    keys: added.length === 0 && !isDamaged(db) ? null : added.flatMap(({ key, state }) => (state === 'active' ? [key] : [])),
    /** Keys whose workers have given a wrong result. */
    refuted: all.flatMap(({ key, state }) => (state === 'refuted' ? [key] : [])),
  };
}
