/**
 * A watched worker thread. It is stopped on request, and terminated if it does not stop in time. Its heartbeat is a counter in
 * shared memory, which it can raise even where it cannot send messages. Starting a thread and loading the engines takes longer than most
 * small missions: a daemon keeps the threads that are free, and starts some before there is work.
 */
import { Worker } from 'node:worker_threads';
import { errorCode, Fault, RefusalError, shortageOf } from '../../base/refusal.js';
import { thread_start_ms_max } from '../../base/limits.js';
import { errorOf } from '../../journal/verify-threads.js';
import {
  cells_count,
  conclude_cell,
  type FromThread,
  heap_cell,
  heartbeat_cell,
  type ServingData,
  stop_cell,
  thread_cell,
  type ToThread,
  waitedMs,
} from './watched-thread.js';

/** Time for an engine to stop on request; then its thread is terminated. */
const engine_stop_ms_max = 3_000;
/** A free thread with a larger heap after its last task is ended, in MiB. */
const kept_thread_heap_mb_max = 64;

/** Receives the state of the thread, at least every `watch_ms`. */
export interface ThreadObserver {
  /** The thread made progress. */
  readonly heartbeat: () => void;
  /** The thread was silent, for `ms` of that time because other threads had the processor. */
  readonly starved: (ms: number) => void;
}

export interface ThreadWatch<News> extends ThreadKind {
  readonly task: unknown;
  /** The thread's name in messages, such as "the engine". */
  readonly name: string;
  /** Called every `watch_ms`; true stops the thread at its next checkpoint. */
  readonly mustStop?: (() => boolean) | undefined;
  /** Called every `watch_ms`; true tells an engine that can to end with the best that it has. */
  readonly mustConclude?: (() => boolean) | undefined;
  readonly observer?: ThreadObserver | undefined;
  readonly onNews?: ((news: News) => void) | undefined;
}

/** The end of a task that was told to stop, also when its thread did not and was terminated. */
export interface StoppedTask {
  readonly type: 'stopped';
}
const stopped: StoppedTask = { type: 'stopped' };
const isStopped = (answer: unknown): answer is StoppedTask => answer === stopped;

export interface WatchedThread<Answer, Order = never, Reply = never> {
  /** @throws RefusalError of the task; Fault when the thread dies (out of memory, a bug); any error that the watch's own callbacks throw */
  readonly answer: Promise<Answer | StoppedTask>;
  /** Gives the task an order, and resolves with the reply or, if it ends the task, with the answer. */
  readonly ask: (order: Order) => Promise<Reply | Answer | StoppedTask>;
  /** Terminates the thread, whatever it is doing. */
  readonly end: () => Promise<unknown>;
}

const watch_ms = 100;

/** Watches a thread until its task has ended; then the thread is free for another task. */
export function watchThread<Answer, News = never, Order = never, Reply = never>(
  watch: ThreadWatch<News>,
): WatchedThread<Answer, Order, Reply> {
  const { name } = watch;
  const thread = takeThread(watch);
  const { worker, cells } = thread;
  Atomics.store(cells, stop_cell, 0);
  Atomics.store(cells, conclude_cell, 0);
  worker.postMessage({ task: watch.task } satisfies ToThread<unknown, Order>);
  let isOver = false;
  let onReply: (reply: Reply) => void = () => undefined;
  const end = async (): Promise<unknown> => isOver || endThread(watch, thread);
  const answer = new Promise<Answer | StoppedTask>((resolve, reject) => {
    const look = looker(watch, cells, () => {
      resolve(stopped);
      void end();
    });
    const settle = (how: () => void): void => {
      isOver = true;
      clearInterval(timer);
      look.end();
      worker.off('message', onEach).off('error', onError).off('exit', onExit);
      how();
    };
    const fail = (error: Error): void => {
      void end();
      settle(() => reject(error));
    };
    /** Runs a callback from the event loop, where an uncaught error (an unreadable journal) would end the whole process. */
    const guarded = (call: () => void): void => {
      try {
        call();
      } catch (error) {
        fail(error instanceof Error ? error : new Fault(`watching ${name} failed`, error));
      }
    };
    const finish = (ended: Answer | StoppedTask): void => {
      giveBack(watch, thread);
      settle(() => resolve(ended));
    };
    const onEach = (message: FromThread<Answer, News, Reply>): void =>
      guarded(() => {
        watch.observer?.heartbeat();
        if ('news' in message) watch.onNews?.(message.news);
        else if ('reply' in message) onReply(message.reply);
        else if ('failed' in message) onError(errorOf(message.failed));
        else finish('answer' in message ? message.answer : stopped);
      });
    const onError = (error: unknown): void =>
      fail(error instanceof RefusalError ? error : new Fault(`${name}'s thread failed${shortageOf(error)}`, error));
    const onExit = (code: number): void => settle(() => reject(new Fault(`${name}'s thread ended with code ${code}`)));
    const timer = setInterval(() => guarded(look.now), watch_ms);
    worker.on('message', onEach).on('error', onError).on('exit', onExit);
  });
  const ask = (order: Order): Promise<Reply | Answer | StoppedTask> => {
    const replied = new Promise<Reply>((resolve) => (onReply = resolve));
    worker.postMessage({ order } satisfies ToThread<never, Order>);
    return Promise.race([replied, answer]);
  };
  return { answer, ask, end };
}

