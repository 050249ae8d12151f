/** The parts of the allocation engine's search: dual prices, dominance, symmetry, local search and the limit on its work. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { prng } from '../../src/base/prng.js';
import { unwrap } from '../../src/base/result.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { branchAndBound } from '../../src/kinds/allocation/engine/solve.js';
import { dominanceOf } from '../../src/kinds/allocation/engine/dominance.js';
import { dualVertex } from '../../src/kinds/allocation/engine/dual-vertex.js';
import { Work } from '../../src/kinds/allocation/engine/effort.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import { localSearch } from '../../src/kinds/allocation/engine/local-search.js';
import { feasible, makeCore, noLinks, total, type Core } from '../../src/kinds/allocation/engine/model.js';
import { verifyAllocation } from '../../src/kinds/allocation/verify/verify.js';
import type { AllocationWork } from '../../src/kinds/allocation/work.js';

const input = (work: AllocationWork, max_evaluations: number): EngineInput<AllocationWork> => ({
  goal: 'choose',
  work,
  seed: 7,
  population: 4,
  generations: 1,
  effort: { max_evaluations },
  warm_start: null,
});

/** Small cores with few distinct items, two rows, groups and links, so that items repeat and dominate each other. */
const cores: fc.Arbitrary<Core> = fc
  .record({
    kinds: fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), {
      minLength: 1,
      maxLength: 3,
    }),
    picks: fc.array(fc.nat(2), { minLength: 1, maxLength: 10 }),
    groups: fc.array(fc.nat(6), { minLength: 10, maxLength: 10 }),
    links: fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.boolean()), { maxLength: 4 }),
    room: fc.tuple(fc.nat(20), fc.nat(20)),
  })
  .map(({ kinds, picks, groups, links, room }) => {
    const n = picks.length;
    const column = (k: 0 | 1 | 2): Float64Array => Float64Array.from(picks, (p) => kinds[p % kinds.length]![k]);
    const of = (i: number, excludes: boolean): number[] =>
      [...new Set(links.filter(([a, b, kind]) => a === i && b < n && b !== i && kind === excludes).map(([, b]) => b))].sort(
        (a, b) => a - b,
      );
    return makeCore(column(0), [column(1), column(2)], room, {
      group: Int32Array.from({ length: n }, (_, i) => (groups[i]! < 2 ? groups[i]! : -1)),
      requires: picks.map((_, i) => of(i, false)),
      excludes: picks.map((_, i) => of(i, true)),
    });
  });

/** Calls `visit` with every feasible choice. */
function choices(core: Core, visit: (choice: Uint8Array) => void): void {
  for (let mask = 0; mask < 1 << core.n; mask++) {
    const choice = Uint8Array.from({ length: core.n }, (_, i) => (mask >> i) & 1);
    if (feasible(core, choice)) visit(choice);
  }
}

function optimum(core: Core): number {
  let best = 0;
  choices(core, (choice) => {
    best = Math.max(best, total(core.values, choice));
  });
  return best;
}

const identical = (n: number, budget: number, max_risk: number): AllocationWork => ({
  kind: 'allocation',
  items: Array.from({ length: n }, (_, i) => ({ id: `i${i}`, cost: 7, value: 7, risk: 1 })),
  budget,
  max_risk,
  unit: 'points',
});

