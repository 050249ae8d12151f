import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { prng } from '../../src/base/prng.js';
import { unwrap } from '../../src/base/result.js';
import type { AllocationWork } from '../../src/kinds/allocation/work.js';
import { branchAndBound } from '../../src/kinds/allocation/engine/branch-and-bound.js';
import { searchCore } from '../../src/kinds/allocation/engine/core-dp.js';
import { lineDual } from '../../src/kinds/allocation/engine/dual-line.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import { makeCore, noLinks } from '../../src/kinds/allocation/engine/model.js';
import { searchTable } from '../../src/kinds/allocation/engine/table-dp.js';
import { knapsack, knapsackClasses } from '../support/knapsack-classes.js';
import { verifyAllocation } from '../../src/kinds/allocation/verify/verify.js';

interface Mknap {
  readonly n: number;
  readonly optimum: number;
  readonly profit: readonly number[];
  readonly weights: readonly (readonly number[])[];
  readonly capacity: readonly number[];
}

const identity = (x: number): number => x;

/** Value table over all capacities, the textbook way. */
function table(values: readonly number[], weights: readonly number[], capacity: number): number {
  const best = new Float64Array(capacity + 1);
  for (const [i, weight] of weights.entries()) {
    for (let w = capacity; w >= weight; w--) best[w] = Math.max(best[w]!, best[w - weight]! + values[i]!);
  }
  return best[capacity]!;
}

describe('multi-constraint core', () => {
  const problems = JSON.parse(readFileSync('test/vectors/knapsack/mknap1-1to4.json', 'utf8')) as Mknap[];
  for (const { n, optimum, profit, weights, capacity } of problems) {
    it(`reaches ${optimum} for mknap1 with ${n} items`, () => {
      const values = Float64Array.from(profit, (p) => Math.round(p * 10));
      const rows = weights.map((row) => Float64Array.from(row));
      const outcome = branchAndBound(makeCore(values, rows, capacity, noLinks(n)), new Uint8Array(n), {
        nodes_max: 100_000,
        tick: () => {},
        random: prng(1),
        cuts: true,
      });
      assert.equal(outcome.value / 10, optimum);
      assert.ok(outcome.complete);
    });
  }

  it('is exact on random rows', () => {
    const row = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(
        row,
        fc.array(fc.tuple(row, fc.integer({ min: 0, max: 120 })), { minLength: 1, maxLength: 5 }),
        (values, rows) => {
          const core = makeCore(
            Float64Array.from(values),
            rows.map(([r]) => Float64Array.from(r)),
            rows.map(([, c]) => c),
            noLinks(10),
          );
          let best = 0;
          for (let mask = 0; mask < 1024; mask++) {
            const sum = (r: readonly number[]): number => r.reduce((total, x, i) => total + (((mask >> i) & 1) === 1 ? x : 0), 0);
            if (rows.every(([r, c]) => sum(r) <= c)) best = Math.max(best, sum(values));
          }
          const outcome = branchAndBound(core, new Uint8Array(10), {
            nodes_max: 100_000,
            tick: () => {},
            random: prng(1),
            cuts: true,
          });
          assert.ok(outcome.complete);
          assert.equal(outcome.value, best);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('core dynamic programme', () => {
  it('is exact, and its relaxation bounds the optimum, with and without a cardinality cut', () => {
    const number = fc.integer({ min: 1, max: 60 });
    const pairs = fc.oneof(
      fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 25 }),
      fc.array(number, { minLength: 1, maxLength: 25 }).map((list) => list.map((w): [number, number] => [w + 6, w])),
      fc.array(number, { minLength: 1, maxLength: 25 }).map((list) => list.map((v): [number, number] => [v, v + 6])),
    );
    fc.assert(
      fc.property(pairs, fc.integer({ min: 5, max: 95 }), (list, percent) => {
        const all = list.reduce((sum, [, w]) => sum + w, 0);
        const capacity = Math.floor((all * percent) / 100);
        const usable = list.filter(([, w]) => w <= capacity);
        const values = Float64Array.from(usable, ([v]) => v);
        const weights = Float64Array.from(usable, ([, w]) => w);
        const best = table([...values], [...weights], capacity);
        const dual = lineDual({ values, weights, capacity }, 1, identity);
        assert.ok(dual.bound >= best - 1e-6);
        const outcome = searchCore({ values, weights, capacity, grid: 1 }, dual, new Uint8Array(values.length), 1e6, () => {});
        const value = Array.from(outcome.choice ?? []).reduce((sum, taken, i) => sum + taken * values[i]!, 0);
        assert.equal(value, best);
        assert.ok(outcome.complete);
        const filled = searchTable({ values, weights, capacity, grid: 1 }, dual, 0, 1e6, () => {});
        assert.equal(
          Array.from(filled?.choice ?? []).reduce((sum, taken, i) => sum + taken * values[i]!, 0),
          best,
        );
        const tight = lineDual({ values, weights, capacity }, best, identity);
        assert.ok(tight.bound >= best - 1e-6);
      }),
      { numRuns: 300 },
    );
  });
});

describe('classes of Pisinger', () => {
  for (const kind of knapsackClasses) {
    it(`reach the optimum, proven and verified: ${kind}, 200 items`, () => {
      const { values, costs, budget } = knapsack(kind, 200, 1000, 1);
      const items = values.map((value, i) => ({ id: `i${i}`, cost: costs[i]!, value, risk: 0 }));
      const work: AllocationWork = { kind: 'allocation', items, budget, unit: 'x' };
      const input = {
        goal: 'g',
        work,
        seed: 1,
        population: 4,
        generations: 1,
        effort: { max_evaluations: 10_000 },
        warm_start: null,
      };
      const { result } = unwrap(allocationEngine.run(input, () => {}));
      assert.equal(result.value, table(values, costs, budget));
      assert.notEqual(result.optimality_proven, false);
      assert.equal(verifyAllocation(input, result).failure, null);
    });
  }
});
