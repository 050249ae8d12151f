/** Forecasts with regressors: what is known beforehand and moves the series. */
import assert from 'node:assert/strict';
import { effectFigures } from '../../bench/forecast/effects.js';
import { promotedShapes } from '../../bench/forecast/generated.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { picture } from '../../src/cli/render.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import type { Effect, ForecastResult } from '../../src/kinds/forecast/result.js';
import { forecastSize } from '../../src/kinds/forecast/size.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { type ForecastWork, forecastWork } from '../../src/kinds/forecast/work.js';
import { glyphsFor } from '../../src/pictures/screen.js';
import { contentOf } from '../../src/reports/kinds/contents.js';
import { atEffort } from '../support/effort.js';
import { forecastInput } from './inputs.js';

const [count, horizon] = [48, 6];
const steps = Array.from({ length: count + horizon }, (_, t) => t);
const promo = steps.map((t) => (t % 9 === 4 || t % 11 === 2 ? 1 : 0));
const bump = (t: number): number => (t * 7919) % 13;
/** A trend, a season of 12, slight noise and 25 a promotion. */
const sales = steps.slice(0, count).map((t) => 100 + t + 10 * ((t % 12) % 4) + bump(t) / 10 + 25 * (promo[t] ?? 0));

const given = (more: object): unknown => ({ kind: 'forecast', observations: sales, horizon, season: 12, ...more });
const workOf = (more: object): ForecastWork => unwrap(decode(forecastWork, given(more)));
const inputOf = (work: ForecastWork): EngineInput<ForecastWork> => forecastInput(work);

/** Runs the engine; its result passes the verifier and stays within its size. */
function resultOf(more: object): ForecastResult {
  const work = workOf(more);
  const text = canonicalJson(unwrap(forecastEngine.run(inputOf(work), () => undefined)).result);
  assert.equal(verifyForecast(inputOf(work), JSON.parse(text)).failure, null);
  assert.ok(text.length <= forecastSize.result(work).bytes);
  return JSON.parse(text) as ForecastResult;
}

const effectsOf = (result: ForecastResult): Record<string, Effect> =>
  Object.fromEntries((result.effects ?? []).map((effect) => [effect.name, effect]));

describe('a forecast with regressors', () => {
  const result = resultOf({ regressors: { promo } });

  it('finds the effect, and forecasts with the values ahead', () => {
    const { effect, lower, upper, applied } = effectsOf(result)['promo']!;
    assert.ok(Math.abs(effect! - 25) < 1 && lower! < 25 && upper! > 25 && lower! > 20, `${lower} ${effect} ${upper}`);
    assert.ok(Math.abs(applied - effect!) < 0.5);
    const none = resultOf({ regressors: { promo: promo.map((v, t) => (t < count ? v : 0)) } });
    steps.slice(count).forEach((t, k) => {
      const lift = result.forecast[k]! - none.forecast[k]!;
      assert.ok(Math.abs(lift - applied * promo[t]!) < 1e-9, `step ${k + 1}: ${lift}`);
    });
  });

  it('says nothing of effects without regressors', () => {
    const plain = resultOf({});
    assert.deepEqual([plain.effects, plain.diagnostics.training_effects], [undefined, undefined]);
    assert.match(plain.limits[0]!, /no outside cause enters\.$/);
    assert.ok(result.holdout_mae < plain.holdout_mae);
  });

  it('is the same for regressors in any order', () => {
    const other = steps.map((t) => bump(t) % 5);
    assert.deepEqual(resultOf({ regressors: { a: other, promo } }), resultOf({ regressors: { promo, a: other } }));
  });

  it('leaves out what has no effect, and gives the forecast without it', () => {
    const idle = steps.map((t) => ((t * 31) % 17 === 3 ? 1 : 0));
    const told = resultOf({ observations: sales.map((v, t) => v - 25 * promo[t]!), regressors: { idle } });
    assert.equal(effectsOf(told)['idle']!.applied, 0);
    assert.ok(told.limits.includes('Not applied, because the 90 % interval of the effect holds 0: "idle".'));
    assert.deepEqual(told.forecast, resultOf({ observations: sales.map((v, t) => v - 25 * promo[t]!) }).forecast);
  });

  it('names regressors that the season, the trend or another regressor already says', () => {
    const same = {
      december: steps.map((t) => (t % 12 === 11 ? 1 : 0)),
      trend: steps.map((t) => 3 * t + 7),
      promo,
      without: promo.map((v) => 1 - v),
    };
    const { effects = [], limits } = resultOf({ regressors: same });
    assert.deepEqual(
      effects.map(({ name, effect }) => [name, effect !== null]),
      [
        ['december', false],
        ['promo', true],
        ['trend', false],
        ['without', false],
      ],
    );
    assert.ok(limits.some((limit) => limit.endsWith('say the same: "december", "trend", "without".')));
  });

  it('does without an effect on the holdout that is seen only later', () => {
    const late = steps.map((t) => (t >= count - 3 && t < count - 1 ? 1 : 0));
    const told = resultOf({ observations: sales.map((v, t) => v + 80 * late[t]! - 25 * promo[t]!), regressors: { late } });
    assert.ok(effectsOf(told)['late']!.applied > 60);
    assert.equal(told.diagnostics.training_effects?.[0]?.effect, null);
    assert.ok(told.limits.some((limit) => /^Applied to the forecast, but not to the holdout.*"late"\.$/.test(limit)));
  });

  it('takes neither a gap nor wrong values for an effect', () => {
    const broken = sales.map((v, t) => (t === 20 ? null : t === 4 ? 5_000 : t === 28 ? -900 : v));
    const told = resultOf({ observations: broken, gaps: 'interpolate', regressors: { promo } });
    assert.ok(Math.abs(effectsOf(told)['promo']!.effect! - 25) < 1);
    const outliers = told.diagnostics.outliers.map(({ index, value }) => `${index}: ${value}`);
    assert.deepEqual(outliers, ['4: 5000', '28: -900']);
  });

  it('keeps counts whole, and rare demand at least 0 and within 15 digits', () => {
    const counts = sales.map(Math.round);
    for (const observations of [counts, counts.with(22, 9_000)]) {
      const { intervals } = resultOf({ observations, regressors: { promo } });
      assert.ok(intervals.every(({ upper }) => upper.every(Number.isInteger)));
    }
    const rare = steps.slice(0, count).map((t) => (t % 5 === 0 ? 1.1 + (t % 3) / 7 : 0) + 6.3 * promo[t]!);
    const told = resultOf({ observations: rare, season: 1, regressors: { promo } });
    const bounds = told.intervals.flatMap(({ lower, upper }) => [...lower, ...upper]);
    assert.ok([...told.forecast, ...bounds].every((v) => v >= 0 && Number(v.toPrecision(15)) === v));
    assert.ok(told.forecast[promo.slice(count).indexOf(1)]! > 4);
  });

  it('shows the effects in the terminal and in the report', () => {
    const screen = { columns: 100, glyphs: glyphsFor({}, 'linux'), paint: (_: unknown, text: string) => text };
    const request = { work: workOf({ regressors: { promo } }) };
    const lines = picture({ kind: 'forecast', goal: '', request, result }, screen)!.join('\n');
    assert.match(lines, /Effects\n.*\n +promo +2\d\.\d+ +2\d\.\d+ +2\d\.\d+/);
    const table = contentOf('forecast', request, result).tables.find(({ title }) => title === 'Effects');
    assert.deepEqual(table?.rows[0]?.slice(0, 2), ['promo', effectsOf(result)['promo']!.effect]);
  });

  it('is refused with an effect outside its interval, applied without cause, or of another name', () => {
    const [promotion] = result.effects!;
    const refused = (effects: readonly object[]): string =>
      verifyForecast(inputOf(workOf({ regressors: { promo } })), { ...result, effects }).failure ?? 'passed';
    assert.match(refused([{ ...promotion, effect: promotion!.upper! + 1 }]), /does not hold the effect of "promo"/);
    assert.match(refused([{ ...promotion, lower: -1 }]), /applied if and only if/);
    assert.match(refused([{ ...promotion, applied: promotion!.effect! * 1.1 }]), /more of "promo" is applied/);
    for (const effects of [[], [{ ...promotion, name: 'x' }], [promotion!, promotion!]])
      assert.match(refused(effects), /not those of the regressors/);
    assert.notEqual(verifyForecast(inputOf(workOf({})), result).failure, null);
  });
});

