/** Rebuilds a forecast from the fitted parameters that it names. */
import assert from 'node:assert/strict';
import { round12 } from '../../../../src/base/decimal.js';
import type { ForecastResult } from '../../../../src/kinds/forecast/result.js';
import type { ForecastWork } from '../../../../src/kinds/forecast/work.js';
import { type Attempt, type Choice, chosenBy, combinedBy, neededFor, type Share, type Width, widthOf } from './combine.js';
import { expectedDates } from './dates.js';
import { type Parameters, pathOf } from './paths.js';
import { expectedModels, type Outline, outline } from './read.js';

/** A model's fitted parameters: on the training data, and on all observations. */
interface Fitted {
  readonly parameters: Parameters;
  readonly refit: Parameters | null;
}

type Fits = ReadonlyMap<string, Fitted>;
const unfitted: Fitted = { parameters: {}, refit: null };

/** Returns the whole result that the parameters in `given` lead to. @throws when `given` has other models or parameters */
export function rebuilt(work: ForecastWork, given: ForecastResult): Record<string, unknown> {
  const plan = outline(work);
  const expected = expectedModels(plan);
  const fits: Fits = new Map(given.models.map((row) => [row.name, row]));
  for (const [name, parameters] of expected) {
    const { parameters: first, refit } = fits.get(name) ?? unfitted;
    assert.deepEqual(Object.keys(first).sort(), parameters.toSorted(), name);
    if (refit !== null) assert.deepEqual(Object.keys(refit).sort(), parameters.toSorted(), name);
  }
  return rebuild(work, plan, [...expected.keys()], fits);
}

const before = (y: Float64Array, n: number, memory: number): Float64Array => y.slice(n > memory ? n - memory : 0, n);

interface Scoring {
  readonly scores: readonly number[];
  /** The combination from each origin, chosen without it. */
  readonly attempts: readonly Attempt[];
}

function rebuild(work: ForecastWork, plan: Outline, names: readonly string[], fits: Fits): Record<string, unknown> {
  const { training, all, trainCount } = plan;
  const { scores, attempts } = scoring(plan, names, fits);
  const choice = chosenBy(names, scores, trainCount);
  const combine = (pick: (fit: Fitted) => Parameters, y: Float64Array, h: number): number[] => {
    const seen = before(y, y.length, plan.memory);
    const pathBy = (index: number): Float64Array => {
      const name = names[index] ?? '';
      return pathOf(name, pick(fits.get(name) ?? unfitted), seen, plan.full, h);
    };
    return combinedBy(choice, pathBy, h);
  };
  const first = (fit: Fitted): Parameters => fit.parameters;
  const holdout = combine(first, training.values, work.holdout).map(round12);
  const forecast = combine((fit) => fit.refit ?? {}, all.values, work.horizon).map(round12);
  const longest = work.horizon > work.holdout ? work.horizon : work.holdout;
  const held = widthOf(plan, training.values, attempts, work.levels, longest);
  const later = heldOrigins(plan, work.holdout).map((start): Attempt => {
    return { start, path: combine(first, all.values.slice(0, start), plan.pathSteps) };
  });
  const ahead = widthOf(plan, all.values, [...attempts, ...later], work.levels, longest);
  return {
    method:
      'mean of the best few classical methods by rolling-origin error, weighted by its inverse square; on short series also the median of six simple methods',
    models: modelRows(names, scores, choice.shares, neededFor(choice), fits),
    training_scores: Object.fromEntries(names.map((name, i) => [name, scores[i]])),
    train_count: trainCount,
    ...holdoutRows(work.observations.slice(trainCount), training.values, plan.period, holdout, around(held, holdout)),
    forecast,
    intervals: around(ahead, forecast),
    diagnostics: diagnosed(plan, names, choice, held, ahead, work.horizon),
    ...expectedDates(work),
    unit: work.unit,
    limits: sentences(work, plan),
  };
}

const around = ({ factors, widths }: Width, path: readonly number[]): { level: number; lower: number[]; upper: number[] }[] =>
  factors.map(({ level, factor }) => ({
    level,
    lower: path.map((v, k) => round12(v - factor * (widths[k] ?? 0))),
    upper: path.map((v, k) => round12(v + factor * (widths[k] ?? 0))),
  }));

/** Returns the origins in the holdout: 24 at most, no closer than those of the training observations. */
function heldOrigins({ trainCount, stride }: Outline, holdout: number): number[] {
  const step = Math.max(stride, Math.ceil(holdout / 24));
  return Array.from({ length: Math.ceil(holdout / step) }, (_, i) => trainCount + i * step);
}

function diagnosed(
  plan: Outline,
  names: readonly string[],
  { six, part }: Choice,
  held: Width,
  ahead: Width,
  horizon: number,
): Record<string, unknown> {
  // In the order of the methods, not of their names.
  const order = ['naive', 'drift', 'ses', 'holt', 'damped', 'theta'].map((name) => six.find((i) => names[i]?.startsWith(name)));
  return {
    seasons: [...plan.full, ...plan.naiveOnly],
    score_steps: plan.pathSteps,
    origins: plan.starts,
    window: plan.memory,
    mase_period: plan.period,
    median_share: part,
    median_of: part > 0 ? order.map((i) => names[i ?? -1]) : [],
    level_power: ahead.power,
    factors: ahead.factors,
    holdout_factors: held.factors,
    spread_first: round12(ahead.widths[0] ?? 0),
    spread_last: round12(ahead.widths[horizon - 1] ?? 0),
    outliers: plan.all.outliers,
    training_outliers: plan.training.outliers,
  };
}

