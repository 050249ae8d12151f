/** Which workers of queues count in this process, and what it tells of them. */
import { epochs_checked_one_in, job_silence_ms_max } from '../../base/worker-limits.js';
import { readNatsCredentials, type NatsCredentials } from '../../nats/credentials.js';
import { queuesOf, type IslandSettings } from './islands.js';
import type { WorkerAccess, WorkerNotice } from './protocol.js';

export interface WorkerTrustOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly islands: IslandSettings;
  readonly onWarning: (message: string) => void;
  /** One epoch in this many is recomputed. */
  readonly check_one_in?: number | undefined;
}

export class WorkerTrust {
  private readonly refuted = new Set<string>();
  private readonly credentials: NatsCredentials | null;

  /** @throws RefusalError `invalid` for credentials that cannot be used, if an island has a queue */
  constructor(private readonly options: WorkerTrustOptions) {
    this.credentials = queuesOf(options.islands).length === 0 ? null : readNatsCredentials(options.env);
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
