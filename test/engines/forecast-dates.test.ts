/** Dates of a forecast mission: what a request may say, what the result carries, and what the verifier refuses. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/lib/Either.js';
import { dateOfStep, dateUnits } from '../../src/kinds/forecast/calendar.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused, unwrap } from '../../src/base/result.js';
import { canonicalText } from '../../src/codec/canonical.js';
import { decode } from '../../src/codec/kit.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { datesOf } from '../../src/kinds/forecast/engine/dates.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import { forecastSize } from '../../src/kinds/forecast/size.js';
import { expectedDates } from './oracles/forecast/dates.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { forecastWork, type ForecastWork } from '../../src/kinds/forecast/work.js';
import { missionRequest } from '../../src/kinds/request.js';

const observations = Array.from({ length: 24 }, (_, i) => 100 + 3 * i + (i % 4) * 7);
const plain = { kind: 'forecast', observations, horizon: 3, holdout: 4 };
const workOf = (more: object): ForecastWork => unwrap(decode(forecastWork, { ...plain, ...more }));
const inputOf = (work: ForecastWork): EngineInput<ForecastWork> => ({
  goal: 'know what comes',
  work,
  seed: 42,
  population: 20,
  generations: 12,
  effort: { max_evaluations: 10_000 },
  warm_start: null,
});

function resultOf(work: ForecastWork): Record<string, unknown> {
  const answer = forecastEngine.run(inputOf(work), () => {});
  assert.ok(isRight(answer));
  return JSON.parse(canonicalJson(answer.right.result)) as Record<string, unknown>;
}

const monthly = { start: '2024-01-31', step: { unit: 'month' } };

describe('forecast dates', () => {
  it('are carried by the result, for the holdout and the steps ahead', () => {
    const work = workOf(monthly);
    const result = resultOf(work);
    assert.deepEqual(result['holdout_dates'], ['2025-09-30', '2025-10-31', '2025-11-30', '2025-12-31']);
    assert.deepEqual(result['forecast_dates'], ['2026-01-31', '2026-02-28', '2026-03-31']);
    assert.ok(canonicalJson(result).length <= forecastSize.resultBytes(work));
    const { passed, checks } = verifyForecast(inputOf(work), result);
    assert.ok(passed);
    assert.ok(checks.includes('the date of every step counted from the start'));
  });

  it('change nothing of a mission without them', () => {
    const request = (work: object): string =>
      canonicalText(missionRequest, unwrap(decode(missionRequest, { goal: 'know what comes', work })));
    const text = request(plain);
    assert.doesNotMatch(text, /start|step/);
    assert.equal(request({ ...plain, start: null, step: null }), text);
    assert.match(request({ ...plain, ...monthly }), /"start":"2024-01-31","step":\{"count":1,"unit":"month"\}/);
    const { holdout_dates: _, forecast_dates: __, ...undated } = resultOf(workOf(monthly));
    assert.deepEqual(resultOf(workOf({})), undated);
  });

  it('are refused by the verifier where one is another day, is missing, or is there without a start', () => {
    const work = workOf(monthly);
    const result = resultOf(work);
    const ahead = result['forecast_dates'] as string[];
    const wrong = (changed: object, of = work): string =>
      verifyForecast(inputOf(of), { ...result, ...changed }).failure ?? 'passed';
    assert.match(wrong({ forecast_dates: ahead.with(1, '2026-02-27') }), /^forecast_dates are not those of the steps/);
    assert.match(wrong({ forecast_dates: ahead.slice(1) }), /^forecast_dates are not/);
    assert.match(wrong({ holdout_dates: ahead }), /^holdout_dates are not/);
    const { holdout_dates: _, ...without } = result;
    assert.equal(verifyForecast(inputOf(work), without).passed, false);
    assert.match(wrong({}, workOf({})), /^holdout_dates are there if and only if/);
  });

  it('are the same by the arithmetic of the engine and by counting days', () => {
    const start = fc
      .tuple(fc.integer({ min: 1, max: 9990 }), fc.nat(11), fc.nat(30), fc.constantFrom('', 'T00:00:00Z', 'T23:59:59.5+13:45'))
      .map(([year, month, day, time]) => {
        const last = new Date(Date.UTC(2000 + (year % 400), month + 1, 0)).getUTCDate();
        const two = (value: number): string => String(value).padStart(2, '0');
        return `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(Math.min(day + 1, last))}${time}`;
      });
    const step = fc.record({ unit: fc.constantFrom(...dateUnits), count: fc.integer({ min: 1, max: 1_000 }) });
    let compared = 0;
    fc.assert(
      fc.property(start, step, (from, each) => {
        if (dateOfStep(from, each, observations.length + 2) === null) return;
        compared++;
        const work = workOf({ start: from, step: each });
        assert.deepEqual(datesOf(work), expectedDates(work));
      }),
      { numRuns: 400 },
    );
    assert.ok(compared > 100);
  });

  it('are refused with the path of what is wrong', () => {
    const faults = (more: object): (readonly [string, string])[] => {
      const decoded = decode(missionRequest, { goal: 'know what comes', work: { ...plain, ...more } });
      assert.ok(isRefused(decoded));
      return (decoded.left.errors ?? []).map(({ path, message }) => [path, message] as const);
    };
    const day = { unit: 'day', count: 1 };
    assert.deepEqual(faults({ step: day }), [['work.start', 'is needed beside step']]);
    assert.deepEqual(faults({ start: '2026-01-01' }), [['work.step', 'is needed beside start']]);
    assert.match(String(faults({ start: '2026-02-29', step: day })), /^work\.start,must be a date of the calendar/);
    const end = 'the 24 observations and 3 steps ahead end after the year 9999';
    assert.deepEqual(faults({ start: '9999-12-06', step: day }), [['work.step', end]]);
    assert.deepEqual(faults({ start: '2026-01-01', step: { unit: 'year', count: 1000 } }), [['work.step', end]]);
    assert.equal(workOf({ start: '9999-12-05', step: day }).start, '9999-12-05');
    for (const count of [0, 1001, 1.5, '1'])
      assert.deepEqual(
        faults({ start: '2026-01-01', step: { unit: 'day', count } }).map(([path]) => path),
        ['work.step.count'],
      );
    assert.deepEqual(
      faults({ start: '2026-01-01', step: { unit: 'days' } }).map(([path]) => path),
      ['work.step.unit'],
    );
    assert.deepEqual(
      faults({ start: '2026-01-01', step: { unit: 'day', zone: 'CET' } }).map(([path]) => path),
      ['work.step.zone'],
    );
  });
});
