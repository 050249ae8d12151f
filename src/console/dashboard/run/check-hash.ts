/** Checks that a run's results have the hash that the server names. */

/** @param whole the results with genomes, as they were sent */
export function hashMatches(whole: Blob, recorded: string, signal: AbortSignal): Promise<boolean> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<boolean>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    worker.addEventListener('message', ({ data }) => resolve(data === true));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage({ whole, recorded });
  }).finally(() => worker.terminate());
}
