/** Reads something again and again until it has ended or the person stops it. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { watch_interval_ms } from '../base/cli-limits.js';

interface Watching<A> {
  /** Reads the present state. */
  readonly read: () => Promise<A>;
  /** Prints a state that differs from the one before. */
  readonly print: (value: A) => void;
  /** Returns whether nothing more is to come. */
  readonly isLast: (value: A) => boolean;
}

/** Returns the state at the end, or when Ctrl-C or a signal ended the watching. */
export async function watching<A>({ read, print, isLast }: Watching<A>): Promise<A> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  const stopped = once(stop.signal, 'abort');
  try {
    let printed = '';
    for (;;) {
      const value = await read();
      const text = JSON.stringify(value);
      if (text !== printed) print(value);
      printed = text;
      if (isLast(value) || stop.signal.aborted) return value;
      await Promise.race([wait(watch_interval_ms), stopped]);
      if (stop.signal.aborted) return value;
    }
  } finally {
    for (const signal of signals) process.removeListener(signal, end);
  }
}
