/** Jobs as the home submits and follows them, and when the workers of a queue were heard. */
import type { JobClaim, JobType, WorkerBeat } from '../../codec/jobs.js';
import {
  nats_connect_ms_max,
  nats_first_connection_ms_max,
  worker_silence_ms_max,
  workers_listed_max,
} from '../../base/limits.js';
import { ownRelease } from './messages.js';

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

/** Why a job is computed here: the queue cannot be reached or did not store it, no worker responds, or none finished it in time. */
export type LocalReason = 'unreachable' | 'refused' | 'nobody' | 'overdue';

export interface JobAnswer {
  readonly output: Uint8Array;
  /** The key of the worker that computed it; null when it was computed here. */
  readonly key: string | null;
}

/** A job in flight. */
export interface Pending {
  readonly job: Job;
  readonly input_sha256: string;
  readonly settle: (answer: JobAnswer | Promise<JobAnswer>) => void;
  /** The name under which it is queued: another one each time that it is queued again. */
  name: string;
  /** How often it was queued again because it had left the queue with a result that does not count. */
  rounds: number;
  notBy: readonly string[];
  /** Resolves when it is queued, or could not be. */
  sent: Promise<void>;
  /** Whether a result that does not count may have removed it from the queue. */
  isDoubtful: boolean;
  /** Whether its output is being read from the object store. */
  isArriving: boolean;
  /** The worker that has it, the delivery to it, and its progress; null while it waits in the queue. */
  taken: { readonly key: string; readonly delivery: number; progress: number } | null;
  /**
   * How many deliveries were lost, and which, each with its worker's key and its last progress: nats-server 2.9 may give a later one the number
   * of one of them.
   */
  lost: number;
  gone: Map<string, number>;
  /** Its place in the queue. */
  place: number | null;
  /** When it was queued, taken, lost, or made progress last. */
  since: number;
}

export const undelivered = () => ({
  taken: null,
  gone: new Map<string, number>(),
  lost: 0,
  place: null,
  since: performance.now(),
});

/** Returns why a result does not count, or null. @param accepts whether results of a key count */
export function objection(
  { key, release, input_sha256 }: JobClaim,
  { notBy, input_sha256: own }: Pending,
  accepts: (key: string) => boolean,
): string | null {
  if (!accepts(key)) return 'its key is not accepted';
  if (notBy.includes(key)) return 'its key must not compute this job';
  if (release !== ownRelease) return 'another version computed it';
  return input_sha256 === own ? null : 'it is for a different input';
}

/**
 * Time that a job which was lost by a worker waits for another one, before it is computed at home; and that a job which cannot be
 * computed there waits for any worker or for the queue.
 */
export const job_redelivered_ms_max = 10_000;

export const noWorkerText = (url: string): string => `no worker of ${url} responds`;
export const otherVersionText = (url: string, version: string): string =>
  `the workers of ${url} run another version (${version}) and get no jobs`;
export const uncountedText = (url: string): string =>
  `the results of the workers of ${url} do not count: their keys were not added, or were removed or refuted`;

/** A worker sends a message about itself each second. */
const idle_ms_min = 500;

/** When workers were heard, on this process's monotonic clock (ms). */
export class Heard {
  private readonly began = performance.now();
  private connectedAt: number | null = null;
  private refusal: string | null = null;
  /** What was said last of workers that get no jobs. */
  private others: string | null = null;
  private heardAt = Number.NEGATIVE_INFINITY;
  /** By instance, the workers without a job: since when, and how many they had done by then. One between two jobs has soon done another. */
  private readonly idle = new Map<string, { readonly done: number; readonly at: number }>();
  /** When a worker was heard last that has had no job for a while. */
  idleAt = Number.NEGATIVE_INFINITY;

  /** A try to connect has failed. */
  refused(reason: string): void {
    this.refusal = reason;
  }

  /** A worker that gets no jobs was heard. */
  unused(why: string): void {
    this.others = why;
  }

  /** Returns why no worker responds. */
  why(url: string, isConnected: boolean): string {
    if (isConnected) return this.others ?? noWorkerText(url);
    return `the queue ${url} cannot be reached (${this.connectedAt === null ? (this.refusal ?? 'no response') : 'connection lost'})`;
  }

  connected(): void {
    this.connectedAt = performance.now();
  }

  worker({ instance, done, jobs }: Pick<WorkerBeat, 'instance' | 'done' | 'jobs'>, now = performance.now()): void {
    this.heardAt = now;
    const since = this.idle.get(instance);
    if (jobs.length > 0 || this.idle.size > workers_listed_max) this.idle.delete(instance);
    else if (since?.done !== done) this.idle.set(instance, { done, at: now });
    else if (now - since.at > idle_ms_min) this.idleAt = now;
  }

  /**
   * Returns whether no worker responds: none was heard from, or there is no connection.
   * @param isPatient whether to wait longer, for a job that cannot be computed here
   */
  isNobody(now: number, isPatient = false): boolean {
    const { connectedAt, began, heardAt, refusal } = this;
    const [first_ms, silence_ms] = isPatient
      ? [job_redelivered_ms_max, job_redelivered_ms_max]
      : [refusal !== null ? nats_first_connection_ms_max : nats_connect_ms_max, worker_silence_ms_max];
    return connectedAt === null ? now - began > first_ms : now - Math.max(heardAt, connectedAt) > silence_ms;
  }

  /** Makes up for a time in which this thread could hear nobody. */
  shift(ms: number): void {
    this.heardAt += ms;
    if (this.connectedAt !== null) this.connectedAt += ms;
  }
}
