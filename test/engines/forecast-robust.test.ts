/** What users bring: wrong values, growth, short series. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { round12 } from '../../src/base/decimal.js';
import { prng } from '../../src/base/prng.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';
import { bandsOf } from '../../src/kinds/forecast/engine/bands.js';
import type { Core } from '../../src/kinds/forecast/engine/cores.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import { intermittentCores } from '../../src/kinds/forecast/engine/intermittent.js';
import { planFor } from '../../src/kinds/forecast/engine/plan.js';
import type { ForecastResult } from '../../src/kinds/forecast/result.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { forecastInput } from './inputs.js';
import { membersOf } from '../support/lists.js';

function forecast(observations: readonly number[], more: Partial<ForecastWork> = {}): ForecastResult {
  const input = forecastInput({ horizon: 6, levels: [95], observations, ...more });
  const answer = forecastEngine.run(input, () => {});
  assert.ok(isRight(answer));
  assert.equal(verifyForecast(input, JSON.parse(canonicalJson(answer.right.result))).failure, null);
  return answer.right.result;
}

/** Returns n values of a process: `next` takes the step, a draw with mean 0 and variance 1, and the value before. */
function series(seed: number, n: number, next: (t: number, e: number, before: number) => number): number[] {
  const random = prng(seed, 4);
  let before = 100;
  return Array.from({ length: n }, (_, t) => {
    let e = -6;
    for (let i = 0; i < 12; i++) e += random.unit();
    before = round12(next(t, e, before));
    return before;
  });
}

const around100 = (seed: number, n: number): number[] => series(seed, n, (_, e) => 100 + 3 * e);
const season = (t: number, m: number): number => [0, 9, 4, -2, -11, -7, 3, 12, 8, -4, -9, -3][t % m] ?? 0;

