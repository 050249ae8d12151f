/** The thread's side of a watch: its tasks, whether to stop, and the heartbeat. For threads that `watchThread` started. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { type ThreadFailure, failedOf } from '../../journal/verify-threads.js';

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

/** What a thread is sent: a task, then perhaps what it is to do for it. */
export type ToThread<Task, Order> = { readonly task: Task } | { readonly order: Order };

/** What a thread sends of a task: news, replies to its orders, and how it ended. */
export type FromThread<Answer, News, Reply> =
  | { readonly news: News }
  | { readonly reply: Reply }
  | { readonly answer: Answer }
  | { readonly failed: ThreadFailure }
  | { readonly stopped: true };

/** The niceness added to a background thread, which leaves it a third of the processor share of other threads. */
const background_nice = 5;
const nice_max = 19;

/** Thrown by work that was told to stop. */
export class Stopped extends Error {}

/** This thread's side of a task: whether it is to end, and what it and the thread's owner send each other before that. */
export interface TaskWatch<News = never, Order = never, Reply = never> {
  readonly mustStop: () => boolean;
  readonly mustConclude: () => boolean;
  readonly alive: () => void;
  /** A heartbeat. @throws Stopped when the task is to end */
  readonly checkpoint: () => void;
  readonly isBackground: boolean;
  readonly tell: (news: News) => void;
  /** Waits for the next order. Each is answered by `reply`, or by the end of the task. */
  readonly order: () => Promise<Order>;
  readonly reply: (reply: Reply) => void;
}

/**
 * Serves tasks one after the other.
 * @param compute does a task and returns its answer. An error ends the thread
 * @param movedOf returns the memory that an answer is sent with, without a copy
 */
export function serveTasks<Task, Answer, News = never, Order = never, Reply = never>(
  compute: (task: Task, watch: TaskWatch<News, Order, Reply>) => Answer | Promise<Answer>,
  movedOf: (answer: Answer) => ArrayBuffer | null = () => null,
): void {
  const { cells, ...own } = ownWatch();
  let take: (order: Order) => void = () => undefined;
  const send = (message: FromThread<Answer, News, Reply>, moved: ArrayBuffer | null = null): void =>
    parentPort?.postMessage(message, moved === null ? [] : [moved]);
  const watch: TaskWatch<News, Order, Reply> = {
    ...own,
    tell: (news) => send({ news }),
    order: () => new Promise((resolve) => (take = resolve)),
    reply: (reply) => send({ reply }),
  };
  const serve = async (task: Task): Promise<void> => {
    try {
      const answer = await compute(task, watch);
      send({ answer }, movedOf(answer));
    } catch (error) {
      send(error instanceof Stopped ? { stopped: true } : { failed: failedOf(error) });
    }
    Atomics.store(cells, heap_cell, getHeapStatistics().used_heap_size / 2 ** 20);
  };
  parentPort?.on('message', (message: ToThread<Task, Order>) => {
    if ('task' in message) void serve(message.task);
    else take(message.order);
  });
}

function ownWatch(): ServingData & Omit<TaskWatch, 'tell' | 'order' | 'reply'> {
  const { cells, isBackground } = workerData as ServingData;
  if (isBackground) standBack();
  cells[thread_cell] = ownThread();
  /** Raises the counter, never back to 0, because 0 means that the thread has not started. */
  const alive = (): void => {
    cells[heartbeat_cell] = ((cells[heartbeat_cell] ?? 0) + 1) & 0x3fffffff || 1;
  };
  alive();
  const isSet = (cell: number) => (): boolean => Atomics.load(cells, cell) !== 0;
  const mustStop = isSet(stop_cell);
  const checkpoint = (): void => {
    if (mustStop()) throw new Stopped();
    alive();
  };
  return { cells, isBackground, mustStop, mustConclude: isSet(conclude_cell), alive, checkpoint };
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
