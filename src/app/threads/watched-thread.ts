/** The worker's side of a watch: whether to stop, and the heartbeat. For workers that `watchThread` started. */
import * as os from 'node:os';
import { workerData } from 'node:worker_threads';
import { ownThread } from './processor-wait.js';

/** Indexes into the memory that both sides share. */
export const stop_cell = 0;
export const heartbeat_cell = 1;
export const thread_cell = 2;
export const cells_count = 3;

export interface WatchedData<Task> {
  readonly task: Task;
  readonly cells: Int32Array;
  /** Whether other threads that need the processor take precedence. */
  readonly isBackground: boolean;
}

/** The niceness added to a background thread, which leaves it a third of the processor share of other threads. */
const background_nice = 5;
const nice_max = 19;

/** This thread's side of the watch. */
export interface OwnWatch<Task> extends WatchedData<Task> {
  readonly mustStop: () => boolean;
  readonly alive: () => void;
}

/** Returns this thread's task and watch. A background thread gets the processor after threads that serve requests. */
export function watchedTask<Task>(): OwnWatch<Task> {
  const { task, cells, isBackground } = workerData as WatchedData<Task>;
  if (isBackground) standBack();
  cells[thread_cell] = ownThread();
  /** Raises the counter, never back to 0, because 0 means that the thread has not started. */
  const alive = (): void => {
    cells[heartbeat_cell] = ((cells[heartbeat_cell] ?? 0) + 1) & 0x3fffffff || 1;
  };
  alive();
  return { task, cells, isBackground, mustStop: () => Atomics.load(cells, stop_cell) !== 0, alive };
}

/**
 * Lowers the thread's priority. Only Linux has priorities per thread (setpriority(2), bugs); elsewhere it would be the process's.
 */
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    os.setPriority(0, Math.min(nice_max, os.getPriority(process.pid) + background_nice));
  } catch {
    // If a sandbox does not allow this, the work continues at the usual priority.
  }
}
