/** Fits and scores every candidate by rolling origins over the training observations. */
import { round12 } from '../../../base/decimal.js';
import type { Checkpoint } from '../../../engines/engine.js';
import { bestFew, type Member, weightedMean } from './combine.js';
import { seasonalNaiveScale } from './measures.js';
import type { Plan } from './plan.js';
import { adjustments, fitModel, type Model, predict } from './pool.js';

export interface Scored {
  readonly theta: readonly (readonly number[])[];
  readonly scores: readonly number[];
  /** Residuals y − path of the combination per origin, chosen without that origin. */
  readonly residuals: readonly Float64Array[];
  readonly evaluations: number;
}

/** Returns the last `window` values before index `n`. */
export const history = (y: Float64Array, n: number, window: number): Float64Array => y.subarray(Math.max(0, n - window), n);

export function scoreModels(models: readonly Model[], plan: Plan, train: Float64Array, checkpoint: Checkpoint): Scored {
  const fitted = fitAll(models, plan, train, checkpoint);
  const paths = plan.origins.map((origin, i) => {
    const y = history(train, origin, plan.window);
    const adjusted = adjustments(y, plan.seasons);
    const row = models.map((model, j) => predict(model, fitted.theta[j] ?? [], y, adjusted, plan.steps));
    checkpoint(0.45 + (0.25 * (i + 1)) / plan.origins.length);
    return row;
  });
  const sums = paths.map((row, i) => row.map((path) => absoluteError(train, plan.origins[i] ?? 0, path)));
  const scores = meanScores(sums, plan.steps, -1);
  return { ...fitted, scores, residuals: leftOut(paths, sums, plan, train) };
}

interface FittedAll {
  readonly theta: readonly (readonly number[])[];
  readonly evaluations: number;
}

function fitAll(models: readonly Model[], plan: Plan, train: Float64Array, checkpoint: Checkpoint): FittedAll {
  const y = history(train, train.length, plan.window);
  const adjusted = adjustments(y, plan.seasons);
  let evaluations = 0;
  const theta = models.map((model, i) => {
    const found = fitModel(model, y, adjusted, plan.firstOriginMin, plan.steps);
    evaluations += found.evaluations;
    checkpoint((0.45 * (i + 1)) / models.length);
    return found.theta;
  });
  return { theta, evaluations };
}

function absoluteError(train: Float64Array, origin: number, path: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < path.length; k++) sum += Math.abs((train[origin + k] ?? 0) - (path[k] ?? 0));
  return sum;
}

/** Returns the mean over the origins, in their order, except `skipped` (−1 for none). */
function meanScores(sums: readonly (readonly number[])[], steps: number, skipped: number): number[] {
  const used = sums.filter((_, i) => i !== skipped);
  const [first = []] = used;
  return first.map((_, model) => {
    let sum = 0;
    for (const row of used) sum += row[model] ?? 0;
    return round12(sum / (used.length * steps));
  });
}

function leftOut(
  paths: readonly (readonly Float64Array[])[],
  sums: readonly (readonly number[])[],
  plan: Plan,
  train: Float64Array,
): Float64Array[] {
  return paths.map((row, i) => {
    const members: readonly Member[] = bestFew(meanScores(sums, plan.steps, paths.length > 1 ? i : -1));
    const mean = weightedMean(members, (model) => row[model] ?? new Float64Array(plan.steps), plan.steps);
    return mean.map((v, k) => (train[(plan.origins[i] ?? 0) + k] ?? 0) - v);
  });
}

/** Returns the shortest season, or 1; the denominator of MASE is computed over it. */
export const masePeriod = (plan: Plan): number => plan.seasons[0] ?? plan.short[0] ?? 1;

export const maseScale = (plan: Plan, train: Float64Array): number => seasonalNaiveScale(train, masePeriod(plan));
