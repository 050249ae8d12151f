/** Waits for a client to read. */
import type { ServerResponse } from 'node:http';

/** Resolves to whether the client took what was written in time; also true when the client is gone. */
export function drained(response: ServerResponse, signal: AbortSignal, drain_ms_max: number): Promise<boolean> {
  if (!response.writableNeedDrain || signal.aborted) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (taken: boolean): void => {
      clearTimeout(timer);
      response.off('drain', take);
      signal.removeEventListener('abort', take);
      resolve(taken);
    };
    const take = (): void => settle(true);
    const timer = setTimeout(() => settle(false), drain_ms_max);
    response.once('drain', take);
    signal.addEventListener('abort', take, { once: true });
  });
}
