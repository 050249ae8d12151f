/** A monotonic clock of tests, so that limits in time do not depend on how busy the machine is. */
import { mock } from 'node:test';

/** Lets a second pass at each reading of `performance.now` while `act` runs: what is tried again for seconds is given up after a few tries. */
export const withFastClock = <A>(act: () => A | Promise<A>): Promise<A> => withClock(1_000, act);

/** Lets no time pass by `performance.now` while `act` runs. */
export const withStoppedClock = <A>(act: () => A | Promise<A>): Promise<A> => withClock(0, act);

async function withClock<A>(step_ms: number, act: () => A | Promise<A>): Promise<A> {
  let now = performance.now();
  const clock = mock.method(performance, 'now', () => (now += step_ms));
  try {
    return await act();
  } finally {
    clock.mock.restore();
  }
}
