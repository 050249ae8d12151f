import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isRight } from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { round12, round15 } from '../../src/base/decimal.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { canonicalText } from '../../src/codec/canonical.js';
import { decode } from '../../src/codec/kit.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { dateOfStep, dateUnits } from '../../src/kinds/forecast/calendar.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import { datesOf } from '../../src/kinds/forecast/figures.js';
import type { ForecastResult } from '../../src/kinds/forecast/result.js';
import { forecastSize } from '../../src/kinds/forecast/size.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { type ForecastWork, forecastWork } from '../../src/kinds/forecast/work.js';
import { missionRequest } from '../../src/kinds/request.js';
import { forecastInput } from './inputs.js';
import { expectedDates } from './oracles/forecast/read.js';

const input = (work: Parameters<typeof forecastInput>[0]): EngineInput<ForecastWork> =>
  forecastInput({ levels: [50, 80, 95], ...work });

function run(mission: EngineInput<ForecastWork>): ForecastResult {
  const answer = forecastEngine.run(mission, () => {});
  assert.ok(isRight(answer));
  assert.equal(answer.right.solution, null);
  const plain: unknown = JSON.parse(canonicalJson(answer.right.result));
  const verification = verifyForecast(mission, plain);
  assert.equal(verification.failure, null);
  assert.ok(verification.passed);
  assert.ok(canonicalJson(answer.right.result).length <= forecastSize.result(mission.work).bytes);
  return answer.right.result;
}

function everyNumber(value: unknown, check: (x: number) => void): void {
  if (typeof value === 'number') check(value);
  else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) everyNumber(member, check);
}

/** A sum of a trend, a season and noise that repeats on every machine. */
function wave(n: number, m: number, noise: number): number[] {
  let state = 1;
  return Array.from({ length: n }, (_, t) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return round12(50 + 0.2 * t + 8 * Math.abs((t % m) - m / 2) + noise * (state / 4_294_967_296 - 0.5));
  });
}

