/**
 * The forecast engine: a pool of classical methods, fitted by bounded search and scored by multi-step rolling origins on the
 * training observations without their outliers; the forecast combines the best few (Bates and Granger 1969; for the reasons see
 * Makridakis et al. 2020). The holdout is read once, after that choice; then its errors enter the bands of the forecast, as its
 * values enter the parameters. `max_evaluations`, `population`, `generations` and the seed are not used: the search is bounded by its own
 * grid.
 */
import { round12, round15 } from '../../../base/decimal.js';
import { ok, type Result } from '../../../base/refusal.js';
import { engine_id } from '../constants.js';
import type { ForecastWork } from '../work.js';
import type { Answer, Checkpoint, Engine, EngineInput } from '../../../engines/engine.js';
import { type Series, seriesOf } from './base-series.js';
import { type Bands, bandsAround, bandsOf, holdoutOrigins, type TrialPath } from './bands.js';
import { type Choice, choose, combine, usedCommittee } from './combine.js';
import { type LevelShift, shiftAt } from './level-shift.js';
import type { CleanSeries } from './outliers.js';
import { type Plan, planFor } from './plan.js';
import { adjustments, fitModel, type Model, pool, predict } from './pool.js';
import type { Diagnostics, Effect, ForecastResult, ScoredModel } from '../result.js';
import { comparedWith, history, masePeriod, type ModelScores, scoreModels } from './score.js';
import { lowest } from './series.js';
import { dateOfStep } from '../calendar.js';
import { datesOf, errorsOf } from '../figures.js';

// The sentences of a result.

const method =
  'mean of the best few classical methods by rolling-origin error, weighted by its inverse square; on short series also the median of simple methods';

const outliers_named_max = 3;

const isDated = ({ start, step }: ForecastWork): boolean => start !== null && step !== null;

/** Returns the number of an observation as a sentence has it, with its date where the series has dates. */
function numberOf({ start, step }: ForecastWork, index: number): string {
  const date = start === null || step === null ? null : dateOfStep(start, step, index);
  return `${index + 1}${date === null ? '' : ` on ${date}`}`;
}

/** Says what the bands rest on: those of rare demand on the observed values alone. */
function bandLimits(
  { horizon, holdout, regressors }: ForecastWork,
  { origins, steps, isCut }: Plan,
  { values }: Bands,
): string[] {
  if (values !== null) {
    const lifted = regressors === undefined ? '' : ' without the effects, plus those of the step';
    return [
      `Demand is rare: at every step the bands go from 0 to a quantile of the observed values${lifted}, and at least to the forecast.`,
    ];
  }
  const rest = `Bands rest on ${origins.length} rolling origins of ${isCut ? 'up to ' : ''}${steps} steps and on the holdout.`;
  return steps < Math.max(horizon, holdout)
    ? [rest, `Bands beyond step ${steps} widen further as the errors up to it do.`]
    : [rest];
}

function limitsOf(work: ForecastWork, plan: Plan, { outliers }: CleanSeries, bands: Bands): string[] {
  const limits = [
    work.regressors === undefined
      ? 'The future is taken to resemble the past: no outside cause enters.'
      : 'The future is taken to resemble the past: no outside cause enters beside the regressors.',
    ...bandLimits(work, plan, bands),
  ];
  if (plan.isUndetected)
    limits.push(
      `No season was found: the series is forecast without one. Give "season"${isDated(work) ? '' : ', or "start" and "step",'} where there is one.`,
    );
  for (const m of plan.short) limits.push(`Season ${m}: too few cycles for an index: it is taken from the cycle before.`);
  for (const m of plan.dropped) limits.push(`Season ${m}: too long for the training observations, left out.`);
  for (const { index, value, replacement } of outliers.slice(0, outliers_named_max))
    limits.push(`Observation ${numberOf(work, index)} (${value}) is an outlier: the forecast takes ${replacement} in its place.`);
  const more = outliers.length - outliers_named_max;
  if (more > 0)
    limits.push(`${more} more ${more === 1 ? 'observation is an outlier' : 'observations are outliers'} and replaced.`);
  return limits;
}

function shiftLimits(work: ForecastWork, step: LevelShift | null): string[] {
  if (step === null) return [];
  const { index, shift } = step;
  const number = numberOf(work, index);
  const first = `Observation ${number} (${work.observations[index]})`;
  if (index < work.observations.length - 1)
    return [`The level moves at observation ${number}, by ${shift}, and stays: earlier values are taken at the new level.`];
  const { outliers } = seriesOf({ ...work, outliers: 'replace' }, work.observations.length, work.horizon);
  const isOutlier = outliers.some((each) => each.index === index);
  const wrong = isOutlier ? '"outliers": "replace" takes it as wrong' : 'if it is wrong, leave it out';
  return [
    `${first} stands far from the three before it: one value cannot tell a step from a wrong value. The forecast takes it as a step, and the bands hold both; ${wrong}.`,
  ];
}

