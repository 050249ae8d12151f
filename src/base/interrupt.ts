/** Runs `work` with a signal that Ctrl-C, SIGTERM and a terminal that closes (SIGHUP) abort, in place of ending the process. */
export async function untilInterrupted<A>(work: (signal: AbortSignal) => Promise<A>): Promise<A> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end).off('SIGHUP', end);
  }
}
