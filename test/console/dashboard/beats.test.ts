/** The states of the agents, and the labels at the ends of lines. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agentStates } from '../../../src/console/kit/agents/states.js';
import { apart } from '../../../src/console/dashboard/charts/labels.js';

describe('dashboard: the agents', () => {
  it('have a heartbeat age, and are silent after five seconds; a clock behind the server gives no negative age', () => {
    const agents = {
      planning: { last_beat: 99.96, restarts: 0 },
      market: { last_beat: 94.9, restarts: 2 },
      memory: { last_beat: 103, restarts: 0 },
      safety: { last_beat: 95, restarts: 0 },
    };
    assert.deepEqual(agentStates(agents, 100_000), [
      { name: 'planning', age_s: 0, isSilent: false, restarts: 0 },
      { name: 'market', age_s: 5.1, isSilent: true, restarts: 2 },
      { name: 'memory', age_s: 0, isSilent: false, restarts: 0 },
      { name: 'safety', age_s: 5, isSilent: false, restarts: 0 },
    ]);
  });
});

describe('dashboard: labels at the ends of lines', () => {
  it('stay where they are when they do not meet', () => {
    assert.deepEqual(
      apart([
        [100, 10],
        [100, 40],
        [50, 12],
      ]),
      [10, 40, 12],
    );
  });
  it('move down where they would lie upon another', () => {
    assert.deepEqual(
      apart([
        [100, 12],
        [100, 10],
        [104, 10],
      ]),
      [36, 10, 23],
    );
  });
  it('never lie upon each other', () => {
    const end = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 60 }));
    fc.assert(
      fc.property(fc.array(end, { maxLength: 6 }), (ends) => {
        const heights = apart(ends);
        for (const [i, [x]] of ends.entries())
          for (const [j, [other]] of ends.entries())
            if (i < j && Math.abs(x - other) < 16) assert.ok(Math.abs((heights[i] ?? 0) - (heights[j] ?? 0)) >= 13);
      }),
    );
  });
});
