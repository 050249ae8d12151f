/** Jobs as the home submits them, and those that it computes itself. */
import { Fault } from '../../base/fault.js';
import type { JobType } from '../../codec/jobs.js';

/** A job as the home submits it. */
export interface Job {
  readonly type: JobType;
  /** Unique within the task. */
  readonly name: string;
  readonly input: Uint8Array;
  /** Keys whose workers must leave the job to others. */
  readonly notBy?: readonly string[];
  /** How long it waits while workers are busy with other jobs, when it cannot be computed here (ms). */
  readonly waiting_ms_max?: number;
}

/** Why a job is computed here: the queue cannot be reached, no worker responds, or none finished it in time. */
export type WhyHere = 'unreachable' | 'nobody' | 'overdue';

export interface JobAnswer {
  readonly output: Uint8Array;
  /** The key of the worker that computed it; null when it was computed here. */
  readonly key: string | null;
}

/** Computes jobs in this process, one after the other. */
export class LocalQueue {
  private last: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(
    private readonly compute: (job: Job, why: WhyHere) => Uint8Array | Promise<Uint8Array>,
    private readonly signal: AbortSignal,
  ) {}

  get isBusy(): boolean {
    return this.count > 0;
  }

  add(job: Job, why: WhyHere): Promise<JobAnswer> {
    this.count++;
    const computed = this.last.then(async () => {
      if (this.signal.aborted) throw new Fault('the task of the job has ended');
      return { output: await this.compute(job, why), key: null };
    });
    const leave = (): void => void this.count--;
    this.last = computed.then(leave, leave);
    return computed;
  }
}
