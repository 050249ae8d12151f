/** Which workers of queues count in this process, and what it tells of them. */
import { epochs_checked_one_in, job_silence_ms_max } from '../../base/worker-limits.js';
import type { WorkerState } from '../../codec/jobs.js';
import type { WorkerRegister } from '../jobs/worker-register.js';
import { readNatsCredentials, type NatsCredentials } from '../../nats/credentials.js';
import { queuesOf, type IslandSettings } from './islands.js';
import type { WorkerAccess, WorkerNotice } from './protocol.js';

export interface WorkerTrustOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly islands: IslandSettings;
  readonly onWarning: (message: string) => void;
  /** One epoch in this many is recomputed. */
  readonly check_one_in?: number | undefined;
  /** Whether to follow the workers' messages, for `states`. */
  readonly listens?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export class WorkerTrust {
  private readonly refuted = new Set<string>();
  private readonly credentials: NatsCredentials | null;
  private readonly register: Promise<WorkerRegister> | null;
  private workers: WorkerRegister | null = null;

  /** @throws RefusalError `invalid` for credentials that cannot be used, if an island has a queue */
  constructor(private readonly options: WorkerTrustOptions) {
    const queues = queuesOf(options.islands);
    const credentials = queues.length === 0 ? null : readNatsCredentials(options.env);
    this.credentials = credentials;
    const { listens = false, clock = Date.now } = options;
    this.register =
      credentials === null || !listens
        ? null
        : import('../jobs/worker-register.js').then(
            (register) => (this.workers = new register.WorkerRegister(queues, credentials, clock)),
          );
  }

  /** Returns the workers that were heard lately; null where no island has a queue. */
  readonly states = (): readonly WorkerState[] | null =>
    this.credentials === null ? null : (this.workers?.states((key) => this.refuted.has(key)) ?? []);

  async end(): Promise<void> {
    await (await this.register)?.end();
  }

  /** Returns how a run reaches its workers, and which of them count at this moment; undefined for islands without a queue. */
  readonly access = (): WorkerAccess | undefined =>
    this.credentials === null
      ? undefined
      : {
          credentials: this.credentials,
          keys: null,
          refuted: [...this.refuted],
          check_one_in: this.options.check_one_in ?? epochs_checked_one_in,
        };

  readonly note = (notice: WorkerNotice): void => {
    if (notice.type === 'refuted') this.refuted.add(notice.key);
    this.options.onWarning(textOf(notice));
  };
}

function textOf(notice: WorkerNotice): string {
  switch (notice.type) {
    case 'lost':
      return `the worker ${notice.key} showed no progress for ${job_silence_ms_max / 1_000} s; another one does its job`;
    case 'refuted':
      return `the worker ${notice.key} gave a wrong result: it is not used any more, and its work is computed again`;
    case 'ignored':
      return `a result${notice.key === null ? '' : ` of the worker ${notice.key}`} does not count: ${notice.why}`;
    case 'alone':
      return notice.isAlone ? 'no worker answers: its jobs are computed here' : 'workers answer again';
  }
}
