/** Progress as the socket tells it: the same whatever is told twice. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ProgressMessage } from '../../../src/codec/api-simulation.js';
import { begun, retryDelay, shareDone, taken, type RunProgress } from '../../../src/console/dashboard/api/progress.js';

const id = '0f8fad5bd9cb469f';
const years: readonly ProgressMessage[] = [0, 0, 2, 3].map((affected, i) => ({ id, type: 'year', year: i + 1, affected }));
const generations: readonly ProgressMessage[] = [1, 2, 5, 9].map((generation) => ({ id, type: 'generation', generation }));
const run: readonly ProgressMessage[] = [...years, ...generations, { id, type: 'ended', state: 'succeeded' }];
const after = (messages: readonly ProgressMessage[], from: RunProgress = begun(id)): RunProgress =>
  messages.reduce((progress, message) => taken(progress, message), from);

describe('dashboard: progress', () => {
  it('is what the messages say', () => {
    assert.deepEqual(after(run), { id, affected: [0, 0, 2, 3], generation: 9, ended: 'succeeded' });
  });
  it('is the same after a replay from the start, whenever the connection broke', () => {
    fc.assert(
      fc.property(fc.nat(run.length), (broken) => {
        const before = after(run.slice(0, broken));
        assert.deepEqual(after(run, before), after(run));
        // A replay of what is known already changes nothing, not even for a moment.
        for (let i = 1; i <= broken; i++) assert.equal(after(run.slice(0, i), before), before);
      }),
    );
  });
  it('fills missing years with the year before', () => {
    assert.deepEqual(after([{ id, type: 'year', year: 3, affected: 4 }]).affected, [0, 0, 4]);
    assert.deepEqual(after([...years, { id, type: 'year', year: 6, affected: 5 }]).affected, [0, 0, 2, 3, 3, 5]);
  });
  it('does not go back when a run is started again', () => {
    assert.equal(after([...generations, { id, type: 'generation', generation: 1 }]).generation, 9);
  });
  it('is a share of the generations', () => {
    assert.equal(shareDone(undefined, 10), 0);
    assert.equal(shareDone(after(generations), 18), 0.5);
    assert.equal(shareDone(after(generations), 3), 1);
  });
});

describe('dashboard: connecting again', () => {
  it('waits longer each time, up to a minute or so', () => {
    assert.deepEqual(
      [1, 2, 3, 6].map((n) => retryDelay(n, 0.5)),
      [500, 1000, 2000, 16_000],
    );
    assert.equal(retryDelay(50, 0.5), 60_000);
  });
  it('spreads many clients over half to one and a half times', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, chance) => {
        const middle = retryDelay(n, 0.5);
        const delay = retryDelay(n, chance);
        assert.ok(delay >= middle * 0.75 && delay <= middle * 1.25);
      }),
    );
  });
});
