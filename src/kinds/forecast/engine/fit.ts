/**
 * Bounded deterministic search for a model's parameters: cyclic coordinate descent from the model's start values with steps
 * halved (Hooke and Jeeves 1961). It minimises the multi-step error, because the forecast is a multi-step path.
 * Parameters live on a grid of thousandths, so that a result carries them exactly.
 */
import type { Core } from './cores.js';

const grid = 1000;
const rounds_max = 2;
const first_share = 0.25;
const halvings = 6;
const fit_origins_min = 40;
/** The number of compared values that bounds the origins of short paths. */
const fit_values_max = 480;
/** Fewer observations than this per step fit shorter paths: long paths of a short series overlap so much that they fit its noise. */
const observations_per_step = 40;

export interface Fitted {
  readonly theta: readonly number[];
  /** The number of losses computed. */
  readonly evaluations: number;
}

/**
 * Returns parameters in the order of `core.parameters`, fitted by the absolute error of paths from origins after `from`. A path has
 * `steps` steps, fewer on a short series.
 */
export function fit(core: Core, y: Float64Array, from: number, steps: number): Fitted {
  if (core.solve !== undefined) return { theta: core.solve(y), evaluations: 1 };
  const theta = core.parameters.map((p) => p.start);
  if (theta.length === 0) return { theta, evaluations: 0 };
  const h = Math.min(steps, Math.max(1, Math.floor(y.length / observations_per_step)));
  const origins = fitOrigins(y.length, from, Math.max(fit_origins_min, Math.floor(fit_values_max / h)));
  const loss = (trial: readonly number[]): number => pathError(y, origins, core.walk(y, trial, origins, h));
  let best = loss(theta);
  let evaluations = 1;
  /** Moves one parameter by one step if that reduces the loss. */
  const moved = (i: number, share: number): boolean => {
    const { min, max } = core.parameters[i] ?? { min: 0, max: 0 };
    const step = Math.max(1, Math.round((max - min) * share * grid)) / grid;
    for (const sign of [-1, 1]) {
      const there = Math.round(Math.min(max, Math.max(min, (theta[i] ?? 0) + sign * step)) * grid) / grid;
      if (there === theta[i]) continue;
      const value = loss(theta.with(i, there));
      evaluations += 1;
      if (value < best) {
        best = value;
        theta[i] = there;
        return true;
      }
    }
    return false;
  };
  let share = first_share;
  for (let s = 0; s < halvings; s++) {
    for (let round = 0; round < rounds_max; round++) {
      let improved = false;
      for (let i = 0; i < theta.length; i++) improved = moved(i, share) || improved;
      if (!improved) break;
    }
    share /= 2;
  }
  return { theta, evaluations };
}

/** Returns ascending origins, evenly spread over [from, n − 1]. */
function fitOrigins(n: number, from: number, count: number): number[] {
  const stride = Math.max(1, Math.floor((n - from) / count));
  const origins: number[] = [];
  for (let o = n - 1; o >= from && origins.length < count; o -= stride) origins.push(o);
  return origins.reverse();
}

/** Returns the sum of absolute errors of the paths where `y` is known. */
function pathError(y: Float64Array, origins: readonly number[], paths: readonly Float64Array[]): number {
  let sum = 0;
  origins.forEach((n, i) => {
    const path = paths[i] ?? new Float64Array(0);
    const known = Math.min(path.length, y.length - n);
    for (let k = 0; k < known; k++) sum += Math.abs((y[n + k] ?? 0) - (path[k] ?? 0));
  });
  return sum;
}
