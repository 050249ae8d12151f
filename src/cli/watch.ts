/** Reads something again and again until it has ended or the person stops it. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { watch_interval_ms } from '../base/cli-limits.js';
import { RefusalError } from '../base/result.js';

interface Watching<A> {
  /** Reads the present state. */
  readonly read: () => Promise<A>;
  /** Prints a state that differs from the one before. */
  readonly print: (value: A) => void;
  /** Returns whether nothing more is to come. */
  readonly isLast: (value: A) => boolean;
}

/** Returns the present state, or the one before while another process keeps the journal. */
async function readAgain<A>(read: () => Promise<A>, last: A): Promise<A> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === 'in_use') return last;
    throw error;
  }
}

/** Returns the state at the end, or when Ctrl-C or a signal ended the watching. */
export async function watching<A>({ read, print, isLast }: Watching<A>): Promise<A> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  const stopped = once(stop.signal, 'abort');
  try {
    let value = await read();
    print(value);
    while (!isLast(value) && !stop.signal.aborted) {
      await Promise.race([wait(watch_interval_ms), stopped]);
      const before = JSON.stringify(value);
      value = await readAgain(read, value);
      if (JSON.stringify(value) !== before) print(value);
    }
    return value;
  } finally {
    for (const signal of signals) process.removeListener(signal, end);
  }
}
