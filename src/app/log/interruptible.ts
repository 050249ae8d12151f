/** Waits for a remote party. Ctrl-C ends the wait and is reported like any other failure, instead of ending the process. */
import { RefusalError } from '../../base/result.js';

/** @param detail what remains after an interruption @throws RefusalError `interrupted` */
export async function interruptible<A>(detail: string, wait: (signal: AbortSignal) => Promise<A>): Promise<A> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const answer = await wait(controller.signal);
    if (controller.signal.aborted) throw new RefusalError({ code: 'interrupted', detail });
    return answer;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