function scoring(plan: Outline, names: readonly string[], fits: Fits): Scoring {
  const { starts, pathSteps: h, trainCount } = plan;
  const train = plan.training.values;
  const paths = starts.map((start) => {
    const seen = before(train, start, plan.memory);
    return names.map((name) => pathOf(name, (fits.get(name) ?? unfitted).parameters, seen, plan.full, h));
  });
  const weight = (k: number): number => (plan.isCut ? 1 / (k + 1) : 1);
  const known = starts.map((start) => Math.min(h, trainCount - start));
  const totals = known.map((count) => Array.from({ length: count }, (_, k) => weight(k)).reduce((sum, w) => sum + w, 0));
  const errors = paths.map((row, i) =>
    row.map((path) => {
      let sum = 0;
      for (let k = 0; k < (known[i] ?? 0); k++) sum += weight(k) * Math.abs((train[(starts[i] ?? 0) + k] ?? 0) - (path[k] ?? 0));
      return sum;
    }),
  );
  const without = (skip: number): number[] => {
    const used = starts.flatMap((_, i) => (i === skip ? [] : [i]));
    const total = used.reduce((sum, i) => sum + (totals[i] ?? 0), 0);
    return names.map((_, model) => round12(used.reduce((sum, i) => sum + (errors[i]?.[model] ?? 0), 0) / total));
  };
  const attempts = paths.map((row, i): Attempt => {
    const choice = chosenBy(names, without(starts.length === 1 ? -1 : i), trainCount);
    return { start: starts[i] ?? 0, path: combinedBy(choice, (index) => row[index] ?? new Float64Array(h), h) };
  });
  return { scores: without(-1), attempts };
}

function sentences(work: ForecastWork, plan: Outline): string[] {
  const { pathSteps, isCut, starts } = plan;
  const { outliers } = plan.all;
  const beyond = pathSteps < work.horizon || pathSteps < work.holdout;
  const more = outliers.length - 3;
  return [
    'The future is taken to resemble the past: no outside cause enters.',
    `Bands rest on ${starts.length} rolling origins of ${isCut ? 'up to ' : ''}${pathSteps} steps and on the holdout.`,
    ...(beyond ? [`Bands beyond step ${pathSteps} widen as those of a random walk.`] : []),
    ...(plan.isUndetected ? ['No season was found: the series is forecast without one.'] : []),
    ...plan.naiveOnly.map((m) => `Season ${m}: too few cycles for more than the seasonal naive methods.`),
    ...plan.leftOut.map((m) => `Season ${m}: too long for the training observations, left out.`),
    ...outliers
      .slice(0, 3)
      .map((o) => `Observation ${o.index + 1} (${o.value}) is an outlier: the forecast takes ${o.replacement} in its place.`),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'observation is an outlier' : 'observations are outliers'} and replaced.`] : []),
  ];
}

/** Returns the models by score, then name. @param used indices of the models that the forecast needs, which are fitted again */
function modelRows(
  names: readonly string[],
  scores: readonly number[],
  shares: readonly Share[],
  used: ReadonlySet<number>,
  fits: Fits,
): unknown[] {
  const rows = names.map((name, i) => {
    const { parameters, refit } = fits.get(name) ?? unfitted;
    const weight = shares.find(({ index }) => index === i)?.weight ?? 0;
    return { name, weight, score: scores[i] ?? 0, parameters, refit: used.has(i) ? (refit ?? {}) : null };
  });
  return rows.sort((a, b) => (a.score === b.score ? (a.name < b.name ? -1 : 1) : a.score - b.score));
}

/**
 * Returns the measures of the holdout. @param train the training values that its scale and baseline come from @param m the period of MASE
 */
function holdoutRows(
  actual: readonly number[],
  train: Float64Array,
  m: number,
  path: readonly number[],
  bands: readonly { level: number; lower: readonly number[]; upper: readonly number[] }[],
): Record<string, unknown> {
  const last = train[train.length - 1] ?? 0;
  const meanOf = (f: (v: number, k: number) => number): number => {
    let sum = 0;
    actual.forEach((v, k) => {
      sum += f(v, k);
    });
    return sum / actual.length;
  };
  const mae = round12(meanOf((v, k) => Math.abs(v - (path[k] ?? 0))));
  const baseline = round12(meanOf((v) => Math.abs(v - last)));
  let change = 0;
  for (let t = m; t < train.length; t++) change += Math.abs((train[t] ?? 0) - (train[t - m] ?? 0));
  const scale = change / (train.length - m);
  const percentage = (v: number, f: number): number =>
    v === 0 && f === 0 ? 0 : (200 * Math.abs(v - f)) / (Math.abs(v) + Math.abs(f));
  return {
    holdout_actual: actual,
    holdout_predictions: path,
    holdout_mae: mae,
    holdout_mase: scale > 0 ? round12(mae / scale) : null,
    holdout_smape: round12(meanOf((v, k) => percentage(v, path[k] ?? 0))),
    baseline_mae: baseline,
    improvement: baseline > 0 ? round12(1 - mae / baseline) : null,
    coverage: bands.map(({ level, lower, upper }) => {
      const inside = actual.filter((v, k) => (lower[k] ?? 0) <= v && v <= (upper[k] ?? 0)).length;
      return { level, share: round12(inside / actual.length) };
    }),
  };
}
