/** Tests that mostly wait: for a silence to count, for a connection to come back. */
import { Gate } from '../../src/base/gate.js';

/**
 * Returns what `it` is in a suite whose tests run a few at a time. Each starts when the suite begins, or when an earlier one has ended, and is
 * told where it stands. Hooks for each test are not for them: `given` prepares what a test needs, and takes it away again.
 */
export function together<A>(
  most: number,
  given: (body: (prepared: A) => Promise<void>) => Promise<void>,
): (name: string, body: (prepared: A) => Promise<void>) => void {
  const gate = new Gate(most);
  const cases: { readonly test: Mocha.Test; readonly start: () => void }[] = [];
  before(() => {
    for (const { test, start } of cases) if (!test.isPending()) start();
  });
  return (name, body) => {
    let running: Promise<void> = Promise.resolve();
    const start = (): void => {
      running = gate.run(() => given(body));
      running.catch(() => undefined);
    };
    cases.push({ test: it(name, () => running), start });
  };
}
