/** The verifier's own bands: see `plain.ts` on the order of operations. */
import { round12 } from '../../../base/decimal.js';
import { log, pow } from '../../../base/math.js';
import { normalQuantile } from './former/bands.js';
import type { Outline } from './plan.js';

/** A path of the combination from an origin. */
export interface Attempt {
  readonly start: number;
  readonly path: readonly number[];
}

export interface Width {
  readonly power: number;
  readonly widths: readonly number[];
  readonly factors: readonly { readonly level: number; readonly factor: number }[];
}

export function widthOf(
  plan: Outline,
  y: Float64Array,
  attempts: readonly Attempt[],
  levels: readonly number[],
  h: number,
): Width {
  const power = plan.isCut ? powerOf(y, plan.period) : 0;
  const here = recentMean(y, y.length, plan.period);
  const errors = attempts.map(({ start, path }) => {
    const scale = power > 0 ? pow(here / recentMean(y, start, plan.period), power) : 1;
    return path.slice(0, Math.min(plan.pathSteps, y.length - start)).map((v, k) => ((y[start + k] ?? 0) - v) * scale);
  });
  const widths = widthsOf(plan, errors, y.length, h);
  return { power, widths, factors: levels.map((level) => ({ level, factor: factorOf(plan, level, errors, widths, y.length) })) };
}

function widthsOf(plan: Outline, errors: readonly (readonly number[])[], n: number, h: number): number[] {
  const shape = (step: number): number => Math.sqrt(step * (1 + step / n));
  let top = 0;
  let bottom = 0;
  for (const row of errors) {
    row.forEach((e, k) => {
      top += Math.abs(e) / (shape(k + 1) * (k + 1));
      bottom += 1 / (k + 1);
    });
  }
  const level = top / bottom;
  const out: number[] = [];
  for (let k = 0; k < h; k++) {
    let sum = 0;
    let count = 0;
    for (const row of errors) {
      if (k >= row.length) continue;
      sum += Math.abs(row[k] ?? 0);
      count += 1;
    }
    const apart = (count * plan.stride) / Math.max(plan.stride, k + 1);
    const expected = level * shape(k + 1);
    const width = count === 0 ? expected : (apart * (sum / count) + 4 * expected) / (apart + 4);
    out.push(Math.max(out[k - 1] ?? 0, width));
  }
  return out;
}

function factorOf(
  plan: Outline,
  level: number,
  errors: readonly (readonly number[])[],
  widths: readonly number[],
  n: number,
): number {
  const ratios = errors.flatMap((row) => row.flatMap((e, k) => ((widths[k] ?? 0) > 0 ? [Math.abs(e) / (widths[k] ?? 0)] : [])));
  ratios.sort((a, b) => a - b);
  const count = Math.max(1, ratios.length);
  const seen = ratios[Math.min(count - 1, Math.ceil((level / 100) * count))] ?? 0;
  const expected = normalQuantile(level) / 0.797884560802865;
  const rows = errors.length;
  const apart = plan.isCut ? (rows * plan.stride) / Math.max(plan.stride, plan.pathSteps) : rows;
  const correction = plan.isCut ? 6 / (n - plan.earliest) : 5 / rows;
  return round12(((apart * seen + 6 * expected) / (apart + 6)) * (1 + correction));
}

/** Returns the mean of the values before index n, over a season and at least two. */
function recentMean(y: Float64Array, n: number, period: number): number {
  const count = period < 2 ? 2 : period;
  let sum = 0;
  for (let back = count; back > 0; back--) sum += y[n - back] ?? 0;
  return sum / count;
}

/** Returns the slope of log change over log level, shrunk and kept within 0 and 1; 0 for a series that is not positive. */
function powerOf(y: Float64Array, period: number): number {
  if (y.some((v) => !(v > 0))) return 0;
  const points: { readonly x: number; readonly z: number }[] = [];
  for (let t = period; t < y.length; t++) {
    const change = Math.abs((y[t] ?? 0) - (y[t - period] ?? 0));
    if (change > 0) points.push({ x: log(recentMean(y, t + 1, period)), z: log(change) });
  }
  if (points.length < 3) return 0;
  let sumX = 0;
  let sumZ = 0;
  for (const { x, z } of points) {
    sumX += x;
    sumZ += z;
  }
  const [meanX, meanZ] = [sumX / points.length, sumZ / points.length];
  let top = 0;
  let bottom = 0;
  for (const { x, z } of points) {
    top += (x - meanX) * (z - meanZ);
    bottom += (x - meanX) * (x - meanX);
  }
  return round12(Math.min(1, Math.max(0, top / (bottom + 6))));
}
