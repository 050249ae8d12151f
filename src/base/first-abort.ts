import { setMaxListeners } from 'node:events';

/**
 * Returns a signal that aborts with the first of several: of a signal that ends with what it was made for, and of one that lives as long as the
 * process. Node 20 keeps what `AbortSignal.any` makes of such a pair for ever; this leaves nothing once one of them has aborted.
 */
export function firstAbort(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  const stop = (): void => {
    for (const signal of signals) signal.removeEventListener('abort', stop);
    first.abort(signals.find(({ aborted }) => aborted)?.reason);
  };
  for (const signal of signals) {
    // As many requests as there are may wait for the end of the process.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop);
  }
  if (signals.some(({ aborted }) => aborted)) stop();
  return first.signal;
}
