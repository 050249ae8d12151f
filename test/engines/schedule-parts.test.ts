import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { prng } from '../../src/base/prng.js';
import type { Verification } from '../../src/engines/engine.js';
import { lowerBound } from '../../src/kinds/schedule/engine/bounds.js';
import { activeOrder, dispatchOrder, randomRule } from '../../src/kinds/schedule/engine/construct.js';
import { loadOrder, newPlan, type Plan, valueOf } from '../../src/kinds/schedule/engine/plan.js';
import { priceBound } from '../../src/kinds/schedule/engine/price-bound.js';
import { Propagator } from '../../src/kinds/schedule/engine/propagator.js';
import { Refuter } from '../../src/kinds/schedule/engine/refuter.js';
import { type Shop, shopOf } from '../../src/kinds/schedule/engine/shop.js';
import { stepMakespan, stepTardiness } from '../../src/kinds/schedule/engine/tabu.js';
import { newWalk } from '../../src/kinds/schedule/engine/walk.js';
import { decode } from '../../src/kinds/schedule/engine/engine.js';
import type { PriceCertificate, Refutation } from '../../src/kinds/schedule/result.js';
import { boundOf, dispatch } from '../../src/kinds/schedule/verify/bounds.js';
import { pricedBound, verifySchedule } from '../../src/kinds/schedule/verify/verify.js';
import { refutationFault, Windows } from '../../src/kinds/schedule/verify/refutation.js';
import type { TimedWork } from '../../src/kinds/schedule/work.js';
import { anyWork, inputOf, instances, optimumOf, solve, tardyJobs, workOf } from './schedule-cases.js';

const size = { jobs: 7, operations: 6, machines: 3 };
const settings = { numRuns: 150, seed: 11 };
const parts = ['sequence', 'slot', 'previous', 'next', 'end', 'tail'] as const;

const respectsJobs = (shop: Shop, order: Int32Array): boolean => {
  const place = new Map([...order].map((x, i) => [x, i]));
  return (
    place.size === shop.operations &&
    [...order].every((x) => shop.after[x]! >= shop.operations || place.get(x)! < place.get(x + 1)!)
  );
};

const same = (a: Plan, b: Plan): void => {
  for (const part of parts) assert.deepEqual(a[part], b[part], part);
};

describe('schedule plan', () => {
  it('keeps heads, tails and topological order right under every move of both walks', () => {
    fc.assert(
      fc.property(anyWork(size), fc.integer({ min: 0, max: 99 }), (work, seed) => {
        const shop = shopOf(work);
        const walk = newWalk(shop, prng(seed));
        const step = shop.objective === 'makespan' ? stepMakespan : stepTardiness;
        const fresh = newPlan(shop);
        loadOrder(walk.plan, activeOrder(shop, randomRule(walk.random)));
        for (let i = 0; i < 40 && step(walk, 0); i++) {
          assert.ok(respectsJobs(shop, walk.plan.order));
          loadOrder(fresh, walk.plan.order);
          same(walk.plan, fresh);
        }
      }),
      settings,
    );
  });
});

describe('schedule figures computed twice', () => {
  it('gives engine and verifier one bound and one baseline', () => {
    fc.assert(
      fc.property(anyWork({ jobs: 12, operations: 8, machines: 3 }), (work) => {
        const shop = shopOf(work);
        assert.equal(lowerBound(shop), boundOf(work));
        const plan = newPlan(shop);
        loadOrder(plan, dispatchOrder(shop));
        const expected = dispatch(work);
        assert.equal(valueOf(plan), work.objective === 'makespan' ? expected.makespan : expected.tardiness);
      }),
      { numRuns: 400, seed: 11 },
    );
  });
});

const quiet = (): void => {};

describe('schedule prices', () => {
  it('never bound the tardiness above the optimum, and the verifier finds the same bound', () => {
    fc.assert(
      fc.property(anyWork({ jobs: 4, operations: 2, machines: 2 }), (work) => {
        const tardy: TimedWork = { ...work, objective: 'weighted_tardiness' };
        const optimum = optimumOf(tardy);
        const plan = newPlan(shopOf(tardy));
        loadOrder(plan, dispatchOrder(plan.shop));
        const prices = priceBound(plan, 1e6, quiet);
        if (prices === null) return;
        assert.ok(prices.bound <= optimum, `${prices.bound} > ${optimum}`);
        assert.equal(pricedBound(tardy, prices.certificate), prices.bound);
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it('raise the bound of forty jobs on one machine to nine tenths of the best value', () => {
    const plan = newPlan(shopOf(tardyJobs(40)));
    loadOrder(plan, decode(plan.shop, solve(inputOf(tardyJobs(40), { effort: { max_evaluations: 60 } })).solution)!);
    const prices = priceBound(plan, 2e7, quiet);
    assert.ok(prices!.bound > 0.9 * valueOf(plan), `${prices!.bound} of ${valueOf(plan)}`);
  });
});

describe('schedule certificates', () => {
  const small = workOf(instances().find((one) => one.name === 'ft06')!.rows);
  const tardy = tardyJobs(40);
  const answers = new Map([small, tardy].map((work) => [work, solve(inputOf(work)).result]));
  const verify = (work: TimedWork, change: object): Verification =>
    verifySchedule(inputOf(work), { ...answers.get(work)!, ...change });

  it('prove ft06 optimal', () => {
    const result = answers.get(small)!;
    assert.deepEqual([result.makespan, result.lower_bound, result.optimality_proven], [55, 55, 'bound']);
    assert.equal((result.certificate as Refutation).refutation, '.');
  });

  it('are refused when they are malformed, too long, needless, or of another mission', () => {
    const prices = answers.get(tardy)!.certificate as PriceCertificate;
    assert.equal(verify(tardy, {}).failure, null);
    const odd: readonly object[] = [
      { refutation: 7 },
      { refutation: '.', extra: 1 },
      { refutation: '.'.repeat(200_000) },
      {},
      { ...prices, machine: 'none' },
      { ...prices, scale: 0 },
      { ...prices, width: 0 },
      { ...prices, from: -1 },
      { ...prices, from: Number.MAX_SAFE_INTEGER },
      { ...prices, prices: prices.prices.map((price, i) => (i === 0 ? -1 : price)) },
      { ...prices, prices: prices.prices.map(() => Number.MAX_SAFE_INTEGER) },
      { ...prices, prices: Array.from({ length: 10_000 }, () => 0) },
    ];
    for (const certificate of odd) {
      assert.equal(typeof verify(tardy, { certificate }).failure, 'string', JSON.stringify(certificate).slice(0, 80));
    }
    assert.equal(typeof verify(small, { certificate: prices }).failure, 'string');
    assert.match(verify(small, { lower_bound: 10 }).failure!, /single jobs and machines give/);
  });
});

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
          assert.equal(windows.isRivalOf(a, b), a !== b && shop.machineOf[a] === shop.machineOf[b]);
          if (!windows.isRivalOf(a, b) || propagator.isKnown(a, b)) continue;
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