/** Returns the answer of a task that nothing tells to stop. */
export async function wholeAnswer<Answer>({ answer }: Pick<WatchedThread<Answer>, 'answer'>): Promise<Answer> {
  const given = await answer;
  if (isStopped(given)) throw new Fault('a task was stopped that nothing stops');
  return given;
}

/** Checks for a heartbeat since the last check, and whether the thread must stop; calls `tooLate` if it does not stop in time. */
function looker(
  { mustStop, mustConclude, observer }: Pick<ThreadWatch<never>, 'mustStop' | 'mustConclude' | 'observer'>,
  cells: Int32Array,
  tooLate: () => void,
): { readonly now: () => void; readonly end: () => void } {
  const began = performance.now();
  let heard = 0;
  let waited = 0;
  let grace: NodeJS.Timeout | null = null;
  return {
    now: () => {
      const seen = Atomics.load(cells, heartbeat_cell);
      const waits = waitedMs(Atomics.load(cells, thread_cell));
      const starts = seen === 0 && performance.now() - began < thread_start_ms_max;
      if (starts || seen !== heard) observer?.heartbeat();
      else observer?.starved(Math.max(0, waits - waited));
      [heard, waited] = [seen, waits];
      if (mustConclude?.() === true) Atomics.store(cells, conclude_cell, 1);
      if (grace !== null || mustStop?.() !== true) return;
      Atomics.store(cells, stop_cell, 1);
      grace = setTimeout(tooLate, engine_stop_ms_max);
    },
    end: () => {
      if (grace !== null) clearTimeout(grace);
    },
  };
}

/** Threads of one kind are interchangeable. */
export interface ThreadKind {
  readonly script: URL;
  /** Absent for threads without a limit, none of which is kept for another task. */
  readonly memory_mb_max?: number;
  readonly isBackground: boolean;
}

interface KeptThread {
  readonly worker: Worker;
  readonly cells: Int32Array;
}

const free = new Map<string, KeptThread[]>();
let kept_max = 0;

const keyOf = ({ script, memory_mb_max = 0, isBackground }: ThreadKind): string =>
  `${script.href} ${memory_mb_max} ${isBackground}`;

const hasRoom = (kind: ThreadKind, kept: number): boolean => kind.memory_mb_max !== undefined && freeOf(kind).length < kept;

const freeOf = (kind: ThreadKind): KeptThread[] => {
  const threads = free.get(keyOf(kind)) ?? [];
  free.set(keyOf(kind), threads);
  return threads;
};

/** Sets how many free threads of each kind are kept from now on; those beyond are ended. By default none are. */
export function keepThreads(max: number): void {
  kept_max = max;
  for (const threads of free.values()) for (const { worker } of threads.splice(max)) void worker.terminate();
}

/** Starts a thread ahead of its task if none is free and free threads are kept. One that the system refuses now is started with its task. */
export function warmThread(kind: ThreadKind): void {
  try {
    if (hasRoom(kind, Math.min(kept_max, 1))) release(kind, start(kind));
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}

/** Returns a thread for a task: a free one, or a new one. */
function takeThread(kind: ThreadKind): KeptThread {
  for (let thread = freeOf(kind).pop(); thread !== undefined; thread = freeOf(kind).pop()) {
    const { worker, cells } = thread;
    // What a large task has left is given back with its thread.
    if (Atomics.load(cells, heap_cell) > kept_thread_heap_mb_max) void worker.terminate();
    else {
      worker.ref();
      return thread;
    }
  }
  return start(kind);
}

/** Takes back a thread whose task is done: keeps it, or ends it. */
function giveBack(kind: ThreadKind, thread: KeptThread): void {
  if (hasRoom(kind, kept_max)) release(kind, thread);
  else void thread.worker.terminate();
}

/** Ends a thread in the middle of its task; another takes its place ahead of the next one. */
function endThread(kind: ThreadKind, { worker }: KeptThread): Promise<number> {
  const ended = worker.terminate();
  warmThread(kind);
  return ended;
}

function release(kind: ThreadKind, thread: KeptThread): void {
  // A free thread does not keep the process alive.
  thread.worker.unref();
  freeOf(kind).push(thread);
}

function start(kind: ThreadKind): KeptThread {
  const cells = new Int32Array(new SharedArrayBuffer(cells_count * Int32Array.BYTES_PER_ELEMENT));
  const workerData: ServingData = { cells, isBackground: kind.isBackground };
  const { memory_mb_max } = kind;
  const resourceLimits = memory_mb_max === undefined ? {} : { maxOldGenerationSizeMb: memory_mb_max };
  const worker = new Worker(kind.script, { workerData, resourceLimits });
  const thread = { worker, cells };
  const forget = (): void => {
    const threads = freeOf(kind);
    const at = threads.indexOf(thread);
    if (at >= 0) threads.splice(at, 1);
  };
  // The error of a busy thread is its task's; that of a free one concerns nobody, since the next task gets another thread.
  worker.on('error', forget);
  worker.on('exit', forget);
  return thread;
}
