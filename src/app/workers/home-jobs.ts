/** Jobs as the home submits them. */
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
