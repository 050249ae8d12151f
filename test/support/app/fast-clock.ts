/** A monotonic clock that does not wait: what is tried again for seconds is given up after a few tries. */
import { mock } from 'node:test';

const step_ms = 1_000;

/** Lets a second pass at each reading of `performance.now` while `act` runs. */
export async function withFastClock<A>(act: () => A | Promise<A>): Promise<A> {
  let now = performance.now();
  const clock = mock.method(performance, 'now', () => (now += step_ms));
  try {
    return await act();
  } finally {
    clock.mock.restore();
  }
}
