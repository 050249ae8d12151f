/** The messages between a worker's main thread and the threads that compute its jobs. */
import type { JobType } from '../../codec/jobs.js';

export interface JobTask {
  readonly type: JobType;
  readonly input: Uint8Array;
}

export type JobAnswer =
  /** `output` is sent without a copy. */
  | { readonly type: 'computed'; readonly output: Uint8Array<ArrayBuffer> }
  /** The input describes no job that this program can compute. */
  | { readonly type: 'refused'; readonly why: string }
  | { readonly type: 'stopped' };

/** `share` is the finished share of the job, from 0 to 1. */
export type JobMessage = JobAnswer | { readonly type: 'progress'; readonly share: number };
