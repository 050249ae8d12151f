/**
 * A watched worker thread. It is stopped on request, and terminated if it does not stop in time. Its heartbeat is a counter in
 * shared memory, which it can raise even where it cannot send messages.
 */
import { Fault, shortageOf } from '../../base/fault.js';
import { engine_stop_ms_max, thread_start_ms_max } from '../../base/limits.js';
import { waitedMs } from './processor-wait.js';
import { endThread, giveBack, takeThread, type KeptThread, type ThreadKind } from './kept-threads.js';
import { heartbeat_cell, stop_cell, thread_cell, type ToThread } from './watched-thread.js';

/** Receives the state of the thread, at least every `watch_ms`. */
export interface ThreadObserver {
  /** The thread made progress. */
  readonly heartbeat: () => void;
  /** The thread was silent, for `ms` of that time because other threads had the processor. */
  readonly starved: (ms: number) => void;
}

export interface ThreadWatch<Message, Answer> extends ThreadKind {
  readonly task: unknown;
  /** The thread's name in messages, such as "the engine". */
  readonly name: string;
  /** Called every `watch_ms`; true stops the thread at its next checkpoint. */
  readonly mustStop?: (() => boolean) | undefined;
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
  { mustStop, observer }: Pick<ThreadWatch<never, unknown>, 'mustStop' | 'observer'>,
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
      if (grace !== null || mustStop?.() !== true) return;
      Atomics.store(cells, stop_cell, 1);
      grace = setTimeout(tooLate, engine_stop_ms_max);
    },
    end: () => {
      if (grace !== null) clearTimeout(grace);
    },
  };
}
