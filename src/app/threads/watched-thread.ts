/** The worker's side of a watch: whether to stop, and the heartbeat. For workers that `watchThread` started. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort, type Worker, workerData } from 'node:worker_threads';
import { errorOf, type Failed, failedOf } from '../../journal/verify-failed.js';

/** Indexes into the memory that both sides share. */
export const stop_cell = 0;
export const heartbeat_cell = 1;
export const thread_cell = 2;
/** The heap of a thread that serves many tasks after the last one, in MiB. */
export const heap_cell = 3;
/** Whether an engine that can is to end with the best that it has. */
export const conclude_cell = 4;
export const cells_count = 5;

export interface ServingData {
  readonly cells: Int32Array;
  /** Whether other threads that need the processor take precedence. */
  readonly isBackground: boolean;
}

export interface WatchedData<Task> extends ServingData {
  readonly task: Task;
}

/** What a thread that serves many tasks is sent: a task, then what it is to do for it. */
export type ToThread<Task, Order> = { readonly task: Task } | { readonly order: Order };

/** The niceness added to a background thread, which leaves it a third of the processor share of other threads. */
const background_nice = 5;
const nice_max = 19;

/** Thrown by work that was told to stop. */
export class Stopped extends Error {}

/** This thread's side of the watch. */
export interface OwnWatch extends ServingData {
  readonly mustStop: () => boolean;
  readonly mustConclude: () => boolean;
  readonly alive: () => void;
}

/** Returns this thread's task and watch. A background thread gets the processor after threads that serve requests. */
export const watchedTask = <Task>(): OwnWatch & { readonly task: Task } => ({
  task: (workerData as WatchedData<Task>).task,
  ...ownWatch(),
});

/**
 * Serves tasks one after the other.
 * @param begin does a task, or starts one and returns what takes its orders. Its answer is the last message of a task
 */
export function serveTasks<Task, Order = never>(
  begin: (task: Task, watch: OwnWatch) => Promise<void> | ((order: Order) => void),
): void {
  const watch = ownWatch();
  const noteHeap = (): void => void Atomics.store(watch.cells, heap_cell, getHeapStatistics().used_heap_size / 2 ** 20);
  let take: ((order: Order) => void) | null = null;
  parentPort?.on('message', (message: ToThread<Task, Order>) => {
    const begun = 'task' in message ? begin(message.task, watch) : take?.(message.order);
    if (begun instanceof Promise) void begun.then(noteHeap);
    else {
      take = begun ?? take;
      noteHeap();
    }
  });
}

function ownWatch(): OwnWatch {
  const { cells, isBackground } = workerData as ServingData;
  if (isBackground) standBack();
  cells[thread_cell] = ownThread();
  /** Raises the counter, never back to 0, because 0 means that the thread has not started. */
  const alive = (): void => {
    cells[heartbeat_cell] = ((cells[heartbeat_cell] ?? 0) + 1) & 0x3fffffff || 1;
  };
  alive();
  const isSet = (cell: number) => (): boolean => Atomics.load(cells, cell) !== 0;
  return { cells, isBackground, mustStop: isSet(stop_cell), mustConclude: isSet(conclude_cell), alive };
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

/** Returns the ID of the calling thread, which the process's other threads use to find it; 0 if the system does not report it. */
export function ownThread(): number {
  try {
    return Number(/\/task\/([0-9]+)$/.exec(fs.readlinkSync('/proc/thread-self'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Returns the total ms that a thread of this process was ready but not running; 0 if not reported (proc(5), sched-stats). */
export function waitedMs(thread: number): number {
  if (thread === 0) return 0;
  try {
    const [, waited_ns] = fs.readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ');
    return Number(waited_ns) / 1e6 || 0;
  } catch {
    return 0;
  }
}

// A thread that computes one answer and ends.

type Answer<A> = { readonly answer: A } | { readonly failed: Failed };

/** Resolves with the thread's answer. Rejects with the thread's error, also when the thread ends without an answer. */
export const answerOf = <A>(worker: Worker): Promise<A> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: Answer<A>) => {
      if ('failed' in message) reject(errorOf(message.failed));
      else resolve(message.answer);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`its thread ended with code ${code}`)));
  });

/** Sends the answer of this thread to the thread that started it. */
export function sendAnswer<A>(compute: () => A | Promise<A>): void {
  const answer = async (): Promise<Answer<A>> => {
    try {
      return { answer: await compute() };
    } catch (error) {
      return { failed: failedOf(error) };
    }
  };
  // Not awaited at the top level: if a thread is terminated while such a module loads, V8 ends the whole process.
  void answer().then((said) => parentPort?.postMessage(said));
}
