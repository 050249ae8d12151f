/**
 * Threads that serve one task after the other. Starting a thread and loading the engines takes longer than most small missions: a daemon
 * keeps the threads that are free, and starts some before there is work.
 */
import { Worker } from 'node:worker_threads';
import { kept_thread_heap_mb_max, prepare_after_ms } from '../../base/limits.js';
import { cells_count, heap_cell, type ServingData } from './watched-thread.js';

/** Threads of one kind are interchangeable. */
export interface ThreadKind {
  readonly script: URL;
  readonly memory_mb_max: number;
  readonly isBackground: boolean;
}

export interface KeptThread {
  readonly worker: Worker;
  readonly cells: Int32Array;
}

const free = new Map<string, KeptThread[]>();
let kept_max = 0;
let prepares = true;

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

/** Keeps threads that are started from now on from running their steps ahead of a task: tests of other matters need none. */
export function leaveUnprepared(): void {
  prepares = false;
}

/** Starts a thread ahead of its task if none is free and free threads are kept. */
export function warmThread(kind: ThreadKind): void {
  if (kept_max > 0 && freeOf(kind).length === 0) release(kind, start(kind, true));
}

/** Returns a thread for a task: a free one, or a new one. */
export function takeThread(kind: ThreadKind): KeptThread {
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
export function endThread(kind: ThreadKind, { worker }: KeptThread): void {
  void worker.terminate();
  warmThread(kind);
}

function release(kind: ThreadKind, thread: KeptThread): void {
  // A free thread does not keep the process alive.
  thread.worker.unref();
  freeOf(kind).push(thread);
}

function start(kind: ThreadKind, isAhead = false): KeptThread {
  const cells = new Int32Array(new SharedArrayBuffer(cells_count * Int32Array.BYTES_PER_ELEMENT));
  const workerData: ServingData = {
    cells,
    isBackground: kind.isBackground,
    ...(isAhead && prepares ? { prepare_after_ms } : {}),
  };
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
