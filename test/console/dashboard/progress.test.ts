/** Progress as the socket tells it (the same whatever is told twice), the states of the agents, and the chart of the population. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ProgressMessage } from '../../../src/codec/api-simulation.js';
import { begun, retryDelay, shareDone, taken, timeLeft, type RunProgress } from '../../../src/console/dashboard/api/progress.js';
import { agentStates } from '../../../src/console/kit/agents/states.js';
import { apart } from '../../../src/console/dashboard/charts/labels.js';
import { inOrder, placed, shadeOf, type Worth } from '../../../src/console/dashboard/population/places.js';
import { nearest } from '../../../src/console/kit/charts/scale.js';
import { topShares, pageOf } from '../../../src/console/dashboard/pure/results.js';
import { plainWorth, requestOf, run as simulated } from '../../support/app/simulation.js';
import { membersOf } from '../../support/lists.js';

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
  it('does not go back when a run is started again', () => {
    assert.equal(after([...generations, { id, type: 'generation', generation: 1 }]).generation, 9);
  });
  it('is a share of the generations', () => {
    assert.equal(shareDone(undefined, 10) + shareDone(after(generations), 18), 0.5);
    assert.equal(shareDone(after(generations), 3), 1);
    assert.equal(timeLeft({ remaining_s: 40, progress: 0.2 }, 0.6), 20);
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
  const at = (x: number, y: number): readonly [number, number] => [x, y];
  it('move only where they would lie upon another, and never below the axis', () => {
    assert.deepEqual(apart([at(100, 10), at(100, 40), at(50, 12)], 60), [10, 40, 12]);
    assert.deepEqual(apart([at(100, 12), at(100, 10), at(104, 10)], 60), [36, 10, 23]);
    assert.deepEqual(apart([at(100, 12), at(100, 10), at(104, 10)], 30), [30, 4, 17]);
  });
  it('never lie upon each other', () => {
    const end = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 60 }));
    fc.assert(
      fc.property(fc.array(end, { maxLength: 6 }), (ends) => {
        const heights = apart(ends, 60);
        for (const [i, [x]] of ends.entries())
          for (const [j, [other]] of ends.entries())
            if (i < j && Math.abs(x - other) < 16) assert.ok(Math.abs((heights[i] ?? 0) - (heights[j] ?? 0)) >= 13);
      }),
    );
  });
});

const worth = (effectiveness: number, risk: number, rank = 0): Worth => ({ effectiveness, risk, rank, complexity: 1 });
const field = { left: 0, right: 100, top: 0, bottom: 50 };

describe('dashboard: the population on the plane', () => {
  it('puts risk to the right and effectiveness upwards', () => {
    const { xs, ys } = placed([worth(0, 0), worth(1, 10)], field);
    assert.ok((xs[0] ?? 0) < (xs[1] ?? 0));
    assert.ok((ys[0] ?? 0) > (ys[1] ?? 0));
    for (const x of xs) assert.ok(x > field.left && x < field.right);
  });
  it('puts identical individuals in the middle', () => {
    const { xs, ys } = placed([worth(2, 3), worth(2, 3)], field);
    assert.deepEqual([...xs, ...ys], [50, 50, 25, 25]);
  });
  it('finds the nearest within reach, the first of equals, among those that are shown', () => {
    const at = { xs: Float32Array.of(0, 10, 10, 40), ys: Float32Array.of(0, 0, 0, 0) };
    assert.equal(nearest(at, [0, 1, 2, 3], [9, 0], 20), 1);
    assert.equal(nearest(at, [0, 3], [9, 0], 20), 0);
    assert.equal(nearest(at, [0, 1, 2, 3], [70, 0], 20), null);
    assert.equal(nearest(at, [], [0, 0], 20), null);
  });
  it('reads by rank, then by falling effectiveness', () => {
    const population = [worth(1, 0, 1), worth(5, 0, 1), worth(2, 0, 0), worth(3, 0, 0), worth(3, 1, 0)];
    assert.deepEqual(inOrder(population, false), [3, 4, 2, 1, 0]);
    assert.deepEqual(inOrder(population, true), [3, 4, 2]);
  });
  it('shades complexities evenly, the most complex one still within', () => {
    const shade = shadeOf([1, 5], 4);
    assert.deepEqual([1, 1.99, 2, 4.99, 5].map(shade), [0, 0, 1, 3, 3]);
    assert.equal(shadeOf([3, 3], 4)(3), 0);
  });
  it('divides a list into pages, and returns the last one beyond its end', () => {
    const all = Array.from({ length: 10_001 }, (_, i) => i);
    assert.deepEqual(pageOf(all, 200, 50), { items: [10_000], page: 200, pages: 201, from: 10_000, count: 10_001 });
    assert.deepEqual(pageOf(all, 999, 50).page, 200);
    assert.deepEqual(pageOf([], 3, 50), { items: [], page: 0, pages: 1, from: 0, count: 0 });
  });
});

describe('dashboard: the shares of the effort', () => {
  it('are the genes while they fit into one effort, and parts of it beyond', () => {
    assert.deepEqual(membersOf(topShares([0.25, 0.5], 2).top, 'share'), [0.5, 0.25]);
    assert.deepEqual(membersOf(topShares([1, 1, 0], 3).top, 'share'), [0.5, 0.5]);
  });
  it('show the top ones, and the rest', () => {
    const { top, others, othersShare, total } = topShares([0, 0.2, 0.1, 0.2, 0.05], 2);
    assert.deepEqual(membersOf(top, 'index'), [1, 3]);
    assert.equal(others, 2);
    assert.ok(Math.abs(othersShare - 0.15) < 1e-12);
    assert.ok(Math.abs(total - 0.55) < 1e-12);
    assert.deepEqual(topShares([0, 0], 3), { top: [], others: 0, othersShare: 0, total: 0 });
  });
  it('are those of the model: complexity is their effective number', () => {
    const request = requestOf({ num_sectors: 5, entropy: 3, pop_size: 12, generations: 4 });
    for (const { genome, complexity } of simulated(request).population) {
      const { top } = topShares(genome, genome.length);
      const all = top.reduce((sum, { share }) => sum + share, 0);
      const entropy = -top.reduce((sum, { share }) => sum + (share / all) * Math.log(share / all), 0);
      assert.ok(Math.abs((top.length === 0 ? 0 : Math.exp(entropy)) - complexity) < 1e-9);
      assert.ok(Math.abs(plainWorth(request, genome).complexity - complexity) < 1e-9);
    }
  });
});
