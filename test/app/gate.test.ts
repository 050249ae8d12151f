import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { Gate } from '../../src/app/threads/gate.js';

describe('a gate', () => {
  it('lets a fixed number through at once, in order of arrival, whether they succeed or fail', async () => {
    const gate = new Gate(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const pass = (n: number): Promise<number> =>
      gate.run(async () => {
        begun.push(n);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (n === 1) throw new RangeError('a bug');
        return n;
      });
    const all = Promise.allSettled([pass(0), pass(1), pass(2), pass(3), pass(4)]);
    await nextTurn();
    assert.deepEqual(begun, [0, 1]);
    ends[1]?.();
    await nextTurn();
    assert.deepEqual(begun, [0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await nextTurn();
    assert.deepEqual(begun, [0, 1, 2, 3, 4]);
    ends[3]?.();
    ends[4]?.();
    const outcomes = await all;
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    );
    ends.length = 0;
    const again = [pass(5), pass(6), pass(7)];
    await nextTurn();
    assert.deepEqual(begun.slice(5), [5, 6]);
    ends[0]?.();
    ends[1]?.();
    await nextTurn();
    ends[2]?.();
    assert.deepEqual(await Promise.all(again), [5, 6, 7]);
  });
});
