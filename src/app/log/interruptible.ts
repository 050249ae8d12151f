/** Waiting for somebody else: Ctrl-C ends the wait and is answered like any failure, in place of a process that just goes away. */
import { RefusalError } from '../../base/result.js';

/** @param detail what stands when it was stopped. @throws RefusalError `interrupted` */
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