/** Says which regressors the forecast does without, and why. */
function effectLimits({ regression: before }: Series, { regression }: Series): string[] {
  if (regression === null) return [];
  const named = (effects: readonly Effect[]): string => effects.map(({ name }) => JSON.stringify(name)).join(', ');
  const limits = [
    'An effect is what one unit of a regressor adds to its step, the same at every step and level; it need not be a cause. The forecast takes a little less of an uncertain one.',
  ];
  const untold = regression.effects.filter(({ effect }) => effect === null);
  if (untold.length > 0)
    limits.push(`Left out, because the level, the trend, the season or the other regressors say the same: ${named(untold)}.`);
  const unused = regression.effects.filter(({ effect, applied }) => effect !== null && applied === 0);
  if (unused.length > 0) limits.push(`Not applied, because the 90 % interval of the effect holds 0: ${named(unused)}.`);
  const later = regression.effects.filter(({ applied }, i) => applied !== 0 && (before?.effects[i]?.applied ?? 0) === 0);
  if (later.length > 0)
    limits.push(`Applied to the forecast, but not to the holdout, before which it cannot be told from 0: ${named(later)}.`);
  return limits;
}

const standIns = {
  interpolate: 'the line between the observed values beside it',
  zero: '0',
  previous: 'the observed value before it',
} as const;

/** @param isScored whether enough values were observed to score the methods on them alone */
function gapLimits({ observations, gaps }: ForecastWork, isScored: boolean): string[] {
  const count = observations.filter((value) => value === null).length;
  if (gaps === undefined || count === 0) return [];
  return [
    `${count} of ${observations.length} observations ${count === 1 ? 'is a gap' : 'are gaps'}: the methods take ${standIns[gaps]} in place of each; errors are measured on observed values only.`,
    ...(isScored
      ? []
      : ['Few values were observed where the methods are scored: the scores count what stands for the gaps too.']),
  ];
}

export const forecastEngine: Engine<ForecastWork, ForecastResult> = {
  ...engine_id,
  run: (input, checkpoint) => ok(answer(input, checkpoint)) satisfies Result<Answer<ForecastResult>>,
};

/** The combination that the scores of the training observations choose. */
interface Chosen {
  readonly models: readonly Model[];
  readonly plan: Plan;
  readonly choice: Choice;
}

function answer({ work }: EngineInput<ForecastWork>, checkpoint: Checkpoint): Answer<ForecastResult> {
  const split = work.observations.length - work.holdout;
  // The gaps of the training observations are filled from these alone.
  const training = seriesOf(work, split, work.holdout);
  const all = seriesOf(work, work.observations.length, work.horizon);
  const train = training.values;
  const plan = planFor(work, train);
  const models = pool(plan, lowest(train) > 0);
  const against = comparedWith(plan, train, training.seen);
  const scored = scoreModels(models, plan, train, against, checkpoint);
  const chosen: Chosen = { models, plan, choice: choose(models, scored.scores, plan) };
  const fitted = (i: number): readonly number[] => scored.theta[i] ?? [];
  const tried = scored.paths.map((path, i): TrialPath => ({ origin: plan.origins[i] ?? 0, path }));
  const held = bandsOf(work, plan, { ...training, known: against }, tried);
  const holdout = lifted(training, combined(chosen, fitted, train, work.holdout));
  checkpoint(0.75);
  const later = holdoutOrigins(plan, all.values.length).map(
    (origin): TrialPath => ({
      origin,
      path: combined(chosen, fitted, all.values.subarray(0, origin), plan.steps),
    }),
  );
  const known = against === train ? all.seen.map((v, t) => (t < split ? (all.values[t] ?? v) : v)) : all.seen;
  // The paths of the training observations, at the level of all and with its effects.
  const moved = tried.map(({ origin, path }): TrialPath => {
    const shift = shiftAt(all.step, origin - 1) - shiftAt(training.step, origin - 1);
    return { origin, path: path.map((v, k) => v + shift + (liftAt(training, origin + k) - liftAt(all, origin + k))) };
  });
  const bands = bandsOf(work, plan, { ...all, known }, [...moved, ...later]);
  const refit = refitMembers(chosen, all.values, checkpoint);
  const ahead = combined(chosen, (i) => refit.theta.get(i) ?? [], all.values, work.horizon);
  const forecast = rounded(lifted(all, ahead), bands.isNonnegative);
  checkpoint(1);
  const result: ForecastResult = {
    method,
    ...described(chosen, scored, refit.theta),
    train_count: train.length,
    ...measured(work, plan, training, rounded(holdout, held.isNonnegative), held),
    forecast,
    intervals: bandsAround(bands, forecast),
    ...(all.regression === null ? {} : { effects: all.regression.effects }),
    diagnostics: {
      ...diagnosed(chosen, held, bands, work.horizon),
      outliers: all.outliers,
      training_outliers: training.outliers,
      ...(all.step === null ? {} : { level_shift: all.step }),
      ...(training.regression === null ? {} : { training_effects: training.regression.effects }),
    },
    ...datesOf(work),
    unit: work.unit,
    limits: [
      ...gapLimits(work, against !== train),
      ...limitsOf(work, plan, all, bands),
      ...effectLimits(training, all),
      ...shiftLimits(work, all.step),
    ],
  };
  return { result, iterations: scored.evaluations + refit.evaluations, solution: null };
}

