/** Tests that mostly wait: for a silence to count, for a connection to come back. */
import { Gate } from '../../src/base/gate.js';

type Body = () => Promise<void>;

/**
 * Returns what `it` is in a suite whose tests run a few at a time. Each starts when the suite begins, or when an earlier one has ended, and is
 * told where it stands. Hooks for each test are not for them.
 */
export function together(most: number): (name: string, body: Body) => void {
  const gate = new Gate(most);
  const cases = new Map<Body, { readonly test: Mocha.Test; running: Promise<void> }>();
  before(() => {
    for (const [body, one] of cases) {
      if (one.test.isPending()) continue;
      one.running = gate.run(body);
      one.running.catch(() => undefined);
    }
  });
  return (name, body) => void cases.set(body, { test: it(name, () => cases.get(body)?.running), running: Promise.resolve() });
}
