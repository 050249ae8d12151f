import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { prng } from '../../src/base/prng.js';
import { lowerBound } from '../../src/kinds/schedule/engine/bounds.js';
import { Propagator } from '../../src/kinds/schedule/engine/propagator.js';
import { Refuter } from '../../src/kinds/schedule/engine/refuter.js';
import { type Shop, shopOf } from '../../src/kinds/schedule/engine/shop.js';
import { refutationFault } from '../../src/kinds/schedule/verify/refutation.js';
import { Windows } from '../../src/kinds/schedule/verify/windows.js';
import { anyWork, instances, optimumOf, workOf } from './schedule-cases.js';

const quiet = (): void => {};
const allowance = { units: 1e9, bytes: 1e8 };
const limits = { chars: 100_000, units: 1e8, search_units: 1e8, depth: 100 };

const refuter = (shop: Shop): Refuter => new Refuter(new Propagator(shop, quiet));

describe('schedule time windows', () => {
  it('are the same contradiction or none for engine and verifier, after any decisions', () => {
    const settings = fc.tuple(anyWork({ jobs: 7, operations: 6, machines: 3 }), fc.integer({ min: 0, max: 99 }));
    fc.assert(
      fc.property(settings, ([work, seed]) => {
        const shop = shopOf(work);
        const random = prng(seed);
        const ceiling = lowerBound(shop) + random.below(12);
        const propagator = new Propagator(shop, quiet);
        const windows = new Windows(work, ceiling, 1e9);
        let fits = propagator.reset(ceiling);
        assert.equal(windows.open(), fits);
        for (let tries = 0; fits && tries < 60; tries++) {
          const [a, b] = [random.below(shop.operations), random.below(shop.operations)];
          assert.equal(windows.areRivals(a, b), a !== b && shop.machineOf[a] === shop.machineOf[b]);
          if (!windows.areRivals(a, b) || propagator.isKnown(a, b)) continue;
          fits = propagator.decide(a, b);
          assert.equal(windows.decide(a, b), fits);
        }
      }),
      { numRuns: 400, seed: 7 },
    );
  });
});

describe('schedule refutation', () => {
  it('exists for every ceiling below the optimum of a tiny shop, and a schedule from the optimum on', () => {
    fc.assert(
      fc.property(anyWork({ jobs: 3, operations: 3, machines: 2 }), (work) => {
        const optimum = optimumOf(work);
        const search = refuter(shopOf(work));
        assert.equal(search.attempt(optimum, limits).verdict, 'schedule');
        if (optimum === 0) return;
        const { verdict, tree } = search.attempt(optimum - 1, limits);
        assert.equal(verdict, 'refuted');
        assert.equal(refutationFault(work, optimum - 1, tree!, allowance), null);
        assert.notEqual(refutationFault(work, optimum, tree!, allowance), null);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('has for 934 in la16 a tree that no change survives', () => {
    const work = workOf(instances().find((one) => one.name === 'la16')!.rows);
    const { tree } = refuter(shopOf(work)).attempt(934, limits);
    assert.ok(tree !== null && tree.length > 1);
    const fault = (ceiling: number, text: string, more: object = {}): string =>
      refutationFault(work, ceiling, text, { ...allowance, ...more }) ?? 'none';
    assert.equal(fault(934, tree), 'none');
    assert.match(fault(945, tree), /does not refute/);
    assert.match(fault(934, `${tree}.`), /continues/);
    assert.match(fault(934, tree.slice(0, -1)), /names no two operations/);
    assert.match(fault(934, '.'), /does not refute/);
    assert.match(fault(934, `0000${tree}`), /names no two operations/);
    assert.match(fault(934, tree, { units: 1000 }), /too much work/);
    assert.match(fault(934, tree, { bytes: 100 }), /too much memory/);
  });
});