/** Returns what the regressors add at a step, counted from 0 for the oldest observation. */
const liftAt = ({ regression }: Series, t: number): number => regression?.lift[t] ?? 0;

/** Returns the path after the series with what the regressors add to it. */
const lifted = (series: Series, path: Float64Array): Float64Array =>
  path.map((v, k) => v + liftAt(series, series.values.length + k));

/** Returns the path with 15 digits, so that a large counter keeps its steps. */
const rounded = (path: Float64Array, isNonnegative: boolean): number[] =>
  Array.from(path, (v) => round15(isNonnegative ? Math.max(0, v) : v));

const diagnosed = (
  { models, plan, choice }: Chosen,
  held: Bands,
  bands: Bands,
  horizon: number,
): Omit<Diagnostics, 'outliers' | 'training_outliers' | 'training_effects'> => ({
  seasons: [...plan.seasons, ...plan.short],
  score_steps: plan.steps,
  origins: plan.origins,
  window: plan.window,
  mase_period: masePeriod(plan),
  median_share: choice.share,
  median_of: usedCommittee(choice).map((i) => models[i]?.name ?? ''),
  level_power: bands.power,
  factors: bands.factors,
  holdout_factors: held.factors,
  spread_first: round12(bands.spread[0] ?? 0),
  spread_last: round12(bands.spread[horizon - 1] ?? 0),
});

/** Returns the path of the chosen combination after `y`. */
function combined(
  { models, plan, choice }: Chosen,
  thetaOf: (model: number) => readonly number[],
  y: Float64Array,
  h: number,
): Float64Array {
  const seen = history(y, y.length, plan.window);
  const adjusted = adjustments(seen);
  const pathOf = (i: number): Float64Array => {
    const model = models[i];
    return model === undefined ? new Float64Array(h) : predict(model, thetaOf(i), seen, adjusted, h);
  };
  return combine(choice, pathOf, h);
}

/** Fits the chosen models again, on all observations. */
function refitMembers({ models, plan, choice }: Chosen, y: Float64Array, checkpoint: Checkpoint) {
  const seen = history(y, y.length, plan.window);
  const adjusted = adjustments(seen);
  const theta = new Map<number, readonly number[]>();
  const used = [...new Set([...choice.members.map(({ model }) => model), ...usedCommittee(choice)])];
  let evaluations = 0;
  for (const model of used) {
    const chosen = models[model];
    if (chosen === undefined) continue;
    const found = fitModel(chosen, seen, adjusted, plan);
    theta.set(model, found.theta);
    evaluations += found.evaluations;
    checkpoint(0.75 + (0.2 * theta.size) / used.length);
  }
  return { theta, evaluations };
}

const named = (model: Model, theta: readonly number[]): Record<string, number> =>
  Object.fromEntries(model.core(model.form).parameters.map((p, i) => [p.name, theta[i] ?? 0]));

function described(
  { models, choice }: Chosen,
  scored: Pick<ModelScores, 'theta' | 'scores'>,
  refit: ReadonlyMap<number, readonly number[]>,
): Pick<ForecastResult, 'models' | 'training_scores'> {
  const rows = models.map((model, i): ScoredModel => {
    const again = refit.get(i);
    return {
      name: model.name,
      weight: choice.members.find((m) => m.model === i)?.weight ?? 0,
      score: scored.scores[i] ?? 0,
      parameters: named(model, scored.theta[i] ?? []),
      refit: again === undefined ? null : named(model, again),
    };
  });
  const training_scores = Object.fromEntries(rows.map((row) => [row.name, row.score]));
  return { models: rows.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1)), training_scores };
}

function measured(
  work: ForecastWork,
  plan: Plan,
  { whole: train, observed: seen }: Series,
  whole: readonly number[],
  bands: Bands,
) {
  const held = work.observations.slice(train.length);
  const observed = held.flatMap((value, k) => (value === null ? [] : [[k, value] as const]));
  const coverage = bandsAround(bands, whole).map(({ level, lower, upper }) => {
    const inside = observed.filter(([k, v]) => v >= (lower[k] ?? 0) && v <= (upper[k] ?? 0));
    return { level, share: round12(inside.length / observed.length) };
  });
  const errors = errorsOf(held, whole, { values: seen, last: train.at(-1) ?? 0, period: masePeriod(plan) });
  return { holdout_actual: held, holdout_predictions: whole, ...errors, coverage };
}
