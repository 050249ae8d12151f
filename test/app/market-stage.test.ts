/**
 * The market stage of executed missions: each statement is computed again here from the request and the result, in exact arithmetic,
 * and compared with the recorded one.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Home } from '../../src/app/home/home.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import type { Kind } from '../../src/codec/kinds.js';
import { Fault, unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { codeWork } from '../../src/kinds/code/work.js';
import { forecastWork as forecastWorkCodec } from '../../src/kinds/forecast/work.js';
import { timed } from '../../src/kinds/schedule/work.js';
import { missionKind } from '../../src/kinds/table.js';
import type { Works } from '../../src/kinds/works.js';
import { atEffort } from '../support/effort.js';
import { divided, exact, isRounded, isZero, minus, sizeOf, sum, times, type Fraction } from '../support/engines/exact.js';
import { apply, produced, research } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';

type Members = Readonly<Record<string, unknown>>;

/** What a market stage must state, in exact numbers. */
interface Expected {
  readonly baseline: Fraction;
  readonly improvement: Fraction;
  readonly unit: string | null;
}

const zero = exact(0);
const larger = (a: Fraction, b: Fraction): Fraction => (minus(a, b).over > 0n ? a : b);
const numberIn = (result: Members, name: string): number => {
  const value = result[name];
  if (typeof value !== 'number') assert.fail(`${name} is no number`);
  return value;
};

function expectedSchedule(work: Works['schedule'], result: Members): Expected {
  const { jobs, objective, unit } = timed(work);
  const operations = result['operations'] as readonly { readonly job: string; readonly end: number }[];
  const endOf = (id: string): Fraction =>
    operations.filter(({ job }) => job === id).reduce((last, { end }) => larger(exact(end), last), zero);
  const late = jobs.map(({ id, due, weight }) =>
    due === undefined ? zero : times(exact(weight), larger(minus(endOf(id), exact(due)), zero)),
  );
  const isTardiness = objective === 'weighted_tardiness';
  const value = isTardiness ? sum(late) : jobs.map(({ id }) => endOf(id)).reduce(larger, zero);
  const baseline = exact(numberIn(result, 'baseline'));
  return { baseline, improvement: minus(baseline, value), unit: isTardiness ? `${unit} × weight` : unit };
}

function expectedAllocation({ items }: Works['allocation'], result: Members): Expected {
  const selected = new Set(result['selected'] as readonly string[]);
  const value = sum(items.filter(({ id }) => selected.has(id)).map((item) => exact(item.value)));
  const baseline = exact(numberIn(result['baseline'] as Members, 'value'));
  return { baseline, improvement: minus(value, baseline), unit: null };
}

/** The mean absolute error of predictions, as a result states it: the exact one is compared with it. */
function errorIn(result: Members, name: string, actual: readonly number[], predicted: readonly number[]): Fraction {
  const errors = actual.map((value, k) => sizeOf(minus(exact(value), exact(predicted[k] ?? Number.NaN))));
  const mean = divided(sum(errors), exact(actual.length));
  const stated = exact(numberIn(result, name));
  // A figure is rounded to twelve digits of its own, which the predictions may exceed the observations by.
  const scale = sum([...actual, ...predicted].map((value) => sizeOf(exact(value))));
  const off = sizeOf(minus(mean, stated));
  assert.ok(isZero(off) || minus(times(off, exact(1e11)), scale).over < 0n, `${name} is not that of the predictions`);
  return stated;
}

function expectedForecast({ observations, holdout, unit }: Works['forecast'], result: Members): Expected {
  const values = observations.map((value) => value ?? assert.fail('a gap'));
  const train = values.slice(0, -holdout);
  const actual = values.slice(-holdout);
  const last = train.at(-1) ?? Number.NaN;
  const error = errorIn(result, 'holdout_mae', actual, result['holdout_predictions'] as readonly number[]);
  const baseline = errorIn(
    result,
    'baseline_mae',
    actual,
    actual.map(() => last),
  );
  return { baseline, improvement: minus(baseline, error), unit };
}

function expectedOf({ request, result }: MissionRecord): Expected | null {
  const { work } = request as { readonly work: Works[Kind] };
  switch (work.kind) {
    case 'schedule':
      return expectedSchedule(work, result as Members);
    case 'allocation':
      return expectedAllocation(work, result as Members);
    case 'forecast':
      return expectedForecast(work, result as Members);
    case 'research':
    case 'code':
      return null;
  }
}

/** Checks every member that the stage states about the objective. Returns the stage's note. */
function check(mission: MissionRecord): Members {
  assert.equal(mission.state, 'review', mission.kind);
  const detail = mission.stages.find(({ role }) => role === 'market')?.detail ?? {};
  const { objective_improvement: improvement, improvement_ratio: ratio, unit, ...rest } = detail;
  assert.deepEqual(rest, { realized_revenue: null, token_settlement: 'not_recorded' });
  const expected = expectedOf(mission);
  const said = JSON.stringify(detail);
  if (expected === null) assert.deepEqual([improvement, unit, ratio], [null, null, null], said);
  else {
    assert.equal(unit, expected.unit, said);
    assert.ok(typeof improvement === 'number' && isRounded(improvement, expected.improvement), said);
    if (isZero(expected.baseline)) assert.equal(ratio, null, said);
    else assert.ok(typeof ratio === 'number' && isRounded(ratio, divided(expected.improvement, expected.baseline)), said);
  }
  return detail;
}