describe('branch and bound of the allocation engine', () => {
  it('is exact where items repeat and dominate each other', () => {
    fc.assert(
      fc.property(cores, (core) => {
        const outcome = branchAndBound(core, new Uint8Array(core.n), {
          nodes_max: 100_000,
          tick: () => {},
          random: prng(1),
          cuts: true,
        });
        assert.equal(outcome.value, optimum(core));
        assert.ok(outcome.complete && feasible(core, outcome.choice));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps a best choice that respects the dominance', () => {
    fc.assert(
      fc.property(cores, (core) => {
        const { above } = dominanceOf(core);
        let best = -1;
        choices(core, (choice) => {
          const ordered = above.every((list, j) => choice[j] === 0 || list.every((i) => choice[i] === 1));
          if (ordered) best = Math.max(best, total(core.values, choice));
        });
        assert.equal(best, optimum(core));
      }),
      { numRuns: 300 },
    );
  });

  it('orders identical items', () => {
    const core = makeCore(new Float64Array(5).fill(3), [new Float64Array(5).fill(2)], [5], noLinks(5));
    assert.deepEqual(dominanceOf(core).above, [[], [0], [1], [2], [3]]);
  });
});

describe('dual prices', () => {
  it('give the least bound of a line, and a valid one of two rows with groups', () => {
    fc.assert(
      fc.property(cores, (core) => {
        const items = {
          gains: core.values,
          group: core.group,
          groups: core.members.length,
          usable: Int32Array.from({ length: core.n }, (_, i) => i),
        };
        const rows = core.rows.map((weights, k) => ({ weights, capacity: core.capacities[k]! }));
        const at = (prices: readonly number[]): number => {
          const best = core.members.map(() => 0);
          let bound = 0;
          for (const [k, { capacity }] of rows.entries()) bound += prices[k]! * capacity;
          for (let i = 0; i < core.n; i++) {
            const gain = core.values[i]! - rows.reduce((sum, { weights }, k) => sum + prices[k]! * weights[i]!, 0);
            const g = core.group[i]!;
            if (g < 0) bound += Math.max(0, gain);
            else best[g] = Math.max(best[g]!, gain);
          }
          return best.reduce((sum, gain) => sum + gain, bound);
        };
        const both = dualVertex(items, rows, 200, () => {});
        assert.ok(Math.abs(at([...both.prices]) - both.bound) <= 1e-9 * Math.max(1, both.bound));
        assert.ok(both.bound >= optimum(core) - 1e-9);
        for (let a = 0; a <= 9; a += 0.25) for (let b = 0; b <= 9; b += 0.25) assert.ok(both.bound <= at([a, b]) + 1e-9);
      }),
      { numRuns: 100 },
    );
  });
});

describe('identical items under a risk limit that binds', () => {
  for (const [n, budget, max_risk] of [
    [60, 209, 15],
    [60, 209, 29],
    [60, 209, 40],
    [400, 1_500, 111],
  ] as const) {
    it(`reach the optimum, proven by the certificate with little effort: ${n} items, budget ${budget}, limit ${max_risk}`, () => {
      const mission = input(identical(n, budget, max_risk), 10_000);
      const { result, iterations } = unwrap(allocationEngine.run(mission, () => {}));
      assert.equal(result.value, 7 * Math.min(max_risk, Math.floor(budget / 7)));
      assert.equal(result.optimality_proven, 'bound');
      assert.equal(result.sensitivity.budget_minus_10?.optimality_proven, 'bound');
      assert.ok(iterations !== null && iterations < 20_000, `${iterations} nodes`);
      assert.equal(verifyAllocation(mission, result).failure, null);
    });
  }
});

describe('local search', () => {
  it('returns a feasible choice that is no worse than its start, and the same for the same seed', () => {
    fc.assert(
      fc.property(cores, fc.nat(1_000), (core, seed) => {
        const items = Int32Array.from({ length: core.n }, (_, i) => i);
        const area = { items, near: items, prices: new Float64Array(2).fill(1) };
        const search = (): Uint8Array =>
          localSearch(core, new Uint8Array(core.n), area, prng(seed), new Work(100, () => {}), 20_000, Infinity);
        const choice = search();
        assert.ok(feasible(core, choice));
        assert.deepEqual(search(), choice);
      }),
      { numRuns: 100 },
    );
  });
});

describe('effort of the allocation engine', () => {
  /** Values near the costs, groups and links: no search proves these. */
  function hard(n: number): AllocationWork {
    const random = prng(3, n);
    const items = Array.from({ length: n }, (_, i) => {
      const cost = 1 + random.below(1_000);
      return {
        id: `i${i}`,
        cost,
        value: cost + 100,
        risk: random.below(100),
        ...(i % 3 === 0 ? { group: `g${random.below(n / 6)}` } : {}),
        ...(i > 0 && i % 7 === 0 ? { requires: [`i${random.below(i)}`] } : {}),
        ...(i > 0 && i % 5 === 0 ? { excludes: [`i${random.below(i)}`] } : {}),
      };
    });
    return { kind: 'allocation', items, budget: n * 200, max_risk: n * 20, unit: 'points' };
  }

  it('stays within the nodes that the evaluations pay for, and reports growing progress at bounded steps', () => {
    const evaluations = 60;
    const seen: number[] = [];
    const mission = input(hard(300), evaluations);
    const { result, iterations } = unwrap(allocationEngine.run(mission, (done) => seen.push(done)));
    assert.ok(iterations !== null && iterations <= evaluations * 100 * 1.1, `${iterations} nodes`);
    assert.ok(result.gap > 0 && result.gap < 0.01);
    assert.equal(verifyAllocation(mission, result).failure, null);
    assert.ok(seen.length > 15, `${seen.length} reports`);
    assert.ok(seen.every((done, k) => done >= (seen[k - 1] ?? 0) && done <= 1));
    assert.equal(seen.at(-1), 1);
  });
});
