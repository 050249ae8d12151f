/**
 * A watched worker thread. It is stopped on request, and terminated if it does not stop in time. Its heartbeat is a counter in
 * shared memory, which it can raise even where it cannot send messages. Starting a thread and loading the engines takes longer than most
 * small missions: a daemon keeps the threads that are free, and starts some before there is work.
 */
import { Worker } from 'node:worker_threads';
import { Fault, shortageOf } from '../../base/refusal.js';
import { thread_start_ms_max } from '../../base/limits.js';
import {
  cells_count,
  conclude_cell,
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

interface ThreadWatch<Message, Answer> extends ThreadKind {
  readonly task: unknown;
  /** The thread's name in messages, such as "the engine". */
  readonly name: string;
  /** Called every `watch_ms`; true stops the thread at its next checkpoint. */
  readonly mustStop?: (() => boolean) | undefined;
  /** Called every `watch_ms`; true tells an engine that can to end with the best that it has. */
  readonly mustConclude?: (() => boolean) | undefined;
  readonly observer?: ThreadObserver | undefined;
  /** Returns the answer that a message holds, which ends the watch, or null. */
  readonly onMessage: (message: Message) => Answer | null;
  /** The answer for a thread that was terminated because it did not stop. */
  readonly stopped: Answer;
}

export interface WatchedThread<Answer> {
  /** @throws Fault when the thread dies (out of memory, a bug); any error that the watch's own callbacks throw */
  readonly answer: Promise<Answer>;
  readonly post: (message: unknown) => void;
  /** Terminates the thread, whatever it is doing. */
  readonly end: () => void;
}

const watch_ms = 100;

export function watchThread<Message, Answer>(watch: ThreadWatch<Message, Answer>): WatchedThread<Answer> {
  const thread = takeThread(watch);
  const { worker, cells } = thread;
  Atomics.store(cells, stop_cell, 0);
  Atomics.store(cells, conclude_cell, 0);
  const task: ToThread<unknown, never> = { task: watch.task };
  worker.postMessage(task);
  const { answer, end } = watched(watch, thread);
  return { answer, end, post: (order) => worker.postMessage({ order } satisfies ToThread<never, unknown>) };
}

/** Watches a thread until its task is answered; then the thread is free for another task. */
function watched<Message, Answer>(
  watch: ThreadWatch<Message, Answer>,
  thread: KeptThread,
): Pick<WatchedThread<Answer>, 'answer' | 'end'> {
  const { name, onMessage } = watch;
  const { worker, cells } = thread;
  let isOver = false;
  const end = (): void => {
    if (!isOver) endThread(watch, thread);
  };
  const answer = new Promise<Answer>((resolve, reject) => {
    const look = looker(watch, cells, () => {
      resolve(watch.stopped);
      end();
    });
    const settle = (how: () => void): void => {
      isOver = true;
      clearInterval(timer);
      look.end();
      worker.off('message', onEach).off('error', onError).off('exit', onExit);
      how();
    };
    /** Runs a callback from the event loop, where an uncaught error (an unreadable journal) would end the whole process. */
    const guarded = (call: () => void): void => {
      try {
        call();
      } catch (error) {
        end();
        settle(() => reject(error instanceof Error ? error : new Fault(`watching ${name} failed`, error)));
      }
    };
    const onEach = (message: Message): void =>
      guarded(() => {
        watch.observer?.heartbeat();
        const answered = onMessage(message);
        if (answered === null) return;
        giveBack(watch, thread);
        settle(() => resolve(answered));
      });
    const onError = (error: unknown): void =>
      settle(() => reject(new Fault(`${name}'s thread failed${shortageOf(error)}`, error)));
    const onExit = (code: number): void => settle(() => reject(new Fault(`${name}'s thread ended with code ${code}`)));
    const timer = setInterval(() => guarded(look.now), watch_ms);
    worker.on('message', onEach).on('error', onError).on('exit', onExit);
  });
  return { answer, end };
}

/** Checks for a heartbeat since the last check, and whether the thread must stop; calls `tooLate` if it does not stop in time. */
function looker(
  { mustStop, mustConclude, observer }: Pick<ThreadWatch<never, unknown>, 'mustStop' | 'mustConclude' | 'observer'>,
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
  readonly memory_mb_max: number;
  readonly isBackground: boolean;
}

interface KeptThread {
  readonly worker: Worker;
  readonly cells: Int32Array;
}

const free = new Map<string, KeptThread[]>();
let kept_max = 0;

const keyOf = ({ script, memory_mb_max, isBackground }: ThreadKind): string => `${script.href} ${memory_mb_max} ${isBackground}`;

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

/** Starts a thread ahead of its task if none is free and free threads are kept. */
export function warmThread(kind: ThreadKind): void {
  if (kept_max > 0 && freeOf(kind).length === 0) release(kind, start(kind));
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
export function giveBack(kind: ThreadKind, thread: KeptThread): void {
  if (freeOf(kind).length >= kept_max) void thread.worker.terminate();
  else release(kind, thread);
}

/** Ends a thread in the middle of its task; another takes its place ahead of the next one. */
function endThread(kind: ThreadKind, { worker }: KeptThread): void {
  void worker.terminate();
  warmThread(kind);
}

function release(kind: ThreadKind, thread: KeptThread): void {
  // A free thread does not keep the process alive.
  thread.worker.unref();
  freeOf(kind).push(thread);
}

function start(kind: ThreadKind): KeptThread {
  const cells = new Int32Array(new SharedArrayBuffer(cells_count * Int32Array.BYTES_PER_ELEMENT));
  const workerData: ServingData = { cells, isBackground: kind.isBackground };
  const worker = new Worker(kind.script, { workerData, resourceLimits: { maxOldGenerationSizeMb: kind.memory_mb_max } });
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