describe('a request with regressors', () => {
  const refusal = (regressors: unknown): string => {
    const decoded = decode(forecastWork, given({ regressors }));
    assert.ok(isRefused(decoded));
    return (decoded.left.errors ?? []).map(({ path, message }) => `${path}: ${message}`).join('\n');
  };

  it('is refused with the path of a gap, of a wrong length, of a constant, and of too much', () => {
    assert.match(refusal({ promo: promo.with(3, null as never) }), /^regressors\.promo\[3\]: must be a number/);
    assert.equal(
      refusal({ promo: promo.slice(0, count) }),
      'regressors.promo: has 48 values, 54 are needed: one for each of 48 observations and 6 steps ahead',
    );
    assert.match(
      refusal({ promo: steps.map((t) => (t < count ? 0 : 1)) }),
      /^regressors\.promo: is the same at every observed step/,
    );
    assert.match(refusal({ ' ': promo }), /must have a name of 1 to 200 characters/);
    assert.match(
      refusal(Object.fromEntries(steps.slice(0, 21).map((t) => [`r${t}`, promo]))),
      /^regressors: has 21 columns, at most 20/,
    );
  });

  it('takes 45,000 values with the observations, and no more', () => {
    const long = Array.from({ length: 20_000 }, (_, t) => t % 7);
    const work = (more: number): unknown => ({
      kind: 'forecast',
      observations: long,
      horizon: more,
      regressors: {
        a: Array.from({ length: 20_000 + more }, (_, t) => t % 3),
        b: Array.from({ length: 20_000 + more }, (_, t) => t % 5),
      },
    });
    const decoded = decode(forecastWork, work(3));
    assert.ok(isRefused(decoded) && /makes 60006 values with the observations, at most 45000/.test(decoded.left.detail));
  });
});

describe('the effects of promotions on generated series', () => {
  it('lie in their 90 % intervals, and a regressor without an effect does not make the forecast worse', () => {
    const [monthly] = promotedShapes;
    const seeds = atEffort(12, 200);
    const known = effectFigures(monthly!, seeds, 2);
    assert.ok(known.covered >= atEffort(0.7, 0.85) && known.covered <= atEffort(1, 0.95), `covered ${known.covered}`);
    assert.ok(known.ratio < 0.99, `error ${known.ratio}`);
    const none = effectFigures(monthly!, seeds, 0);
    assert.ok(none.ratio <= atEffort(1.03, 1.01), `error ${none.ratio}`);
  });
});
