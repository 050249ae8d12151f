/** Work that ends when its watch says so. */
import type { Watch } from '../threads/engine-thread.js';

/** Thrown when the watch has ended the work; nothing of it counts then. */
export class StoppedRun extends Error {}

const poll_ms = 100;

/** Runs work under a signal that aborts when the watch says so. @throws StoppedRun, and any error that the watch throws */
export async function stoppable<A>(
  { mustStop, observer }: Watch,
  quiet_ms: number,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<A> {
  const controller = new AbortController();
  const thrown: unknown[] = [];
  const look = (): void => {
    try {
      if (mustStop?.() === true) controller.abort();
    } catch (error) {
      thrown.push(error);
      controller.abort();
    }
  };
  observer?.quiet(quiet_ms);
  const timer = setInterval(look, poll_ms);
  try {
    const done = await work(controller.signal);
    if (thrown.length > 0) throw thrown[0];
    if (controller.signal.aborted) throw new StoppedRun();
    return done;
  } finally {
    clearInterval(timer);
  }
}