describe('engines/forecast', () => {
  it('carries the measures of the holdout', () => {
    const work = { observations: wave(60, 6, 2), horizon: 6, holdout: 6, season: 6 };
    const result = run(input(work));
    assert.deepEqual(result.holdout_actual, work.observations.slice(54));
    const mae = result.holdout_actual.reduce((sum, v, k) => sum + Math.abs(v - result.holdout_predictions[k]!), 0) / 6;
    assert.equal(result.holdout_mae, round12(mae));
    assert.equal(result.improvement, round12(1 - result.holdout_mae / result.baseline_mae));
    assert.ok((result.improvement ?? 0) > 0.7);
  });

  it('follows a trend with a season', () => {
    const observations = wave(96, 12, 0);
    const { forecast } = run(input({ observations, horizon: 12, holdout: 12, season: 12 }));
    wave(108, 12, 0)
      .slice(96)
      .forEach((v, k) => assert.ok(Math.abs(v - forecast[k]!) < 1.5, `${v} against ${forecast[k]}`));
  });

  it('fits how much of the slope Theta continues on short series without a season: all of a steady one, little of none', () => {
    const steady = Array.from({ length: 40 }, (_, t) => 100 + 3 * t + Math.sin(t * t));
    const none = Array.from({ length: 40 }, (_, t) => 100 + 20 * Math.sin(t * t));
    const shareOf = (observations: readonly number[], more: Partial<ForecastWork>): number | undefined =>
      run(input({ observations, horizon: 6, holdout: 6, ...more })).models.find(({ name }) => name === 'optimised-theta')
        ?.parameters['share'];
    const years = { season: 'auto', start: '1980-01-01', step: { unit: 'year', count: 1 } } as const;
    for (const more of [{ season: 1 }, years] as const) {
      assert.ok((shareOf(steady, more) ?? 0) > 0.9);
      assert.ok((shareOf(none, more) ?? 1) < 0.4);
    }
    assert.doesNotMatch(run(input({ observations: none, ...years })).limits.join(), /season/);
    assert.equal(shareOf([...none, ...none], { season: 1 }), undefined);
    // A season that was not found may still be there.
    for (const season of [4, 'auto'] as const) assert.equal(shareOf(none, { season }), undefined);
  });

  it('gives half of the forecast of a short positive series without a season to the local and global trend, which goes on with it', () => {
    const noise = (t: number): number => Math.sin(t * t);
    const line = Array.from({ length: 24 }, (_, t) => 100 + 5 * t + 2 * noise(t));
    const growing = Array.from({ length: 24 }, (_, t) => 100 * 1.08 ** t * (1 + noise(t) / 12));
    const none = Array.from({ length: 24 }, (_, t) => 100 + 20 * noise(t));
    const trendOf = (observations: readonly number[], more: Partial<ForecastWork> = {}) => {
      const { models, diagnostics, forecast } = run(input({ observations, horizon: 6, holdout: 6, season: 1, ...more }));
      const weight = models.find(({ name }) => name === 'local-global-trend')?.weight;
      return { part: weight === undefined ? undefined : weight * (1 - diagnostics.median_share), forecast };
    };
    for (const observations of [line, growing, none]) assert.ok(Math.abs((trendOf(observations).part ?? 0) - 0.5) < 0.01);
    assert.ok(Math.abs(trendOf(line).forecast[5]! / (100 + 5 * 29) - 1) < 0.05);
    assert.ok(Math.abs(trendOf(growing).forecast[5]! / (100 * 1.08 ** 29) - 1) < 0.15);
    assert.ok(Math.abs(trendOf(none).forecast[5]! - 100) < 15);
    // A model that continues the series exactly takes the weight.
    assert.ok(trendOf(Array.from({ length: 24 }, (_, t) => 1.3 ** t)).part! < 0.01);
    assert.equal(trendOf(line, { season: 4 }).part, undefined);
    assert.equal(trendOf(line.map((v) => v - 150)).part, undefined);
    assert.equal(trendOf([...none, ...none, ...none]).part, undefined);
  });

  it('widens its bands with the step and with the level', () => {
    const { intervals } = run(input({ observations: wave(80, 7, 9), horizon: 20, holdout: 8, season: 7 }));
    const widths = intervals.map(({ lower, upper }) => upper.map((u, k) => u - lower[k]!));
    for (const row of widths) row.forEach((w, k) => assert.ok(k === 0 || w >= row[k - 1]! - 1e-9));
    widths[0]!.forEach((w, k) => assert.ok(w <= widths[1]![k]! && widths[1]![k]! <= widths[2]![k]!));
  });

  it('scores no model by the holdout', () => {
    const observations = wave(60, 6, 4);
    const other = observations.map((v, t) => (t < 54 ? v : -v * 3));
    const first = run(input({ observations, holdout: 6, season: 6 }));
    const second = run(input({ observations: other, holdout: 6, season: 6 }));
    assert.deepEqual(second.training_scores, first.training_scores);
    assert.deepEqual(second.holdout_predictions, first.holdout_predictions);
  });

  it('finds a season by itself, and several that are given', () => {
    assert.deepEqual(run(input({ observations: wave(120, 8, 3), season: 'auto' })).diagnostics.seasons, [8]);
    assert.deepEqual(run(input({ observations: wave(120, 8, 3), seasons: [24, 8, 24] })).diagnostics.seasons, [8, 24]);
    assert.deepEqual(run(input({ observations: new Array<number>(40).fill(3), season: 'auto' })).diagnostics.seasons, []);
  });

  it('reports what it could not use', () => {
    const result = run(input({ observations: wave(28, 12, 1), season: 12 }));
    assert.ok(result.limits.some((line) => line.startsWith('Season 12: too few cycles')));
    assert.ok(run(input({ observations: wave(12, 4, 1), horizon: 30 })).limits.some((line) => line.includes('widen further')));
    assert.ok(run(input({ observations: wave(24, 1, 4), season: 'auto' })).limits.some((line) => line.startsWith('No season')));
  });

  it('returns finite numbers of at most 15 digits for awkward series', () => {
    const awkward: Record<string, (t: number) => number> = {
      constant: () => 7,
      zero: () => 0,
      tiny: (t) => (1 + (t % 4)) * 1e-300,
      smallest: (t) => (t % 3) * 5e-324,
      huge: (t) => (t % 5 === 0 ? -1e15 : 1e15),
      alternating: (t) => (t % 2 === 0 ? 1 : -1),
      'mostly zero': (t) => (t % 6 === 0 ? 4 : 0),
      'one step': (t) => (t < 20 ? 0 : 1e12),
      exponential: (t) => 1.5 ** t,
      'positive, then not': (t) => (t < 32 ? 5 + (t % 4) : -5),
    };
    for (const [name, f] of Object.entries(awkward)) {
      for (const season of [1, 4, 'auto'] as const) {
        const result = run(input({ observations: Array.from({ length: 36 }, (_, t) => f(t)), season, horizon: 9 }));
        const { holdout_actual: _given, ...computed } = result;
        everyNumber(computed, (x) => assert.ok(Number.isFinite(x) && Object.is(x, round15(x)), `${name}: ${x}`));
      }
    }
    assert.deepEqual(run(input({ observations: new Array<number>(12).fill(7) })).forecast, [7, 7, 7]);
  });

  it('finishes the largest request within its size', () => {
    const work = { observations: wave(20_000, 100, 5), horizon: 1_000, holdout: 1_000, season: 100 };
    assert.equal(run(input(work)).forecast.length, 1_000);
  });

  it('beats the last value on a part of the M4 series', () => {
    const text = readFileSync(join(process.cwd(), 'test/vectors/forecasting/m4-part.json'), 'utf8');
    const { series } = JSON.parse(text) as { series: { seasons: number[]; train: number[]; test: number[] }[] };
    let [ours, naive] = [0, 0];
    for (const { seasons, train, test } of series) {
      const { forecast } = run(input({ observations: train, seasons, horizon: test.length, holdout: test.length }));
      const last = train.at(-1)!;
      test.forEach((v, k) => {
        ours += Math.abs(v - forecast[k]!) / last;
        naive += Math.abs(v - last) / last;
      });
    }
    assert.ok(ours < 0.6 * naive, `${ours} against ${naive}`);
  });
});

const observations = Array.from({ length: 24 }, (_, i) => 100 + 3 * i + (i % 4) * 7);
const plain = { kind: 'forecast', observations, horizon: 3, holdout: 4 };
const workOf = (more: object): ForecastWork => unwrap(decode(forecastWork, { ...plain, ...more }));
function resultOf(work: ForecastWork): Record<string, unknown> {
  const answer = forecastEngine.run(forecastInput(work), () => {});
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
    assert.ok(canonicalJson(result).length <= forecastSize.result(work).bytes);
    const { passed, checks } = verifyForecast(forecastInput(work), result);
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
      verifyForecast(forecastInput(of), { ...result, ...changed }).failure ?? 'passed';
    assert.match(wrong({ forecast_dates: ahead.with(1, '2026-02-27') }), /^forecast_dates are not those of the steps/);
    assert.match(wrong({ forecast_dates: ahead.slice(1) }), /^forecast_dates are not/);
    assert.match(wrong({ holdout_dates: ahead }), /^holdout_dates are not/);
    const { holdout_dates: _, ...without } = result;
    assert.equal(verifyForecast(forecastInput(work), without).passed, false);
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
