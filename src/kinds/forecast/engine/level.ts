/** How the errors of a positive series grow with its level: their size is taken to follow a power of the level. */
import { log, pow } from '../../../base/math.js';
import { round12 } from '../../../base/decimal.js';
import { lowest } from './series.js';

/** Sum of squares by which the power is shrunk towards 0, so that only a level that moves far counts. */
const ridge = 6;
const pairs_min = 3;

/** Returns the mean of the last values before index n: those of a season, at least two. */
export function levelAt(y: Float64Array, n: number, m: number): number {
  const width = Math.max(2, m);
  let sum = 0;
  for (let t = n - width; t < n; t++) sum += y[t] ?? 0;
  return sum / width;
}

/** Returns the power, 0 to 1: the slope of the logarithm of the seasonal change over that of the level; 0 for values that are not positive. */
export function levelPower(y: Float64Array, m: number): number {
  if (!(lowest(y) > 0)) return 0;
  const levels: number[] = [];
  const changes: number[] = [];
  for (let t = Math.max(m, 1); t < y.length; t++) {
    const change = Math.abs((y[t] ?? 0) - (y[t - m] ?? 0));
    if (!(change > 0)) continue;
    levels.push(log(levelAt(y, t + 1, m)));
    changes.push(log(change));
  }
  if (levels.length < pairs_min) return 0;
  const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
  const level = mean(levels);
  const change = mean(changes);
  let above = 0;
  let below = 0;
  levels.forEach((x, i) => {
    above += (x - level) * ((changes[i] ?? 0) - change);
    below += (x - level) * (x - level);
  });
  return round12(Math.min(1, Math.max(0, above / (below + ridge))));
}

/** Returns the factor from an error at one level to one at another. */
export const levelRatio = (to: number, from: number, power: number): number => (power > 0 ? pow(to / from, power) : 1);
