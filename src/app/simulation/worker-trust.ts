/** Which workers of queues count in this process, and what it tells of them. */
import { epochs_checked_one_in } from '../../base/worker-limits.js';
import type { WorkerState } from '../../codec/jobs.js';
import type { Home } from '../home/home.js';
import { acceptedKeys, refuteWorkerKey } from '../jobs/keys.js';
import { ignoredText, lostText, wrong_result } from '../jobs/notices.js';
import type { WorkerRegister } from '../jobs/worker-register.js';
import { readNatsCredentials, type NatsCredentials } from '../../nats/credentials.js';
import { queuesOf, type IslandSettings } from './islands.js';
import type { WorkerAccess, WorkerNotice } from './protocol.js';

export interface WorkerTrustOptions {
  readonly home: Home;
  readonly actor: string;
  readonly islands: IslandSettings;
  readonly onWarning: (message: string) => void;
  /** One epoch in this many is recomputed. */
  readonly check_one_in?: number | undefined;
  /** Whether to follow the workers' messages, for `states`. */
  readonly listens?: boolean;
}

export class WorkerTrust {
  private readonly refuted = new Set<string>();
  private readonly credentials: NatsCredentials | null;
  private readonly register: Promise<WorkerRegister> | null;
  private workers: WorkerRegister | null = null;
  private readonly recording: Promise<void>[] = [];

  /** @throws RefusalError `invalid` for credentials that cannot be used, if an island has a queue */
  constructor(private readonly options: WorkerTrustOptions) {
    const queues = queuesOf(options.islands);
    const credentials = queues.length === 0 ? null : readNatsCredentials(options.home.world.env);
    this.credentials = credentials;
    const { listens = false, home } = options;
    this.register =
      credentials === null || !listens
        ? null
        : import('../jobs/worker-register.js').then(
            (register) => (this.workers = new register.WorkerRegister(queues, credentials, home.world.clock)),
          );
  }

  /** Returns the workers that were heard lately; null where no island has a queue. */
  readonly states = (): readonly WorkerState[] | null => {
    if (this.credentials === null) return null;
    const refuted = new Set([...acceptedKeys(this.options.home).refuted, ...this.refuted]);
    return this.workers?.states((key) => refuted.has(key)) ?? [];
  };

  /** Resolves when what was learnt of workers is recorded, and no worker is followed any more. */
  async end(): Promise<void> {
    await Promise.all(this.recording);
    await (await this.register)?.end();
  }

  /** Returns how a run reaches its workers, and which of them count at this moment; undefined for islands without a queue. */
  readonly access = (): WorkerAccess | undefined => {
    const { credentials } = this;
    if (credentials === null) return undefined;
    const { keys, refuted } = acceptedKeys(this.options.home);
    const check_one_in = this.options.check_one_in ?? epochs_checked_one_in;
    return { credentials, keys, refuted: [...refuted, ...this.refuted], check_one_in };
  };

  readonly note = (notice: WorkerNotice): void => {
    if (notice.type === 'refuted') this.recording.push(this.refute(notice.key));
    this.options.onWarning(textOf(notice));
  };

  /** Records that a key is not used any more. In this process that holds even if it cannot be recorded now. */
  private async refute(key: string): Promise<void> {
    this.refuted.add(key);
    const { home, actor, onWarning } = this.options;
    try {
      await refuteWorkerKey(home, key, wrong_result, actor);
    } catch (error) {
      onWarning(
        `that the worker ${key} is not used any more could not be recorded (${error instanceof Error ? error.message : String(error)})`,
      );
    }
  }
}

function textOf(notice: WorkerNotice): string {
  switch (notice.type) {
    case 'lost':
      return lostText(notice.key);
    case 'refuted':
      return `the worker ${notice.key} gave a wrong result: it is not used any more, and its work is computed again`;
    case 'ignored':
      return ignoredText(notice.key, notice.why);
    case 'alone':
      return notice.isAlone ? 'no worker responds: its jobs are computed here' : 'workers answer again';
  }
}
