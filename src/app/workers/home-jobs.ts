/** Jobs as the home submits them, and when the workers of a queue were heard. */
import type { JobType } from '../../codec/jobs.js';
import { nats_connect_ms_max, nats_first_connection_ms_max, worker_silence_ms_max } from '../../base/limits.js';

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

/**
 * Time that a job which was lost by a worker waits for another one, before it is computed at home; and that a job which cannot be
 * computed there waits for any worker or for the queue.
 */
export const job_redelivered_ms_max = 10_000;

/** When workers were heard, on this process's monotonic clock (ms). */
export class Heard {
  private readonly began = performance.now();
  private connectedAt: number | null = null;
  private isRefused = false;
  private heardAt = Number.NEGATIVE_INFINITY;
  /** When a worker said last that it has no job. */
  idleAt = Number.NEGATIVE_INFINITY;

  /** A try to connect has failed. */
  refused(): void {
    this.isRefused = true;
  }

  connected(): void {
    this.connectedAt = performance.now();
  }

  worker(isIdle: boolean): void {
    this.heardAt = performance.now();
    if (isIdle) this.idleAt = this.heardAt;
  }

  /**
   * Returns whether no worker responds: none was heard from, or there is no connection.
   * @param isPatient whether to wait longer, for a job that cannot be computed here
   */
  isNobody(now: number, isPatient = false): boolean {
    const { connectedAt, began, heardAt, isRefused } = this;
    const [first_ms, silence_ms] = isPatient
      ? [job_redelivered_ms_max, job_redelivered_ms_max]
      : [isRefused ? nats_first_connection_ms_max : nats_connect_ms_max, worker_silence_ms_max];
    return connectedAt === null ? now - began > first_ms : now - Math.max(heardAt, connectedAt) > silence_ms;
  }

  /** Makes up for a time in which this thread could hear nobody. */
  shift(ms: number): void {
    this.heardAt += ms;
    if (this.connectedAt !== null) this.connectedAt += ms;
  }
}
