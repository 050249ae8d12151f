/** What an allocation refuses before it is queued, what it must choose, and what it cannot. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { type FieldError, unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import type { AllocationResult } from '../../src/kinds/allocation/result.js';
import { verifyAllocation } from '../../src/kinds/allocation/verify/verify.js';
import { allocationWork, type AllocationWork } from '../../src/kinds/allocation/work.js';
import { inputFor } from './inputs.js';
import { mutations } from './mutations.js';

const input = (work: AllocationWork): EngineInput<AllocationWork> => ({
  ...inputFor('choose a portfolio', work),
  effort: { max_evaluations: 200 },
});

const solve = (work: AllocationWork): AllocationResult => {
  const { result } = unwrap(allocationEngine.run(input(work), () => {}));
  assert.equal(verifyAllocation(input(work), result).failure, null);
  return result;
};

const work = (budget: number, ...items: object[]): AllocationWork =>
  ({ kind: 'allocation', items, budget, max_risk: 5, unit: 'x' }) as unknown as AllocationWork;

const refused = (work: AllocationWork): readonly FieldError[] => {
  const outcome = decode(allocationWork, work);
  return E.isLeft(outcome) ? (outcome.left.errors ?? []) : [];
};

describe('limits of an allocation', () => {
  it('refuses numbers that have no exact grid', () => {
    const one = (cost: number, value: number): AllocationWork =>
      work(10, { id: 'a', cost, value, risk: 0 }, { id: 'b', cost: 1e12, value: 1, risk: 0 });
    const paths = (of: AllocationWork): (string | undefined)[] => refused(of).map(({ path }) => path);
    assert.deepEqual(paths({ ...one(1.0000001, 1e-7), budget: 0.1 + 0.2 }), ['budget', 'items[0].cost', 'items[0].value']);
    assert.deepEqual(paths(one(1.00001, 1)), ['items[1].cost']);
    assert.deepEqual(refused(one(0.10000200000000001, 1)), [
      { path: 'items[0].cost', message: 'has 17 decimal places, at most 6 are allowed: write 0.100002' },
    ]);
  });

  it('shows totals and their differences in all of their digits', () => {
    const [a, b] = [1_234_567.123456, 1_234_567.023456];
    const large = { id: 'a', cost: 12_345_678_901.27, value: a, risk: 0 };
    const { value, cost, improvement, sensitivity } = solve(work(large.cost, large, { id: 'b', cost: 1, value: b, risk: 0 }));
    assert.deepEqual([value, cost, improvement, sensitivity.budget_plus_10?.budget], [a, large.cost, 0.1, 13_580_246_791.397]);
  });

  it('refuses what must be chosen when no choice can hold it, and names the constraints that clash', () => {
    const item = (id: string, more: object = {}) => ({ id, cost: 4, value: 1, risk: 2, ...more });
    const rent = item('rent', { required: true });
    const lab = item('lab', { requires: ['staff'], required: true });
    assert.deepEqual(refused(work(11, rent, lab, item('staff'))), [
      { path: 'budget', message: 'is less than the cost of what must be chosen, 12: rent, lab, staff' },
      { path: 'max_risk', message: 'is less than the risk of what must be chosen, 6: rent, lab, staff' },
    ]);
    assert.deepEqual(
      refused(
        work(99, rent, item('lab', { requires: ['staff'], required: true, risk: 0 }), item('staff', { excludes: ['rent'] })),
      ),
      [{ path: 'items[2].excludes[0]', message: 'rent must be chosen too: lab requires staff, rent is required' }],
    );
    assert.deepEqual(refused(work(99, { ...rent, group: 'g' }, item('other', { required: true, group: 'g' }))), [
      { path: 'items[1].group', message: 'rent of the same group must be chosen too: rent is required, other is required' },
    ]);
  });

  it('names items that no choice can hold, and leaves them out of the bound', () => {
    const items = [
      { id: 'a', cost: 1, value: 9, risk: 0, requires: ['b'] },
      { id: 'b', cost: 1, value: 1, risk: 0, excludes: ['a'] },
      { id: 'c', cost: 1, value: 2, risk: 0, group: 'g' },
      { id: 'd', cost: 2, value: 9, risk: 0, requires: ['c', 'b'] },
      { id: 'e', cost: 4, value: 9, risk: 0, group: 'g' },
    ];
    const result = solve(work(3, ...items));
    assert.deepEqual([result.value, result.bound, result.gap, result.optimality_proven], [3, 3, 0, 'bound']);
    assert.deepEqual(result.excluded_because, [
      { id: 'a', reason: 'impossible' },
      { id: 'd', reason: 'impossible' },
      { id: 'e', reason: 'budget' },
    ]);
  });

  /** Its required items cost more than 90 % of the budget, and rule out the second one. */
  const kept = work(
    10.25,
    { id: 'rent', cost: 9, value: 0, risk: 1, required: true, group: 'g' },
    { id: 'other', cost: 1, value: 50, risk: 1, group: 'g' },
    { id: 'lab', cost: 0.5, value: 2.5, risk: 1, required: true, requires: ['staff'] },
    { id: 'staff', cost: 0, value: 1, risk: 1 },
    { id: 'desk', cost: 0.5, value: 3, risk: 1, requires: ['lamp'] },
    { id: 'lamp', cost: 0.5, value: 0, risk: 2 },
    { id: 'tea', cost: 0.25, value: 1.5, risk: 0 },
    { id: 'cups', cost: 0.25, value: 1, risk: 1, requires: ['tea'] },
  );

  it('keeps the required items with all that they require, and has no figures for a budget without room for them', () => {
    const result = solve(kept);
    assert.deepEqual(result.selected, ['rent', 'lab', 'staff', 'tea', 'cups']);
    assert.deepEqual([result.value, result.cost, result.risk, result.bound], [6, 10, 4, 6]);
    assert.equal(result.sensitivity.budget_minus_10, null);
    assert.deepEqual(result.excluded_because, [
      { id: 'other', reason: 'impossible' },
      { id: 'desk', reason: 'impossible' },
      { id: 'lamp', reason: 'zero value' },
    ]);
  });

  it('refuses every altered number, text, member and list of such a result', () => {
    for (const { path, value } of mutations(solve(kept)))
      assert.equal(verifyAllocation(input(kept), value).passed, false, `accepted an altered ${path}`);
  });

  it('reads hundreds of requirements of each item in seconds, and in the verifier too', () => {
    const ids = Array.from({ length: 2000 }, (_, i) => `i${i}`);
    const items = ids.map((id, i) => ({ id, cost: 1, value: 1, risk: 0, requires: [...ids, ...ids].slice(i + 1, i + 151) }));
    const before = process.cpuUsage();
    assert.equal(solve(work(1000, ...items)).bound, 0);
    assert.ok(process.cpuUsage(before).user < 20e6);
  });
});
