/** The allocation engine's search: dominance, symmetry and the limit on its work. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { prng } from '../../src/base/prng.js';
import { unwrap } from '../../src/base/refusal.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { branchAndBound } from '../../src/kinds/allocation/engine/solve.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import { feasible, makeCore, total, type Core } from '../../src/kinds/allocation/engine/model.js';
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
