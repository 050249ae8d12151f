import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { dispatchOrder } from '../../src/kinds/schedule/engine/construct.js';
import { loadOrder, newPlan, valueOf } from '../../src/kinds/schedule/engine/plan.js';
import { priceBound } from '../../src/kinds/schedule/engine/price-bound.js';
import { shopOf } from '../../src/kinds/schedule/engine/shop.js';
import { decode } from '../../src/kinds/schedule/engine/warm-start.js';
import { pricedBound } from '../../src/kinds/schedule/verify/prices.js';
import type { ScheduleWork } from '../../src/kinds/schedule/work.js';
import { anyWork, inputOf, optimumOf, solve, tardyJobs } from './schedule-cases.js';

const quiet = (): void => {};

describe('schedule prices', () => {
  it('never bound the tardiness above the optimum, and the verifier finds the same bound', () => {
    fc.assert(
      fc.property(anyWork({ jobs: 4, operations: 2, machines: 2 }), (work) => {
        const tardy: ScheduleWork = { ...work, objective: 'weighted_tardiness' };
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
