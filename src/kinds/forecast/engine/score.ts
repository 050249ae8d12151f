/** Fits and scores every candidate by rolling origins over the training observations. */
import { round12 } from '../../../base/decimal.js';
import type { Checkpoint } from '../../../engines/engine.js';
import { choose, combine } from './combine.js';
import type { Plan } from './plan.js';
import { adjustments, fitModel, type Model, predict } from './pool.js';

export type ModelScores = Readonly<ReturnType<typeof scoreModels>>;

/** Returns the last `window` values before index `n`. */
export const history = (y: Float64Array, n: number, window: number): Float64Array => y.subarray(Math.max(0, n - window), n);

/**
 * Returns what the scored paths are compared with: the observed values, NaN in a gap. Where they are too few to score every origin without
 * itself, these are the filled ones.
 */
export function comparedWith({ origins, steps }: Plan, train: Float64Array, seen: Float64Array): Float64Array {
  const scored = origins.filter((o) => seen.subarray(o, o + steps).some((v) => !Number.isNaN(v)));
  return scored.length >= Math.min(2, origins.length) ? seen : train;
}

/**
 * Returns the fitted models with their scores, and the path of the combination from each origin, chosen without that origin. @param actual
 * what `comparedWith` returned
 */
export function scoreModels(
  models: readonly Model[],
  plan: Plan,
  train: Float64Array,
  actual: Float64Array,
  checkpoint: Checkpoint,
) {
  const fitted = fitAll(models, plan, train, checkpoint);
  const paths = plan.origins.map((origin, i) => {
    const y = history(train, origin, plan.window);
    const adjusted = adjustments(y);
    const row = models.map((model, j) => predict(model, fitted.theta[j] ?? [], y, adjusted, plan.steps));
    checkpoint(0.45 + (0.25 * (i + 1)) / plan.origins.length);
    return row;
  });
  const weights = stepWeights(plan);
  const error = plan.isIntermittent ? squaredSum : absoluteError;
  const sums = paths.map((row, i) => row.map((path) => error(actual, plan.origins[i] ?? 0, path, weights)));
  const totals = plan.origins.map((origin) => totalWeight(actual, origin, weights));
  const left = paths.map((row, i) => {
    const choice = choose(models, meanScores(sums, totals, paths.length > 1 ? i : -1, plan.isIntermittent), plan);
    return combine(choice, (model) => row[model] ?? new Float64Array(plan.steps), plan.steps);
  });
  return { ...fitted, scores: meanScores(sums, totals, -1, plan.isIntermittent), paths: left };
}

function fitAll(models: readonly Model[], plan: Plan, train: Float64Array, checkpoint: Checkpoint) {
  const y = history(train, train.length, plan.window);
  const adjusted = adjustments(y);
  let evaluations = 0;
  const theta = models.map((model, i) => {
    const found = fitModel(model, y, adjusted, plan);
    evaluations += found.evaluations;
    checkpoint((0.45 * (i + 1)) / models.length);
    return found.theta;
  });
  return { theta, evaluations };
}

/** Cut paths overlap, and their late steps are few and large: a step then weighs the inverse of its number. */
const stepWeights = ({ isCut, steps }: Plan): Float64Array =>
  Float64Array.from({ length: steps }, (_, k) => (isCut ? 1 / (k + 1) : 1));

function absoluteError(actual: Float64Array, origin: number, path: Float64Array, weights: Float64Array): number {
  const known = Math.min(path.length, actual.length - origin);
  let sum = 0;
  for (let k = 0; k < known; k++) {
    const value = actual[origin + k] ?? 0;
    if (!Number.isNaN(value)) sum += (weights[k] ?? 0) * Math.abs(value - (path[k] ?? 0));
  }
  return sum;
}

/** Returns the squared error of the path's sum over the observed steps. */
function squaredSum(actual: Float64Array, origin: number, path: Float64Array): number {
  let sum = 0;
  path.subarray(0, actual.length - origin).forEach((v, k) => {
    const value = actual[origin + k] ?? 0;
    if (!Number.isNaN(value)) sum += value - v;
  });
  return sum * sum;
}

/** Returns the sum of the weights of the observed steps. */
const totalWeight = (actual: Float64Array, origin: number, weights: Float64Array): number =>
  weights.subarray(0, actual.length - origin).reduce((sum, w, k) => (Number.isNaN(actual[origin + k]) ? sum : sum + w), 0);

/** The score of a model that explodes: the largest number that a result may hold. */
const score_max = 1e300;

/** Returns the mean over the origins, in their order, except `skipped` (−1 for none). */
function meanScores(
  sums: readonly (readonly number[])[],
  totals: readonly number[],
  skipped: number,
  isSquared: boolean,
): number[] {
  const [first = []] = sums;
  return first.map((_, model) => {
    let sum = 0;
    let total = 0;
    sums.forEach((row, i) => {
      if (i === skipped) return;
      sum += row[model] ?? 0;
      total += totals[i] ?? 0;
    });
    return Math.min(score_max, round12(isSquared ? Math.sqrt(sum / total) : sum / total));
  });
}

/** Returns the shortest season, or 1; the denominator of MASE is computed over it. */
export const masePeriod = (plan: Plan): number => plan.seasons[0] ?? plan.short[0] ?? 1;
