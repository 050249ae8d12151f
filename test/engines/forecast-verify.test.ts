import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/lib/Either.js';
import { describe, it } from 'mocha';
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { forecastSize } from '../../src/kinds/forecast/size.js';
import { verifierOf } from '../../src/kinds/verifiers.js';

function mission(work: Partial<ForecastWork> & Pick<ForecastWork, 'observations'>): EngineInput<ForecastWork> {
  const filled: ForecastWork = {
    kind: 'forecast',
    horizon: 3,
    holdout: 4,
    season: 1,
    levels: [50, 95],
    unit: 'units',
    start: null,
    step: null,
    ...work,
  };
  const effort = { max_evaluations: 10_000 };
  return { goal: 'know what comes', work: filled, seed: 42, population: 20, generations: 12, effort, warm_start: null };
}

type Json = Record<string, unknown>;

function resultOf(input: EngineInput<ForecastWork>): Json {
  const answer = forecastEngine.run(input, () => {});
  assert.ok(isRight(answer));
  return JSON.parse(canonicalJson(answer.right.result)) as Json;
}

type Path = readonly (string | number)[];

/** Paths of all leaves. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((member, i) => leaves(member, [...path, i]));
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]));
}

function changed(result: Json, path: Path, change: (leaf: unknown) => unknown): Json {
  const copy = structuredClone(result);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  holder[last] = change(holder[last]);
  return copy;
}

const nudge = (leaf: unknown): unknown => {
  if (typeof leaf === 'number') return leaf === 0 ? 1e-6 : leaf * (1 + 1e-6);
  return typeof leaf === 'string' ? `${leaf} ` : 0;
};

const noisy = (n: number, m: number): number[] =>
  Array.from({ length: n }, (_, t) => 20 + 3 * ((t * t * 7) % 11) * 0.1 + 5 * ((t % m) / m) + 0.05 * t);

describe('engines/forecast verify', () => {
  it('accepts the results of version 1.0.0 by the verifier of that version, and none that was changed', () => {
    const text = readFileSync(join(process.cwd(), 'test/vectors/forecasting/results-1.0.0.json'), 'utf8');
    const { cases } = JSON.parse(text) as { cases: { work: ForecastWork; result: Json }[] };
    const verify = verifierOf('forecast', { name: 'forecast', version: '1.0.0' });
    assert.ok(verify !== null && cases.length > 1);
    for (const { work, result } of cases) {
      const input = mission(work);
      assert.equal(verify(input, result).failure, null);
      assert.ok(!verifyForecast(input, result).passed);
      for (const path of leaves(result).filter((_, i) => i % 7 === 0))
        assert.ok(!verify(input, changed(result, path, nudge)).passed, path.join('.'));
    }
  });

  it('refuses every number and every string changed by little', () => {
    const input = mission({ observations: noisy(34, 4).with(20, 4_000), season: 4 });
    const result = resultOf(input);
    assert.ok(verifyForecast(input, result).passed);
    assert.equal((result['diagnostics'] as { outliers: unknown[] }).outliers.length, 1);
    const paths = leaves(result);
    assert.ok(paths.length > 150);
    for (const path of paths) {
      const verification = verifyForecast(input, changed(result, path, nudge));
      assert.ok(!verification.passed, path.join('.'));
      assert.ok(verification.failure !== null);
    }
  });

  it('refuses members added, taken away or put in another order', () => {
    const input = mission({ observations: noisy(30, 3), season: 3 });
    const result = resultOf(input);
    const refused = (value: unknown): void => assert.ok(!verifyForecast(input, value).passed);
    refused({ ...result, more: 1 });
    for (const key of Object.keys(result)) {
      const { [key]: _gone, ...rest } = result;
      refused(rest);
      refused({ ...result, [key]: null });
    }
    const models = result['models'] as Json[];
    refused({ ...result, models: models.slice(1) });
    refused({ ...result, models: models.toReversed() });
    refused({ ...result, models: [models[0], ...models] });
    refused({ ...result, models: models.map((row) => ({ ...row, refit: null })) });
    refused({ ...result, models: models.map((row) => ({ ...row, refit: row['parameters'] })) });
    for (const value of [null, [], 'x', 1, {}, { models: {} }, { models: [1] }, JSON.parse('{"models":[{"name":"__proto__"}]}')])
      refused(value);
  });

  it('refuses a result under another request', () => {
    const observations = noisy(30, 3);
    const result = resultOf(mission({ observations }));
    for (const other of [
      { horizon: 4 },
      { holdout: 5 },
      { season: 3 },
      { levels: [50] },
      { unit: 'boxes' },
      { observations: noisy(31, 3) },
    ]) {
      assert.ok(!verifyForecast(mission({ observations, ...other }), result).passed);
    }
  });

  it('agrees with the engine, within the bound on bytes, on any request', () => {
    const value = fc.oneof(
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
      fc.double({ min: 0.5, max: 9, noNaN: true }),
      fc.integer({ min: -2, max: 3 }),
    );
    const request = fc.record({
      observations: fc.oneof(
        fc.array(value, { minLength: 12, maxLength: 60 }),
        fc.array(fc.double({ min: 1, max: 2, noNaN: true }), { minLength: 12, maxLength: 60 }),
        fc.array(fc.oneof({ weight: 19, arbitrary: fc.integer({ min: 95, max: 105 }) }, fc.constant(1e9)), {
          minLength: 12,
          maxLength: 60,
        }),
        fc.array(fc.double({ min: 1e-310, max: 1e-290, noNaN: true }), { minLength: 12, maxLength: 30 }),
      ),
      horizon: fc.integer({ min: 1, max: 40 }),
      holdout: fc.integer({ min: 2, max: 4 }),
      season: fc.oneof(fc.constant('auto' as const), fc.integer({ min: 1, max: 4 })),
      levels: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 10 }),
      unit: fc.string({ minLength: 1, maxLength: 60 }),
    });
    fc.assert(
      fc.property(request, (work) => {
        const input = mission(work);
        const result = resultOf(input);
        assert.equal(verifyForecast(input, result).failure, null);
        assert.ok(Buffer.byteLength(canonicalJson(result)) <= forecastSize.resultBytes(input.work));
      }),
      { numRuns: 120 },
    );
  });
});
