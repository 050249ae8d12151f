import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { utf8 } from '../../src/base/bytes.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { prng } from '../../src/base/prng.js';
import { unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import type { Answer, EngineInput } from '../../src/engines/engine.js';
import { branchAndBound } from '../../src/kinds/allocation/engine/solve.js';
import { lineDual, searchCore } from '../../src/kinds/allocation/engine/core-dp.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import { makeCore, noLinks } from '../../src/kinds/allocation/engine/model.js';
import type { AllocationResult } from '../../src/kinds/allocation/result.js';
import { allocationSize } from '../../src/kinds/allocation/size.js';
import { checkChoices } from '../../src/kinds/allocation/verify/choices.js';
import { Request } from '../../src/kinds/allocation/verify/model.js';
import { verifyAllocation } from '../../src/kinds/allocation/verify/verify.js';
import { allocationWork, type AllocationWork } from '../../src/kinds/allocation/work.js';
import { knapsack, knapsackClasses } from '../support/engines/knapsack-classes.js';
import { inputFor } from './inputs.js';
import { mutations } from './mutations.js';

const input = (work: AllocationWork, warm_start: unknown = null, max_evaluations = 200): EngineInput<AllocationWork> => ({
  ...inputFor('choose a portfolio', work),
  effort: { max_evaluations },
  warm_start,
});

const solve = (work: AllocationWork, warm: unknown = null, effort = 200): Answer<AllocationResult> =>
  unwrap(allocationEngine.run(input(work, warm, effort), () => {}));

const accepted = (work: AllocationWork, result: unknown): void => {
  const verification = verifyAllocation(input(work), result);
  assert.equal(verification.failure, null);
  assert.ok(verification.passed);
  const says = verification.checks.includes('optimal by search, not certified: recompute to confirm');
  assert.equal(says, (result as AllocationResult).optimality_proven === 'search');
};

/** Small missions with every kind of constraint; numbers in halves or whole. */
const anyWorks: fc.Arbitrary<AllocationWork> = fc
  .record({
    n: fc.integer({ min: 1, max: 9 }),
    step: fc.constantFrom(1, 0.5, 0.01),
    cells: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 27, maxLength: 27 }),
    links: fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.boolean()), { maxLength: 6 }),
    groups: fc.array(fc.nat(5), { minLength: 9, maxLength: 9 }),
    required: fc.array(fc.nat(5), { minLength: 9, maxLength: 9 }),
    budget: fc.integer({ min: 0, max: 150 }),
    max_risk: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  })
  .map(({ n, step, cells, links, groups, required, budget, max_risk }) => {
    const of = (i: number, excludes: boolean): string[] =>
      links.filter(([a, b, kind]) => a === i && b < n && b !== i && kind === excludes).map(([, b]) => `i${b}`);
    const items = Array.from({ length: n }, (_, i) => ({
      id: `i${i}`,
      cost: Math.round((cells[i] ?? 0) * step * 100) / 100,
      value: Math.round((cells[9 + i] ?? 0) * step * 100) / 100,
      risk: cells[18 + i] ?? 0,
      ...((groups[i] ?? 0) < 2 ? { group: `g${groups[i]}` } : {}),
      ...(of(i, false).length > 0 ? { requires: of(i, false) } : {}),
      ...(of(i, true).length > 0 ? { excludes: of(i, true) } : {}),
      ...(required[i] === 0 ? { required: true } : {}),
    }));
    return { kind: 'allocation', items, budget, unit: 'points', ...(max_risk === undefined ? {} : { max_risk }) };
  });

/** Those of them that a request may describe: what must be chosen keeps every constraint. */
const works = anyWorks.filter((work) => E.isRight(decode(allocationWork, work)));

/** Returns every choice that keeps every constraint as its value, and its cost and risk below 0, in hundredths. */
function bruteForce(work: AllocationWork, budget: number): number[][] {
  const all: number[][] = [];
  const { items } = work;
  for (let mask = 0; mask < 1 << items.length; mask++) {
    const chosen = items.filter((_, i) => (mask >> i) & 1);
    const ids = new Set(chosen.map((item) => item.id));
    const groups = chosen.flatMap((item) => item.group ?? []);
    const sum = (name: 'cost' | 'value' | 'risk'): number =>
      chosen.reduce((total, item) => total + Math.round(item[name] * 100), 0);
    if (sum('cost') > budget * 100 + 1e-6 || sum('risk') > (work.max_risk ?? Infinity) * 100) continue;
    if (new Set(groups).size < groups.length) continue;
    if (chosen.some((item) => item.requires?.some((id) => !ids.has(id)) === true)) continue;
    if (chosen.some((item) => item.excludes?.some((id) => ids.has(id)) === true)) continue;
    if (items.some(({ id, required }) => required === true && !ids.has(id))) continue;
    all.push([sum('value'), -sum('cost'), -sum('risk')]);
  }
  return all;
}

/** Returns the greatest value, null where there is no choice. */
const greatest = (all: readonly number[][]): number | null =>
  all.length === 0 ? null : Math.max(...all.map(([value = 0]) => value));

