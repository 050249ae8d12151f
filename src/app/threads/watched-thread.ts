/** A watched thread's own side: whether it is to stop, and that it lives. For workers that `watchThread` started. */
import * as os from 'node:os';
import { workerData } from 'node:worker_threads';
import { ownThread } from './processor-wait.js';

/** Cells of the memory that both sides share. */
export const stop_cell = 0;
export const heartbeat_cell = 1;
export const thread_cell = 2;
export const cells_count = 3;

export interface WatchedData<Task> {
  readonly task: Task;
  readonly cells: Int32Array;
  /** Whether others that want the processor go first. */
  readonly isBackground: boolean;
}

/** A third of the share that a thread without it gets. */
const background_nice = 5;
const nice_max = 19;

/** This thread's side of the watch. */
export interface OwnWatch<Task> extends WatchedData<Task> {
  readonly mustStop: () => boolean;
  readonly alive: () => void;
}

/** What this thread was given; one in the background takes the processor after threads that answer requests. */
export function watchedTask<Task>(): OwnWatch<Task> {
  const { task, cells, isBackground } = workerData as WatchedData<Task>;
  if (isBackground) standBack();
  cells[thread_cell] = ownThread();
  /** Never 0 again, which says that the thread has not begun. */
  const alive = (): void => {
    cells[heartbeat_cell] = ((cells[heartbeat_cell] ?? 0) + 1) & 0x3fffffff || 1;
  };
  alive();
  return { task, cells, isBackground, mustStop: () => Atomics.load(cells, stop_cell) !== 0, alive };
}

/** On Linux a priority is a thread's own (setpriority(2), bugs); elsewhere it would be the whole process's, so it is left alone. */
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    os.setPriority(0, Math.min(nice_max, os.getPriority(process.pid) + background_nice));
  } catch {
    // Where a sandbox does not allow it the work goes on as it is.
  }
}
