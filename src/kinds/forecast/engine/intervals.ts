/**
 * The width of a prediction interval: a spread per step that widens with the step, times a factor per level. Both come from residuals of
 * rolling origins, each forecast by models chosen without that origin, and lean on a shape and on a normal distribution as
 * far as the residuals are few.
 */
import { log } from '../../../base/math.js';
import type { Plan } from './plan.js';

export interface Residuals {
  readonly rows: readonly Float64Array[];
  /** The number of observations that the residuals come from. */
  readonly count: number;
}

/** Number of separate paths by which the shape counts in the spread of a step. */
const shape_paths = 4;
/** Number of separate paths with normal residuals that are mixed into the factor, because few paths determine a tail badly. */
const normal_paths = 6;
/** Residuals of few origins are too small, because the parameters were fitted over them; the corrections fall with their number. */
const origins_correction = 5;
const observations_correction = 6;

/** Returns how far an error grows from the first step to the k-th: as that of a random walk whose drift is estimated from n values. */
const growth = (k: number, n: number): number => Math.sqrt(k * (1 + k / n));

/** Returns the number of paths of k steps that do not overlap, of `count` paths. */
const separate = (count: number, k: number, { stride }: Plan): number => (count * stride) / Math.max(stride, k);

/** Returns the spread of each of h steps; it never falls. */
export function spreads({ rows, count: n }: Residuals, plan: Plan, h: number): Float64Array {
  const sums = new Float64Array(plan.steps);
  const counts = new Float64Array(plan.steps);
  let above = 0;
  let below = 0;
  for (const row of rows) {
    row.forEach((e, k) => {
      sums[k] = (sums[k] ?? 0) + Math.abs(e);
      counts[k] = (counts[k] ?? 0) + 1;
      above += Math.abs(e) / (growth(k + 1, n) * (k + 1));
      below += 1 / (k + 1);
    });
  }
  const pooled = above / below;
  const out = new Float64Array(h);
  let top = 0;
  for (let k = 0; k < h; k++) {
    const count = counts[k] ?? 0;
    const paths = separate(count, k + 1, plan);
    const shaped = pooled * growth(k + 1, n);
    const spread = count > 0 ? (paths * ((sums[k] ?? 0) / count) + shape_paths * shaped) / (paths + shape_paths) : shaped;
    top = Math.max(top, spread);
    out[k] = top;
  }
  return out;
}

/** Returns the `level` quantile of |residual| / spread over all origins and steps, mixed with that of a normal distribution. */
export function factorFor(level: number, ratios: Float64Array, { rows, count }: Residuals, plan: Plan): number {
  const rank = Math.min(ratios.length - 1, Math.ceil((level / 100) * ratios.length));
  const seen = ratios[rank] ?? 0;
  // A normal variable's mean absolute value is √(2/π) of its standard deviation.
  const normal = normalQuantile(level) / 0.797884560802865;
  const paths = plan.isCut ? separate(rows.length, plan.steps, plan) : rows.length;
  const mixed = (paths * seen + normal_paths * normal) / (paths + normal_paths);
  const correction = plan.isCut ? observations_correction / (count - plan.firstOriginMin) : origins_correction / rows.length;
  return mixed * (1 + correction);
}

/**
 * Returns the ratios sorted ascending. A step without spread has no residuals either and is left out; empty input gives one zero.
 */
export function sortedRatios({ rows }: Residuals, spread: Float64Array): Float64Array {
  const ratios: number[] = [];
  for (const row of rows) {
    row.forEach((e, k) => {
      const s = spread[k] ?? 0;
      if (s > 0) ratios.push(Math.abs(e) / s);
    });
  }
  return Float64Array.from(ratios.length > 0 ? ratios : [0]).sort();
}

/** Returns z with P(|Z| ≤ z) = level/100: Abramowitz and Stegun 26.2.23, error below 4.5e-4. */
function normalQuantile(level: number): number {
  const tail = (1 - level / 100) / 2;
  const t = Math.sqrt(-2 * log(tail));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