const shortText = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
const decimal = fc.tuple(fc.nat(99_999), fc.nat(6)).map(([digits, places]) => Number(`${digits}e-${places}`));

const scheduleWork = fc.record({
  kind: fc.constant('schedule'),
  objective: fc.constantFrom('makespan', 'weighted_tardiness'),
  unit: shortText,
  jobs: fc
    .array(
      fc.record({
        operations: fc.array(fc.record({ machine: fc.constantFrom('a', 'b', 'c'), duration: fc.integer({ min: 1, max: 40 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        release: fc.nat(20),
        due: fc.nat(80),
        weight: fc.nat(9),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((jobs) => jobs.map((job, i) => ({ id: `j${i}`, ...job }))),
});

const allocationWork = fc.record({
  kind: fc.constant('allocation'),
  unit: shortText,
  budget: fc.integer({ min: 1, max: 300 }),
  items: fc
    .array(fc.record({ cost: fc.integer({ min: 1, max: 90 }), value: decimal, risk: fc.nat(5) }), { minLength: 1, maxLength: 14 })
    .map((items) => items.map((item, i) => ({ id: `i${i}`, ...item }))),
});

const forecastWork = fc.record({
  kind: fc.constant('forecast'),
  unit: shortText,
  observations: fc.array(
    fc.tuple(decimal, fc.boolean()).map(([x, isNegative]) => (isNegative ? -x : x)),
    {
      minLength: 14,
      maxLength: 40,
    },
  ),
  holdout: fc.integer({ min: 2, max: 4 }),
});

describe('market stage', () => {
  const homes = homeForEach();
  let home: Home;
  beforeEach(async () => {
    home = homes.get().open();
    await apply(home, { max_evaluations: 60 });
  });
  afterEach(() => home.close());

  const executed = (mission: unknown): Promise<MissionRecord> => produced(home, mission, 'real');

  for (const kind of ['research', 'allocation', 'schedule', 'forecast'] as const) {
    it(`states what the example of ${kind} gained`, async () => {
      check(await executed(missionKind(kind).example));
    });
  }

  for (const [kind, work] of [
    ['schedule', scheduleWork],
    ['allocation', allocationWork],
    ['forecast', forecastWork],
  ] as const) {
    it(`states what generated ${kind} missions gained`, async () => {
      const works: readonly object[] = fc.sample<object>(work, { seed: 20_261_120, numRuns: atEffort(8, 60) });
      for (const each of works) check(await executed({ goal: 'generated', work: each }));
    });
  }

  it('states hours for a makespan, hours × weight for a weighted tardiness, and a ratio without a unit', async () => {
    const job = (id: string, due: number) => ({
      id,
      due,
      weight: 3,
      operations: [
        { machine: 'm1', duration: 4 },
        { machine: 'm2', duration: 2 },
      ],
    });
    const work = { kind: 'schedule', unit: 'hours', jobs: [job('a', 9), job('b', 5)] };
    const units = [];
    for (const objective of ['makespan', 'weighted_tardiness'])
      units.push(check(await executed({ goal: 'two jobs', work: { ...work, objective } }))['unit']);
    assert.deepEqual(units, ['hours', 'hours × weight']);
  });

  it('states no ratio where the baseline is 0', async () => {
    const operations = [{ machine: 'm', duration: 1 }];
    const onTime = { kind: 'schedule', objective: 'weighted_tardiness', jobs: [{ id: 'a', operations, due: 9 }] };
    const worthless = { kind: 'allocation', budget: 5, items: [{ id: 'a', cost: 1, value: 0 }] };
    const constant = { kind: 'forecast', observations: new Array<number>(14).fill(7) };
    for (const work of [onTime, worthless, constant]) {
      const { objective_improvement, improvement_ratio } = check(await executed({ goal: 'nothing to gain', work }));
      assert.deepEqual([objective_improvement, improvement_ratio], [0, null], work.kind);
    }
  });

  it('states a loss as a negative gain', async () => {
    // The last value before the holdout is repeated in it, which no trend foresees.
    const observations = [...Array.from({ length: 20 }, (_, i) => 10 * i), 195, 196, 194, 195];
    const { objective_improvement, improvement_ratio } = check(
      await executed({ goal: 'halt', work: { kind: 'forecast', observations } }),
    );
    assert.ok(Number(objective_improvement) < 0 && Number(improvement_ratio) < 0);
  });

  it('states nothing for kinds without an objective', async () => {
    check(await executed(research()));
    const { improvement } = missionKind('code');
    const work = unwrap(decode(codeWork, missionKind('code').example.work));
    assert.deepEqual(improvement(work, { accuracy: 1 }), { objective_improvement: null, unit: null, improvement_ratio: null });
  });

  it('throws a fault for a result without the figures', () => {
    const { improvement } = missionKind('forecast');
    const { work } = missionKind('forecast').example;
    assert.throws(() => improvement(unwrap(decode(forecastWorkCodec, work)), { holdout_mae: 1 }), Fault);
  });
});
