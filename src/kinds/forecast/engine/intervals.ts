/**
 * The width of a prediction interval: the mean absolute residual per step, made to widen with the step, times a factor per level.
 * Residuals are those of rolling origins, each forecast by models chosen without that origin.
 */
import { log } from '../../../base/math.js';

/** Number of origins with normal residuals that are mixed into the factor, because few origins determine a tail badly. */
const normal_origins = 6;
/**
 * Residuals of few origins are too small, also because the parameters were fitted over them; the correction falls with the number
 * of origins.
 */
const origins_correction = 5;

/**
 * Returns the spread per step: pool-adjacent-violators (Ayer et al. 1955) over the scored steps, then growth with the square root
 * of the step.
 */
export function spreads(residuals: readonly Float64Array[], steps: number, h: number): Float64Array {
  const values: number[] = [];
  const counts: number[] = [];
  for (let k = 0; k < steps; k++) {
    let sum = 0;
    for (const row of residuals) sum += Math.abs(row[k] ?? 0);
    let value = sum / residuals.length;
    let count = 1;
    while (values.length > 0 && (values[values.length - 1] ?? 0) > value) {
      const before = counts.pop() ?? 0;
      value = ((values.pop() ?? 0) * before + value * count) / (before + count);
      count += before;
    }
    values.push(value);
    counts.push(count);
  }
  const out = new Float64Array(h);
  const flat = values.flatMap((value, i) => new Array<number>(counts[i] ?? 0).fill(value));
  const top = flat[steps - 1] ?? 0;
  for (let k = 0; k < h; k++) out[k] = k < steps ? (flat[k] ?? 0) : top * Math.sqrt((k + 1) / steps);
  return out;
}

/** Returns the `level` quantile of |residual| / spread over all origins and steps, mixed with that of a normal distribution. */
export function factorFor(level: number, ratios: Float64Array, origins: number): number {
  const rank = Math.min(ratios.length - 1, Math.ceil((level / 100) * ratios.length));
  const seen = ratios[rank] ?? 0;
  // A normal variable's mean absolute value is √(2/π) of its standard deviation.
  const normal = normalQuantile(level) / 0.797884560802865;
  const mixed = (origins * seen + normal_origins * normal) / (origins + normal_origins);
  return mixed * (1 + origins_correction / origins);
}

/**
 * Returns the ratios sorted ascending. A step without spread has no residuals either and is left out; empty input gives one zero.
 */
export function sortedRatios(residuals: readonly Float64Array[], spread: Float64Array, steps: number): Float64Array {
  const ratios: number[] = [];
  for (const row of residuals) {
    for (let k = 0; k < steps; k++) {
      const s = spread[k] ?? 0;
      if (s > 0) ratios.push(Math.abs(row[k] ?? 0) / s);
    }
  }
  return Float64Array.from(ratios.length > 0 ? ratios : [0]).sort();
}

/** Returns z with P(|Z| ≤ z) = level/100: Abramowitz and Stegun 26.2.23, error below 4.5e-4. */
function normalQuantile(level: number): number {
  const tail = (1 - level / 100) / 2;
  const t = Math.sqrt(-2 * log(tail));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
