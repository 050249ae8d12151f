import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { prng } from '../../src/base/prng.js';
import { lowerBound } from '../../src/kinds/schedule/engine/bounds.js';
import { activeOrder, dispatchOrder, randomRule, rulesFor } from '../../src/kinds/schedule/engine/construct.js';
import { loadOrder, newPlan, type Plan, valueOf } from '../../src/kinds/schedule/engine/plan.js';
import { merge } from '../../src/kinds/schedule/engine/relink.js';
import { type Shop, shopOf } from '../../src/kinds/schedule/engine/shop.js';
import { stepMakespan } from '../../src/kinds/schedule/engine/step-makespan.js';
import { stepTardiness } from '../../src/kinds/schedule/engine/step-tardiness.js';
import { boundOf, dispatch } from '../../src/kinds/schedule/verify/bounds.js';
import { newWalk } from '../../src/kinds/schedule/engine/walk.js';
import { decode, encode } from '../../src/kinds/schedule/engine/warm-start.js';
import { anyWork } from './schedule-cases.js';

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

  it('relinks two orders into one that keeps what both agree on', () => {
    fc.assert(
      fc.property(anyWork(size), (work) => {
        const shop = shopOf(work);
        const random = prng(3);
        const [a, b] = [activeOrder(shop, randomRule(random)), activeOrder(shop, randomRule(random))];
        const child = merge(a, b, random);
        assert.ok(respectsJobs(shop, child));
        assert.deepEqual(merge(a, a, random), a);
        const [pa, pb, pc] = [a, b, child].map((order) => new Map([...order].map((x, i) => [x, i])));
        for (const x of a) {
          for (const y of a) if (pa!.get(x)! < pa!.get(y)! && pb!.get(x)! < pb!.get(y)!) assert.ok(pc!.get(x)! < pc!.get(y)!);
        }
      }),
      settings,
    );
  });

  it('comes back from its warm start', () => {
    fc.assert(
      fc.property(anyWork(size), (work) => {
        const shop = shopOf(work);
        const plan = newPlan(shop);
        const again = newPlan(shop);
        loadOrder(plan, activeOrder(shop, randomRule(prng(1))));
        loadOrder(again, decode(shop, encode(plan))!);
        same(plan, again);
      }),
      settings,
    );
  });
});

describe('schedule construction', () => {
  it('gives active schedules by every rule: no operation fits into an earlier idle time', () => {
    fc.assert(
      fc.property(anyWork(size), (work) => {
        const shop = shopOf(work);
        const plan = newPlan(shop);
        for (const rule of [...rulesFor(shop), randomRule(prng(5))]) {
          const order = activeOrder(shop, rule);
          assert.ok(respectsJobs(shop, order));
          loadOrder(plan, order);
          for (const x of order) assert.ok(!fitsEarlier(plan, x), `operation ${x}`);
        }
      }),
      settings,
    );
  });
});

/** Whether x could be done before an operation that precedes it on its machine without moving any. */
function fitsEarlier(plan: Plan, x: number): boolean {
  const { shop } = plan;
  const ready = plan.end[shop.before[x]!]!;
  for (let y = plan.previous[x]!; y !== shop.none; y = plan.previous[y]!) {
    const gapStart = Math.max(ready, plan.end[plan.previous[y]!]!);
    if (gapStart + shop.duration[x]! <= plan.end[y]! - shop.duration[y]!) return true;
  }
  return false;
}

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
