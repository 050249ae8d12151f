/** The claims of a research or forecast result: which altered members the verifiers refuse without computing anything again. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import type { EngineInput, Verify } from '../../src/engines/engine.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import type { ForecastResult } from '../../src/kinds/forecast/result.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { researchEngine } from '../../src/kinds/research/engine/engine.js';
import type { ResearchResult } from '../../src/kinds/research/result.js';
import { verifyResearch } from '../../src/kinds/research/verify/verify.js';
import { forecastInput, researchInput } from './inputs.js';
import { mutations } from './mutations.js';
import { assertNone } from '../support/lists.js';

/** Returns the paths, without positions, at which an alteration was accepted. */
function accepted<W>(verify: Verify<W>, input: EngineInput<W>, result: unknown): readonly string[] {
  const paths = new Set<string>();
  for (const { path, value } of mutations(result))
    if (verify(input, value).passed) paths.add(path.replaceAll(/\[-?\d+\]/g, '[]'));
  return [...paths].sort();
}

describe('the claims of a research result', () => {
  const base = 'During the spring inspection the old reactor was shut down by the operators for repairs';
  const goal = 'What happened to the reactor during the spring inspection?';
  const mission = researchInput(
    goal,
    `${base}.`,
    `${base} again.`,
    'The reactor was inspected in spring 2004. It rained.',
    `${base}!`,
  );
  const { result } = unwrap(researchEngine.run(mission, () => undefined));
  const refused = (change: Partial<ResearchResult>): string =>
    verifyResearch(mission, { ...result, ...change }).failure ?? 'passed';
  const [first, second] = result.findings;
  assert.ok(first !== undefined && second !== undefined);

  it('hold for the engine, and say what was checked', () => {
    const { passed, checks, failure } = verifyResearch(mission, result);
    assert.deepEqual([passed, checks.length, failure], [true, 6, null]);
  });

  it('are refused with any member altered, but for the choice and the rank of findings, which computing them again shows', () => {
    assert.deepEqual(accepted(verifyResearch, mission, result), [
      '.+',
      '.coverage.+',
      '.findings[]',
      '.findings[].+',
      '.findings[].-also_in',
      '.findings[].-copies',
      '.findings[].also_in[]',
      '.findings[].copies',
      '.findings[].score',
      '.limits',
      '.method',
      '.sources[].+',
    ]);
  });

  it('are refused with a quote elsewhere, twice, or that scores more than the one before may', () => {
    assert.match(
      refused({ findings: [{ ...first, start: first.start + 1, end: first.end + 1 }] }),
      /not in its source word for word/,
    );
    assert.match(refused({ findings: [first, first] }), /overlaps/);
    assert.match(refused({ findings: [second, first] }), /score is not above 0 and at most that of the first/);
    assert.match(refused({ findings: [first, { ...second, score: 0.1 }, { ...second, score: 4 }] }), /overlaps|too far above/);
    assert.match(refused({ coverage: { terms: result.coverage.terms, uncovered: [] } }), /coverage\.uncovered/);
  });

  it('are refused under other sources', () => {
    assert.equal(verifyResearch(researchInput(goal, `${base}.`), result).passed, false);
    for (const junk of [null, 1, 'x', [], {}, { findings: [] }]) assert.equal(verifyResearch(mission, junk).passed, false);
  });
});

describe('the claims of a forecast', () => {
  const observations = Array.from({ length: 34 }, (_, t) => 20 + 3 * ((t * t * 7) % 11) * 0.1 + 5 * ((t % 4) / 4) + 0.05 * t);
  const mission = forecastInput({
    observations: observations.with(20, 4_000),
    season: 4,
    start: '2024-01-31',
    step: { unit: 'month', count: 1 },
  });
  const result = JSON.parse(canonicalJson(unwrap(forecastEngine.run(mission, () => undefined)).result)) as ForecastResult;
  const refused = (change: Partial<ForecastResult>): string =>
    verifyForecast(mission, { ...result, ...change }).failure ?? 'passed';

  it('hold for the engine, and say what was checked', () => {
    const { passed, checks, failure } = verifyForecast(mission, result);
    assert.deepEqual([passed, checks.length, failure], [true, 5, null]);
    assert.equal(result.diagnostics.outliers.length, 1);
  });

  it('are refused with any member altered on which a reader relies', () => {
    const free = accepted(verifyForecast, mission, result);
    const holdout = 'holdout_actual holdout_dates holdout_mae holdout_mase holdout_predictions holdout_smape';
    const members = `${holdout} coverage baseline_mae forecast_dates improvement train_count training_scores unit`;
    for (const member of members.split(' '))
      assertNone(free, (path) => path.startsWith(`.${member}`) && !path.endsWith('.+'), member);
  });

  it('are refused with a band that is crossed, narrower or not around the forecast, and with a forecast outside it', () => {
    const [narrow, wide] = result.intervals;
    assert.ok(narrow !== undefined && wide !== undefined);
    const swapped = [
      { ...narrow, level: 95 },
      { ...wide, level: 50 },
    ];
    assert.match(refused({ intervals: swapped }), /does not hold the levels/);
    const crossed = { ...wide, upper: wide.upper.with(1, (narrow.upper[1] ?? 0) - 1e-6) };
    assert.match(refused({ intervals: [narrow, crossed] }), /does not hold the narrower one at step 2/);
    const shrunk = { ...narrow, upper: narrow.upper.with(2, result.forecast[2] ?? 0) };
    assert.match(refused({ intervals: [shrunk, wide] }), /narrower at step 3 than before/);
    assert.match(refused({ forecast: result.forecast.with(0, 1e6) }), /does not hold the forecast of step 1/);
  });

  it('are refused under another request', () => {
    const other = (work: Parameters<typeof forecastInput>[0]): boolean => verifyForecast(forecastInput(work), result).passed;
    const given = mission.work;
    for (const change of [{ horizon: 4 }, { holdout: 5 }, { season: 3 }, { levels: [50] }, { unit: 'boxes' }, { observations }])
      assert.equal(other({ ...given, ...change }), false, JSON.stringify(change).slice(0, 40));
    for (const junk of [null, [], 'x', 1, {}, { models: {} }, { models: [1] }])
      assert.equal(verifyForecast(mission, junk).passed, false);
  });
});
