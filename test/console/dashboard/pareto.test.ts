/** The population's chart: who stands where, whom a pointer means, pages of the table, and what genes mean. */
import assert from 'node:assert/strict';
import { inOrder, placed, shadeOf, type Worth } from '../../../src/console/dashboard/population/places.js';
import { nearest } from '../../../src/console/kit/charts/scale.js';
import { sharesOf, topShares, pageOf } from '../../../src/console/dashboard/pure/results.js';
import { plainWorth, requestOf, run } from '../../support/app/simulation.js';

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
    assert.deepEqual(sharesOf([0.25, 0.5]), [0.25, 0.5]);
    assert.deepEqual(sharesOf([1, 1, 0]), [0.5, 0.5, 0]);
  });
  it('show the top ones, and the rest', () => {
    const { top, others, othersShare, total } = topShares([0, 0.2, 0.1, 0.2, 0.05], 2);
    assert.deepEqual(
      top.map(({ index }) => index),
      [1, 3],
    );
    assert.equal(others, 2);
    assert.ok(Math.abs(othersShare - 0.15) < 1e-12);
    assert.ok(Math.abs(total - 0.55) < 1e-12);
    assert.deepEqual(topShares([0, 0], 3), { top: [], others: 0, othersShare: 0, total: 0 });
  });
  it('are those of the model: complexity is their effective number', () => {
    const request = requestOf({ num_sectors: 5, entropy: 3, pop_size: 12, generations: 4 });
    for (const { genome, complexity } of run(request).population) {
      const { top } = topShares(genome, genome.length);
      const all = top.reduce((sum, { share }) => sum + share, 0);
      const entropy = -top.reduce((sum, { share }) => sum + (share / all) * Math.log(share / all), 0);
      assert.ok(Math.abs((top.length === 0 ? 0 : Math.exp(entropy)) - complexity) < 1e-9);
      assert.ok(Math.abs(plainWorth(request, genome).complexity - complexity) < 1e-9);
    }
  });
});
