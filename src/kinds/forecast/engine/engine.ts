/**
 * The forecast engine: a pool of classical methods, fitted by bounded search and scored by multi-step rolling origins on the
 * training observations; the forecast is the weighted mean of the best few (Bates and Granger 1969; for the reasons see
 * Makridakis et al. 2020). The holdout is read once, after that choice. `max_evaluations`, `population`, `generations` and the
 * seed are not used: the search is bounded by its own grid.
 */
import { round12 } from '../../../base/decimal.js';
import { ok, type Result } from '../../../base/result.js';
import type { ForecastWork } from '../work.js';
import type { Answer, Checkpoint, Engine, EngineInput } from '../../../engines/engine.js';
import { bestFew, type Member, weightedMean } from './combine.js';
import { datesOf } from './dates.js';
import { factorFor, sortedRatios, spreads } from './intervals.js';
import { meanAbsoluteError, symmetricPercentage } from './measures.js';
import { type Plan, planFor } from './plan.js';
import { adjustments, fitModel, type Model, pool, predict } from './pool.js';
import type { Band, ForecastResult, ScoredModel } from '../result.js';
import { history, masePeriod, maseScale, type Scored, scoreModels } from './score.js';
import { limitsOf, method } from './text.js';
import { lowest } from './series.js';

export const forecastEngine: Engine<ForecastWork, ForecastResult> = {
  name: 'forecast',
  version: '1.0.0',
  run: (input, checkpoint) => ok(answer(input, checkpoint)) satisfies Result<Answer<ForecastResult>>,
};

interface Bands {
  readonly factors: readonly { readonly level: number; readonly factor: number }[];
  readonly spread: Float64Array;
}

function answer({ work }: EngineInput<ForecastWork>, checkpoint: Checkpoint): Answer<ForecastResult> {
  const y = Float64Array.from(work.observations);
  const train = y.subarray(0, y.length - work.holdout);
  const plan = planFor(work, train);
  const models = pool(plan, lowest(train) > 0);
  const scored = scoreModels(models, plan, train, checkpoint);
  const members = bestFew(scored.scores);
  const bands = bandsOf(work, plan, scored);
  const holdout = combined(models, members, (i) => scored.theta[i] ?? [], plan, train, work.holdout);
  checkpoint(0.75);
  const refit = refitMembers(models, members, plan, y, checkpoint);
  const forecast = combined(models, members, (i) => refit.theta.get(i) ?? [], plan, y, work.horizon);
  checkpoint(1);
  const result: ForecastResult = {
    method,
    ...described(models, members, scored, refit.theta),
    train_count: train.length,
    ...measured(work, plan, train, holdout, bands),
    forecast,
    intervals: bands.factors.map(({ level, factor }) => band(level, factor, forecast, bands.spread)),
    diagnostics: {
      seasons: [...plan.seasons, ...plan.short],
      score_steps: plan.steps,
      origins: plan.origins,
      window: plan.window,
      mase_period: masePeriod(plan),
      factors: bands.factors,
      spread_first: round12(bands.spread[0] ?? 0),
      spread_last: round12(bands.spread[work.horizon - 1] ?? 0),
    },
    ...datesOf(work),
    unit: work.unit,
    limits: limitsOf(work, plan),
  };
  return { result, iterations: scored.evaluations + refit.evaluations, solution: null };
}

function combined(
  models: readonly Model[],
  members: readonly Member[],
  thetaOf: (model: number) => readonly number[],
  plan: Plan,
  y: Float64Array,
  h: number,
): number[] {
  const seen = history(y, y.length, plan.window);
  const adjusted = adjustments(seen, plan.seasons);
  const pathOf = (i: number): Float64Array => {
    const model = models[i];
    return model === undefined ? new Float64Array(h) : predict(model, thetaOf(i), seen, adjusted, h);
  };
  return Array.from(weightedMean(members, pathOf, h), round12);
}