describe('allocation engine', () => {
  it('finds the optimum of small missions with every kind of constraint, proves it, and finds all Pareto-optimal points', () => {
    fc.assert(
      fc.property(works, (work) => {
        const { result } = solve(work, null, 1_000);
        const all = bruteForce(work, work.budget);
        assert.equal(Math.round(result.value * 100), greatest(all));
        const isBest = (one: readonly number[]): boolean =>
          !all.some((other) => String(other) !== String(one) && other.every((x, k) => x >= one[k]!));
        const best = new Set(all.filter(isBest).map(String));
        const points = result.pareto.map((p) => String([p.value, -p.cost, -p.risk].map((x) => Math.round(x * 100))));
        assert.ok(points.every((one) => best.has(one)) && points.length === Math.min(best.size, 100), String(best.size));
        const { budget_minus_10: less, budget_plus_10: more } = result.sensitivity;
        for (const at of [result, less, more])
          if (at !== null) assert.deepEqual([at.optimality_proven, at.bound], ['bound', at.value]);
        const known = [9, 11].map((tenths) => greatest(bruteForce(work, Number(((work.budget * tenths) / 10).toPrecision(12)))));
        assert.deepEqual(known, [less && Math.round(less.value * 100), more && Math.round(more.value * 100)]);
        accepted(work, result);
      }),
      { numRuns: 200 },
    );
    // Of equal values, the one of less cost.
    const item = (id: string, cost: number, value: number, more: object = {}) => ({ id, cost, value, risk: 0, ...more });
    const items = [item('a', 2, 1), item('b', 3, 2), item('c', 3, 2), item('d', 3, 3, { risk: 2, requires: ['a'] })];
    assert.deepEqual(solve({ kind: 'allocation', items, budget: 6, unit: 'points' }).result.selected, ['a', 'd']);
  });

  it('gives results within the bound on their bytes, with ASCII keys', () => {
    fc.assert(
      fc.property(works, fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), (work, unit) => {
        const mission = { ...work, unit: unit.slice(0, 60).toWellFormed() };
        const bytes = utf8(canonicalJson(solve(mission).result)).length;
        assert.ok(bytes <= allocationSize.result(mission).bytes);
      }),
      { numRuns: 60 },
    );
  });

  it('starts from a warm start that fits and ignores any other', () => {
    fc.assert(
      fc.property(works, fc.anything(), (work, junk) => {
        const plain = solve(work);
        assert.equal(canonicalJson(solve(work, plain.solution).result.value), canonicalJson(plain.result.value));
        assert.deepEqual(solve(work, junk), plain);
        assert.deepEqual(solve(work, { selected: [junk] }), plain);
      }),
      { numRuns: 40 },
    );
    const work = mission(60, 7);
    const known = solve(work).solution;
    assert.ok(solve(work, known, 1).result.value >= solve(work, null, 1).result.value);
  });

  it('compares the choices that the multipliers leave, of which none may be better', () => {
    const items = [3, 4].map((value, i) => ({ id: `i${i}`, cost: 2, value, risk: 0 }));
    const request = new Request({ kind: 'allocation', items, budget: 3, unit: 'points' });
    const left = { request, gain: [1n, 2n], fits: [true, true], gap: 2n, budget: 3_000_000n, value: 4_000_000n };
    checkChoices(3, left);
    assert.throws(() => checkChoices(2, left), /choices/);
    assert.throws(() => checkChoices(3, { ...left, value: 3_000_000n }), /is better/);
  });

  it('refuses every altered number, text, member and list of a result', () => {
    for (const work of [mission(14, 5), mission(9, 1, false)]) {
      const { result } = solve(work);
      accepted(work, result);
      for (const { path, value } of mutations(result))
        assert.equal(verifyAllocation(input(work), value).passed, false, `accepted an altered ${path}`);
    }
    for (const junk of [null, 1, 'x', [], {}, { selected: [] }])
      assert.equal(verifyAllocation(input(mission(3, 1)), junk).passed, false);
  });
});

/** A mission with links and a risk limit (or without them), from a small linear congruential sequence. */
function mission(n: number, seed: number, linked = true): AllocationWork {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const items = Array.from({ length: n }, (_, i) => ({
    id: `item-${i}`,
    cost: 10 + next(900) / 4,
    value: 5 + next(500),
    risk: next(9),
    ...(linked && i % 5 === 0 ? { group: `g${next(4)}` } : {}),
    ...(linked && i % 7 === 1 ? { requires: [`item-${i - 1}`] } : {}),
    ...(linked && i % 6 === 2 ? { excludes: [`item-${i - 2}`] } : {}),
  }));
  const work = { kind: 'allocation' as const, items, budget: n * 50 + 0.5, unit: 'points' };
  return linked ? { ...work, max_risk: n * 2 } : work;
}

interface Mknap {
  readonly n: number;
  readonly optimum: number;
  readonly profit: readonly number[];
  readonly weights: readonly (readonly number[])[];
  readonly capacity: readonly number[];
}

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
});

describe('core dynamic programme', () => {
  it('is exact, and its relaxation bounds the optimum', () => {
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
        const line = { values, weights, capacity, grid: 1 };
        const dual = lineDual(line, 1, () => {});
        if (dual === null) return assert.equal(best, 0);
        assert.ok(dual.bound >= best - 1e-6);
        const outcome = searchCore(line, dual, new Uint8Array(values.length), 1e6, () => {});
        const value = Array.from(outcome.choice ?? []).reduce((sum, taken, i) => sum + taken * values[i]!, 0);
        assert.equal(value, best);
        assert.ok(outcome.complete);
        const tight = lineDual(line, best, () => {}) ?? assert.fail('no choice is worth the optimum');
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
      const input = inputFor('g', work);
      const { result } = unwrap(allocationEngine.run(input, () => {}));
      assert.equal(result.value, table(values, costs, budget));
      assert.notEqual(result.optimality_proven, false);
      assert.equal(verifyAllocation(input, result).failure, null);
    });
  }
});