describe('engines/forecast on what users bring', () => {
  it('ranks a model that explodes last, with a score that a result may hold', () => {
    const observations = [
      3.6e-153, 1.95, 2, 1, 7.5, 1.76, 6.2e-231, 3, 1.16, 1.17, 1.2e-233, 1.4e-207, 1, 1, 9, 1.1e-242, 9, -2, 3,
    ];
    const { models, forecast: path } = forecast(observations, { horizon: 23, holdout: 3 });
    assert.deepEqual([models.at(-1)?.score, models.at(-1)?.weight], [1e300, 0]);
    assert.ok(path.every((v) => v > 0 && v < 9));
  });

  it('forecasts a series with a wrong value within the band of its clean version, and names the value', () => {
    for (const at of [0, 5, 30, 37, 38]) {
      for (const wrong of [1e9, -1e9, 2_500]) {
        const clean = forecast(around100(at + 1, 40));
        const { forecast: path, diagnostics, limits, holdout_mae } = forecast(around100(at + 1, 40).with(at, wrong));
        const band = clean.intervals[0]!;
        path.forEach((v, k) => assert.ok(v >= band.lower[k]! && v <= band.upper[k]!, `${at} ${wrong}: step ${k} is ${v}`));
        assert.deepEqual(
          diagnostics.outliers.map(({ index, value }) => [index, value]),
          [[at, wrong]],
        );
        assert.ok(limits.some((line) => line.startsWith(`Observation ${at + 1} (${wrong}) is an outlier`)));
        // The holdout is measured as it was observed.
        assert.equal(holdout_mae > 500, at >= 36);
      }
    }
  });

  it('names an outlier and a step with their dates', () => {
    const dated = { start: '2025-11-30', step: { unit: 'month_end', count: 1 } } as const;
    const outlier = forecast(around100(1, 40).with(5, 2_500), dated);
    assert.match(outlier.limits.join('\n'), /^Observation 6 on 2026-04-30 \(2500\) is an outlier/m);
    const last = forecast(around100(40, 40).with(39, 2_500), dated);
    assert.match(last.limits.join('\n'), /^Observation 40 on 2029-02-28 \(2500\) stands far/m);
  });

  it('holds the last value in its band as a step and as a wrong value, because one value cannot tell', () => {
    const last = around100(40, 40).with(39, 2_500);
    const { forecast: path, intervals, diagnostics, limits } = forecast(last);
    const [band] = intervals;
    assert.deepEqual(diagnostics.outliers, []);
    assert.equal(diagnostics.level_shift?.index, 39);
    path.forEach((v, k) => {
      assert.ok(v > 2_300 && v < 2_700, `step ${k} is ${v}`);
      assert.ok(band!.lower[k]! < 100 && band!.upper[k]! > 2_500, `step ${k} is not in the band`);
    });
    assert.ok(limits.some((line) => line.startsWith('Observation 40 (2500) stands far from the three before it')));
  });

  it('replaces a last value or none where the mission says so', () => {
    const last = around100(40, 40).with(39, 2_500);
    const replaced = forecast(last, { outliers: 'replace' });
    assert.deepEqual(membersOf(replaced.diagnostics.outliers, 'index'), [39]);
    assert.ok(replaced.intervals[0]!.upper.every((v) => v < 200));
    const { limits } = forecast(around100(40, 40).with(39, 130), { outliers: 'replace' });
    assert.ok(limits.some((line) => line.endsWith('if it is wrong, leave it out.')));
    const inside = around100(40, 40).with(20, 2_500);
    assert.deepEqual(forecast(inside, { outliers: 'keep' }).diagnostics.outliers, []);
  });

  it('forecasts two values at a new level as that level', () => {
    const moved = around100(7, 60).map((v, t) => (t < 58 ? v : v + 200));
    const { forecast: path, intervals, limits } = forecast(moved);
    path.forEach((v, k) => {
      assert.ok(v > 285 && v < 315, `step ${k} is ${v}`);
      assert.ok(intervals[0]!.lower[k]! > 200, `step ${k} holds the old level`);
    });
    assert.ok(limits.some((line) => line.startsWith('The level moves at observation 59, by ')));
  });

  it('takes no step, no recurring peak, no growth and no rare demand for an outlier', () => {
    const clean: Record<string, readonly number[]> = {
      step: series(1, 40, (t, e) => (t < 25 ? 100 : 4_000) + e),
      'step at the end': series(1, 40, (t, e) => (t < 37 ? 100 : 4_000) + e),
      peaks: series(2, 60, (t, e) => (t % 12 === 11 ? 900 : 100) + e),
      growth: Array.from({ length: 30 }, (_, t) => 2 ** t),
      demand: Array.from({ length: 40 }, (_, t) => (t % 7 === 3 ? 5 + (t % 3) : 0)),
      walk: series(3, 80, (_, e, before) => before + e),
    };
    for (const [name, observations] of Object.entries(clean))
      assert.deepEqual(forecast(observations).diagnostics.outliers, [], name);
  });

  it('forecasts zeros in blocks as a level that moves, and zeros among demands as rare demand', () => {
    const blocks = series(1, 62, (t, e) => (t % 30 < 14 ? 640 + 20 * e : 0));
    const { forecast: path, intervals, models } = forecast(blocks);
    assert.ok(!models.some(({ name }) => name === 'croston'));
    path.forEach((v, k) => assert.ok(Math.abs(v - 640) < 40, `step ${k} is ${v}`));
    for (const { lower } of intervals) for (const bound of lower) assert.ok(bound >= 0);
    const scattered = series(2, 62, (_, e) => (e > 0.2 ? 640 : 0));
    assert.ok(forecast(scattered).models.some(({ name }) => name === 'croston'));
  });

  it('takes a return for no demand, in every method for rare demand', () => {
    const demands = [3, 0, 0, 2, 0, 0, 4, 0, 0, 3, 0, 0];
    const path = (core: Core, y: readonly number[]): number =>
      core.walk(Float64Array.from(y), [0.1, 0.1], [y.length], 1)[0]?.[0] ?? 0;
    for (const core of intermittentCores) {
      const [none, returned] = [path(core, demands), path(core, demands.with(4, -2))];
      // ADIDA smooths means over as many steps as lie between two demands, so that a return is subtracted there.
      const less = core.name === 'adida' ? 2 / 3 / 4 : 0;
      assert.ok(Math.abs(none - less - returned) < 1e-12, `${core.name}: ${none} and ${returned}`);
    }
  });

  it('counts what it does not name', () => {
    const observations = [5, 20, 40, 60, 80].reduce((y, at) => y.with(at, 1e6 + at), around100(4, 100));
    const { diagnostics, limits } = forecast(observations);
    assert.equal(diagnostics.outliers.length, 5);
    assert.ok(limits.includes('2 more observations are outliers and replaced.'));
  });

  it('continues exponential growth', () => {
    for (const base of [1.05, 1.3, 2]) {
      const { forecast: path } = forecast(Array.from({ length: 24 }, (_, t) => round12(base ** t)));
      path.forEach((v, k) => assert.ok(Math.abs(v / base ** (24 + k) - 1) < 0.01, `${base}: step ${k} is ${v}`));
    }
  });

  it('holds the next values of a growth that repeats exactly, beside the rounding of its logarithms', () => {
    const growth = Array.from({ length: 30 }, (_, t) => 1e15 / 2 ** (29 - t));
    const { intervals } = forecast(growth.slice(0, 27), { horizon: 3, holdout: 3 });
    for (const { lower, upper } of intervals)
      growth.slice(27).forEach((v, k) => assert.ok(lower[k]! <= v && v <= upper[k]!, `${v} outside ${lower[k]} to ${upper[k]}`));
  });

  it('widens the bands of long paths more where the errors of a path hang together', () => {
    const factorOf = (error: (origin: number, k: number) => number): number => {
      const y = new Float64Array(400);
      const { work } = forecastInput({ horizon: 6, levels: [95], observations: [...y] });
      const plan = planFor(work, y);
      const tried = plan.origins.map((origin) => ({
        origin,
        path: Float64Array.from({ length: 6 }, (_, k) => error(origin, k)),
      }));
      const known = { values: y, known: y, observed: y, outliers: [], step: null, regression: null };
      return bandsOf(work, plan, known, tried).factors[0]!.factor;
    };
    const apart = factorOf((origin, k) => ((origin + k) % 2 === 0 ? 1 : -1));
    const together = factorOf((origin) => (origin % 2 === 0 ? 1 : -1));
    assert.ok(Math.abs(together / apart - 1.25 / 1.1) < 0.001, `${together} ${apart}`);
  });

  it('covers known processes, yearly, quarterly and monthly', () => {
    const shapes = [
      { m: 1, n: 24, h: 6 },
      { m: 4, n: 44, h: 8 },
      { m: 12, n: 84, h: 12 },
    ] as const;
    for (const { m, n, h } of shapes) {
      const cycle = (t: number): number => (m > 1 ? season(t, m) : 0);
      let slope = 1;
      const processes: readonly ((t: number, e: number, before: number) => number)[] = [
        (_, e, before) => before + 3 * e,
        (_, e, before) => before + 2 + 3 * e,
        (_, e, before) => 100 + 0.6 * (before - 100) + 3 * e,
        (t, e) => 100 + 2 * t + 6 * e + 3 * cycle(t),
        (t, e) => (200 + t) * (1 + 0.02 * cycle(t)) + 5 * e,
        (t, e, before) => before + (slope = t === 0 ? 1 : slope + 0.2 * e) + e,
        (_, e, before) => before * (1.02 + 0.03 * e),
      ];
      const inside = [0, 0, 0];
      processes.forEach((next, p) => {
        for (let seed = 0; seed < 5; seed++) {
          const all = series(100 * p + seed, n + h, next);
          const { intervals } = forecast(all.slice(0, n), { horizon: h, season: m, levels: [50, 80, 95] });
          intervals.forEach(({ lower, upper }, i) => {
            inside[i]! += all.slice(n).filter((v, k) => v >= lower[k]! && v <= upper[k]!).length;
          });
        }
      });
      const [half, most, nearly] = inside.map((count) => count / (processes.length * 5 * h));
      const said = `season ${m}: ${half} ${most} ${nearly}`;
      assert.ok(half! >= 0.45 && half! <= 0.6 && most! >= 0.75 && most! <= 0.88 && nearly! >= 0.92 && nearly! <= 0.98, said);
    }
  });
});
