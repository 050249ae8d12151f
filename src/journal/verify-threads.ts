/** Verifies the ranges and the index of a journal on worker threads. */
import { Worker } from 'node:worker_threads';
import { errorCode, Fault, messageOf, RefusalError } from '../base/refusal.js';
import { threadScript } from '../base/thread-script.js';
import type { Failure, RangeReport, RangeTask } from './verify-range.js';

/** A range, or the index. */
export type Task = RangeTask | 'index';

export interface ThreadOptions {
  readonly threads: number;
  readonly publicKey: Buffer;
  /** The seed of the key; the threads read it from memory that is wiped before this returns. */
  readonly seed: Uint8Array | null;
  /** Called with each range, in any order. */
  readonly onRange: (report: RangeReport) => void;
}

/** What a verification thread starts with. */
export interface ThreadData {
  readonly file: string;
  readonly publicKey: Uint8Array;
  /** Shared, not copied: a copy in a message could not be wiped. */
  readonly seed: SharedArrayBuffer | null;
}

/**
 * Returns the failure of the index, or null.
 * @param ranges taken one by one, so that a task is made only when a thread is free for it
 */
export async function verifyOnThreads(
  file: string,
  ranges: Iterable<RangeTask>,
  { threads, publicKey, seed, onRange }: ThreadOptions,
): Promise<Failure | null> {
  let index: Failure | null | undefined;
  const shared = seed === null ? null : new SharedArrayBuffer(seed.length);
  if (seed !== null && shared !== null) new Uint8Array(shared).set(seed);
  const workerData: ThreadData = { file, publicKey: Uint8Array.from(publicKey), seed: shared };
  const tasks = tasksOf(ranges);
  let failure: Error | null = null;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(threadScript(new URL('./verify-worker.js', import.meta.url)), { workerData });
      const next = (): void => {
        const task = failure === null ? tasks.next() : null;
        worker.postMessage(task === null || task.done === true ? null : task.value);
      };
      worker.on('message', (answer: Answer) => {
        try {
          if ('failed' in answer) throw errorOf(answer.failed);
          if ('index' in answer) ({ index } = answer);
          else onRange(answer.report);
        } catch (error) {
          failure ??= error instanceof Error ? error : new Fault('a range could not be taken', error);
        }
        next();
      });
      worker.on('error', (error) => (failure ??= error));
      worker.on('exit', (code) => {
        if (code !== 0) failure ??= new Error(`a verification thread ended with code ${code}`);
        if (failure === null) resolve();
        else reject(failure);
      });
      next();
    });
  // Even after a failure all threads have ended, and no longer use the file and the key, before the caller continues.
  const ends = await Promise.allSettled(Array.from({ length: threads }, work));
  if (shared !== null) new Uint8Array(shared).fill(0);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  if (index === undefined) throw new Fault('no thread has read the index');
  return index;
}

function* tasksOf(ranges: Iterable<RangeTask>): Generator<Task> {
  // The longest task first.
  yield 'index';
  yield* ranges;
}

// The error message of a verification thread. An error is sent in parts, because message and code of a SQLite error would be lost.

export type ThreadFailure = Readonly<ReturnType<typeof failedOf>>;

export type Answer = { readonly report: RangeReport } | { readonly index: Failure | null } | { readonly failed: ThreadFailure };

export const failedOf = (error: unknown) => ({
  code: errorCode(error),
  message: messageOf(error),
  stack: error instanceof Error ? error.stack : undefined,
  refusal: error instanceof RefusalError ? error.refusal : null,
});

export const errorOf = ({ code, message, stack, refusal }: ThreadFailure): Error =>
  refusal === null ? Object.assign(new Error(message), { code, stack }) : new RefusalError(refusal);
