/** Forecasts of series with gaps: what stands for a gap is estimated with, and never counts as observed. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { round12 } from '../../src/base/decimal.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { picture } from '../../src/cli/render.js';
import { dateOfStep } from '../../src/kinds/forecast/calendar.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import { filled } from '../../src/kinds/forecast/gaps.js';
import type { ForecastResult } from '../../src/kinds/forecast/result.js';
import { forecastSize } from '../../src/kinds/forecast/size.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { type ForecastWork, forecastWork } from '../../src/kinds/forecast/work.js';
import { glyphsFor } from '../../src/pictures/screen.js';
import { forecastInput } from './inputs.js';

const series = (count: number): number[] => Array.from({ length: count }, (_, i) => 100 + 3 * i + (i % 4) * 7 + ((i * 7) % 5));
const without = (values: readonly number[], ...gaps: readonly number[]): (number | null)[] =>
  values.map((value, i) => (gaps.includes(i) ? null : value));
const workOf = (observations: readonly (number | null)[], more: object = {}): ForecastWork =>
  unwrap(decode(forecastWork, { kind: 'forecast', observations, holdout: 4, ...more }));
function resultOf(work: ForecastWork): ForecastResult {
  const { result } = unwrap(forecastEngine.run(forecastInput(work), () => undefined));
  const text = canonicalJson(result);
  const { failure } = verifyForecast(forecastInput(work), JSON.parse(text));
  assert.equal(failure, null);
  assert.ok(text.length <= forecastSize.result(work).bytes);
  return result;
}

describe('forecast gaps', () => {
  it('are filled by the meaning that the mission gives them', () => {
    const observed = [null, 2, null, null, 8, null];
    assert.deepEqual([...filled(observed, 'zero')], [0, 2, 0, 0, 8, 0]);
    assert.deepEqual([...filled(observed, 'previous')], [2, 2, 2, 2, 8, 8]);
    assert.deepEqual([...filled(observed, 'interpolate')], [2, 2, 4, 6, 8, 8]);
  });

  it('are measured on observed values only', () => {
    const result = resultOf(workOf(without(series(30), 5, 12, 27), { gaps: 'interpolate' }));
    assert.deepEqual(result.holdout_actual, [series(30)[26], null, series(30)[28], series(30)[29]]);
    const errors = [0, 2, 3].map((k) => Math.abs((result.holdout_actual[k] ?? 0) - (result.holdout_predictions[k] ?? 0)));
    assert.equal(result.holdout_mae, round12((errors[0]! + errors[1]! + errors[2]!) / 3));
    for (const { share } of result.coverage) assert.ok([0, 1, 2, 3].some((inside) => share === round12(inside / 3)));
    assert.match(result.limits.join('\n'), /^3 of 30 observations are gaps: the methods take the line between/m);
  });

  it('in the training observations take nothing from the holdout', () => {
    const work = (last: number): ForecastWork =>
      workOf([...without(series(30), 25).slice(0, 26), last, 210, 211, 212], { gaps: 'interpolate' });
    const [one, other] = [resultOf(work(200)), resultOf(work(900))];
    assert.deepEqual(one.holdout_predictions, other.holdout_predictions);
    assert.deepEqual(one.training_scores, other.training_scores);
  });

  it('are never outliers, whatever stands for them', () => {
    const flat = Array.from({ length: 40 }, (_, i) => 1_000 + (i % 3));
    const result = resultOf(workOf(without(flat, 10, 20), { gaps: 'zero', season: 1 }));
    assert.deepEqual(result.diagnostics.outliers, []);
    assert.equal(resultOf(workOf(flat.with(10, 0), { season: 1 })).diagnostics.outliers.length, 1);
  });

  it('may hold all values by which methods are scored', () => {
    const gaps = Array.from({ length: 56 }, (_, i) => 40 + i);
    const result = resultOf(workOf(without(series(100), ...gaps), { gaps: 'previous' }));
    assert.match(result.limits.join('\n'), /^Few values were observed where the methods are scored/m);
  });

  it('give a result that passes its verifier, wherever they are', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(39), { maxLength: 28 }),
        fc.constantFrom('interpolate', 'zero', 'previous'),
        fc.integer({ min: 2, max: 13 }),
        (gaps, meaning, holdout) => {
          const work = { observations: without(series(40), ...gaps), holdout, horizon: 4, levels: [80] };
          const decoded = decode(forecastWork, { kind: 'forecast', ...work, ...(gaps.length > 0 ? { gaps: meaning } : {}) });
          if (!isRefused(decoded)) resultOf(decoded.right);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leave a hole in the picture', () => {
    const work = workOf(without(series(30), 5, 12, 27), { gaps: 'previous', unit: 'boxes' });
    const screen = { columns: 80, glyphs: glyphsFor({ LC_ALL: 'C.UTF-8' }, 'linux'), paint: (_: unknown, text: string) => text };
    const lines = picture({ kind: 'forecast', goal: '', request: { work }, result: resultOf(work) }, screen);
    assert.ok(lines !== null);
    assert.match(lines.join('\n'), /Observed .* - /);
    assert.doesNotMatch(lines.join('\n'), /NaN|Infinity/);
  });
});

describe('forecast steps of business days and ends of months', () => {
  it('leave out Saturdays and Sundays', () => {
    const step = { unit: 'business_day', count: 1 } as const;
    const dates = [0, 1, 2, 6, 261].map((steps) => dateOfStep('2026-11-26', step, steps));
    assert.deepEqual(dates, ['2026-11-26', '2026-11-27', '2026-11-30', '2026-12-04', '2027-11-26']);
    assert.equal(dateOfStep('2026-11-28', step, 1), null);
  });

  it('are the last day of every month, also after a short one', () => {
    const step = { unit: 'month_end', count: 1 } as const;
    const dates = [0, 1, 2, 12].map((steps) => dateOfStep('2024-02-29', step, steps));
    assert.deepEqual(dates, ['2024-02-29', '2024-03-31', '2024-04-30', '2025-02-28']);
    assert.equal(dateOfStep('2024-02-28', step, 1), null);
  });
});
