/** The market stage of executed missions: what a result gained over its baseline, in figures that can be checked by hand. */
import assert from 'node:assert/strict';
import { Fault, unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { codeWork } from '../../src/kinds/code/work.js';
import { forecastWork } from '../../src/kinds/forecast/work.js';
import { missionKind } from '../../src/kinds/table.js';
import { apply, produced, research } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';

const example = missionKind('schedule').example.work;
const job = (id: string, due: number, weight: number): object => ({
  id,
  due,
  weight,
  operations: [{ machine: 'm', duration: 9 }],
});
/** By due dates the light job comes first, and the heavy one is 8 hours late. */
const late = {
  kind: 'schedule',
  unit: 'hours',
  objective: 'weighted_tardiness',
  jobs: [job('light', 9, 1), job('heavy', 10, 9)],
};
/** By ratio the roof comes first, and then nothing else fits. */
const items = [
  { id: 'roof', cost: 6, value: 9 },
  { id: 'door', cost: 5, value: 7 },
  { id: 'fence', cost: 5, value: 7 },
];
const choice = { kind: 'allocation', budget: 10, items };
const climb = { kind: 'forecast', unit: 'tons', observations: Array.from({ length: 24 }, (_, i) => 10 * i) };
/** The last value before the holdout is repeated in it, which no trend foresees. */
const halt = { kind: 'forecast', observations: [...Array.from({ length: 20 }, (_, i) => 10 * i), 195, 196, 194, 195] };
const onTime = { ...late, jobs: [job('light', 9, 1)] };
const worthless = { kind: 'allocation', budget: 5, items: [{ id: 'a', cost: 1, value: 0 }] };
const constant = { kind: 'forecast', observations: new Array<number>(14).fill(7) };

describe('market stage', () => {
  const homes = homeForEach();
  const statedOf = (work: object): Promise<Readonly<Record<string, unknown>>> =>
    homes.get().with(async (home) => {
      await apply(home, { max_evaluations: 60 });
      const { stages } = await produced(home, { goal: 'gain something', work }, 'real');
      return stages.find(({ role }) => role === 'market')?.detail ?? {};
    });

  for (const [what, work, improvement, ratio, unit] of [
    ['a makespan of 640 minutes in place of 680', example, 40, 0.0588235294118, 'minutes'],
    ['a weighted tardiness', late, 63, 0.875, 'hours × weight'],
    ['a choice', choice, 5, 0.555555555556, null],
    ['a forecast', climb, 25, 1, 'tons'],
    ['a forecast that is worse than the last value', halt, -15, -3, 'units'],
    ['a plan whose baseline is never late', onTime, 0, null, 'hours × weight'],
    ['a choice whose baseline is worth nothing', worthless, 0, null, null],
    ['a forecast whose baseline has no error', constant, 0, null, 'units'],
    ['research, which has no objective', research()['work'] as object, null, null, null],
  ] as const)
    it(`states what was gained by ${what}`, async () => {
      const revenue = { realized_revenue: null, token_settlement: 'not_recorded' };
      const stated = { objective_improvement: improvement, improvement_ratio: ratio, unit, ...revenue };
      assert.deepEqual(await statedOf(work), stated);
    });

  it('states nothing for code', () => {
    const { improvement, example } = missionKind('code');
    const nothing = { objective_improvement: null, unit: null, improvement_ratio: null };
    assert.deepEqual(improvement(unwrap(decode(codeWork, example.work)), { accuracy: 1 }), nothing);
  });

  it('throws a fault for a result without the figures', () => {
    const { improvement, example } = missionKind('forecast');
    assert.throws(() => improvement(unwrap(decode(forecastWork, example.work)), { holdout_mae: 1 }), Fault);
  });
});
