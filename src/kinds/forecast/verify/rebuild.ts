/** Rebuilds the result from its parameters, as plain JSON. */
import { round12 } from '../../../base/decimal.js';
import type { ForecastWork } from '../work.js';
import { type Attempt, type Width, widthOf } from './bands.js';
import { type Choice, chosenBy, combinedBy, neededFor } from './choice.js';
import type { Claimed, Claims } from './claims.js';
import { expectedDates } from './dates.js';
import type { Expected } from './former/plan.js';
import { before } from './former/rebuild.js';
import { pathOf } from './models.js';
import type { Parameters } from './plain.js';
import type { Outline } from './plan.js';
import { holdoutRows, modelRows } from './rows.js';

interface Scoring {
  readonly scores: readonly number[];
  /** The combination from each origin, chosen without it. */
  readonly attempts: readonly Attempt[];
}

export function rebuild(work: ForecastWork, plan: Outline, expected: Expected, claims: Claims): Record<string, unknown> {
  const names = [...expected.keys()];
  const { training, all, trainCount } = plan;
  const { scores, attempts } = scoring(plan, names, claims);
  const choice = chosenBy(names, scores, trainCount);
  const combine = (pick: (claim: Claimed) => Parameters, y: Float64Array, h: number): number[] => {
    const seen = before(y, y.length, plan.memory);
    const pathBy = (index: number): Float64Array => {
      const name = names[index] ?? '';
      return pathOf(name, pick(claims.get(name) ?? { parameters: {}, refit: null }), seen, plan.full, h);
    };
    return combinedBy(choice, pathBy, h);
  };
  const first = (claim: Claimed): Parameters => claim.parameters;
  const holdout = combine(first, training.values, work.holdout).map(round12);
  const forecast = combine((claim) => claim.refit ?? {}, all.values, work.horizon).map(round12);
  const longest = work.horizon > work.holdout ? work.horizon : work.holdout;
  const held = widthOf(plan, training.values, attempts, work.levels, longest);
  const later = heldOrigins(plan, work.holdout).map((start): Attempt => {
    return { start, path: combine(first, all.values.slice(0, start), plan.pathSteps) };
  });
  const ahead = widthOf(plan, all.values, [...attempts, ...later], work.levels, longest);
  return {
    method:
      'mean of the best few classical methods by rolling-origin error, weighted by its inverse square; on short series also the median of six simple methods',
    models: modelRows(names, scores, choice.shares, neededFor(choice), claims),
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

function scoring(plan: Outline, names: readonly string[], claims: Claims): Scoring {
  const { starts, pathSteps: h, trainCount } = plan;
  const train = plan.training.values;
  const paths = starts.map((start) => {
    const seen = before(train, start, plan.memory);
    return names.map((name) => pathOf(name, claims.get(name)?.parameters ?? {}, seen, plan.full, h));
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