interface Refit {
  readonly theta: ReadonlyMap<number, readonly number[]>;
  readonly evaluations: number;
}

function refitMembers(
  models: readonly Model[],
  members: readonly Member[],
  plan: Plan,
  y: Float64Array,
  checkpoint: Checkpoint,
): Refit {
  const seen = history(y, y.length, plan.window);
  const adjusted = adjustments(seen, plan.seasons);
  const theta = new Map<number, readonly number[]>();
  let evaluations = 0;
  for (const { model } of members) {
    const chosen = models[model];
    if (chosen === undefined) continue;
    const found = fitModel(chosen, seen, adjusted, plan.firstOriginMin, plan.steps);
    theta.set(model, found.theta);
    evaluations += found.evaluations;
    checkpoint(0.75 + (0.2 * theta.size) / members.length);
  }
  return { theta, evaluations };
}

function bandsOf(work: ForecastWork, plan: Plan, { residuals }: Scored): Bands {
  const spread = spreads(residuals, plan.steps, Math.max(work.horizon, work.holdout));
  const ratios = sortedRatios(residuals, spread, plan.steps);
  const factors = work.levels.map((level) => ({ level, factor: round12(factorFor(level, ratios, residuals.length)) }));
  return { factors, spread };
}

function band(level: number, factor: number, path: readonly number[], spread: Float64Array): Band {
  const half = (k: number): number => factor * (spread[k] ?? 0);
  return { level, lower: path.map((v, k) => round12(v - half(k))), upper: path.map((v, k) => round12(v + half(k))) };
}

const named = (model: Model, theta: readonly number[]): Record<string, number> =>
  Object.fromEntries(model.core(model.form).parameters.map((p, i) => [p.name, theta[i] ?? 0]));

function described(
  models: readonly Model[],
  members: readonly Member[],
  scored: Scored,
  refit: ReadonlyMap<number, readonly number[]>,
): Pick<ForecastResult, 'models' | 'training_scores'> {
  const rows = models.map((model, i): ScoredModel => {
    const again = refit.get(i);
    return {
      name: model.name,
      weight: members.find((m) => m.model === i)?.weight ?? 0,
      score: scored.scores[i] ?? 0,
      parameters: named(model, scored.theta[i] ?? []),
      refit: again === undefined ? null : named(model, again),
    };
  });
  const training_scores = Object.fromEntries(rows.map((row) => [row.name, row.score]));
  return { models: rows.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1)), training_scores };
}

type Measured = Pick<
  ForecastResult,
  | 'holdout_actual'
  | 'holdout_predictions'
  | 'holdout_mae'
  | 'holdout_mase'
  | 'holdout_smape'
  | 'baseline_mae'
  | 'improvement'
  | 'coverage'
>;

function measured(work: ForecastWork, plan: Plan, train: Float64Array, path: readonly number[], bands: Bands): Measured {
  const actual = work.observations.slice(train.length);
  const last = train[train.length - 1] ?? 0;
  const mae = round12(meanAbsoluteError(actual, path));
  const baseline = round12(meanAbsoluteError(actual, new Array<number>(actual.length).fill(last)));
  const scale = maseScale(plan, train);
  const coverage = bands.factors.map(({ level, factor }) => {
    const { lower, upper } = band(level, factor, path, bands.spread);
    const inside = actual.filter((v, k) => v >= (lower[k] ?? 0) && v <= (upper[k] ?? 0));
    return { level, share: round12(inside.length / actual.length) };
  });
  return {
    holdout_actual: actual,
    holdout_predictions: path,
    holdout_mae: mae,
    holdout_mase: scale > 0 ? round12(mae / scale) : null,
    holdout_smape: round12(symmetricPercentage(actual, path)),
    baseline_mae: baseline,
    improvement: baseline > 0 ? round12(1 - mae / baseline) : null,
    coverage,
  };
}
