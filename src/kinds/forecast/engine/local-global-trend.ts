/**
 * The local and global trend (Smyl et al. 2025) of a positive series: after a level l with the local trend b, l + g·l^ρ + b/2 is expected. Few
 * values do not tell its parameters, so the path is the mean of those of a grid of parameters, weighted by their posterior, where the original
 * draws parameters from it. At a point of the grid g is known in closed form: its prior is normal, the variance of the errors grows with the
 * level, and their size is unknown.
 */
import { exp, log } from '../../../base/math.js';
import type { Core } from './cores.js';
import { highest } from './series.js';

const level_smoothings: readonly number[] = [0.2, 0.5, 0.8];
const local_smoothings: readonly number[] = [0.3, 0.7];
/** l^ρ for ρ = 0, growth along a line, and ρ = 1, growth by a share; their mean may be anything between. */
const powers: readonly ((level: number) => number)[] = [() => 1, (level) => level];
const local_share = 0.5;
/** Normal distributions whose mean is near the prior of g, Cauchy's of scale 1/150 of the largest value: the deviations at the middles of its thirds. */
const growth_deviations: readonly number[] = [0.0048, 0.0099, 0.032];
/** The least level that the variance of the errors falls with, in units of the largest value. */
const level_min = 0.01;
const squares_min = 1e-12;

interface Point {
  readonly alpha: number;
  readonly beta: number;
  readonly power: (level: number) => number;
  readonly growth: number;
  readonly level: number;
  readonly local: number;
  /** The logarithm of the posterior, but for a constant. */
  readonly weight: number;
}

/** Returns the points of one smoothing of the level. @param x in units of its largest value @param error the size of its changes */
function pointsOf(x: Float64Array, alpha: number, error: number): Point[] {
  const count = x.length - 1;
  let level = x[0] ?? 0;
  const levels = x.map((v) => (level += alpha * (v - level)));
  // Variances are in units of the geometric mean of the levels.
  const unit = exp(levels.subarray(0, count).reduce((sum, v) => sum + log(Math.max(v, level_min)), 0) / count);
  const precisions = levels.map((v) => unit / Math.max(v, level_min));
  return local_smoothings.flatMap((beta) => {
    let local = 0;
    /** What the local trend leaves of the change to each next value. */
    const rest = levels.map((v, t) => {
      if (t > 0) local += beta * (v - (levels[t - 1] ?? 0) - local);
      return (x[t + 1] ?? 0) - v - local_share * local;
    });
    return powers.flatMap((power) => {
      let below = 0;
      let across = 0;
      let squares = 0;
      for (let t = 0; t < count; t++) {
        const precision = precisions[t] ?? 0;
        const global = power(levels[t] ?? 0);
        const r = rest[t] ?? 0;
        below += precision * (global * global);
        across += precision * (global * r);
        squares += precision * (r * r);
      }
      return growth_deviations.map((deviation) => {
        const ridge = Math.max(squares_min, (error / deviation) * (error / deviation));
        const growth = across / (below + ridge);
        const errors = Math.max(squares_min, squares - growth * across);
        return { alpha, beta, power, growth, level, local, weight: -(log(below / ridge + 1) + count * log(errors)) / 2 };
      });
    });
  });
}

function pathAfter(y: Float64Array, h: number): Float64Array {
  const top = highest(y);
  const x = y.map((v) => v / top);
  const error = x.reduce((sum, v, t) => sum + Math.abs(v - (x[t - 1] ?? v)), 0) / (x.length - 1);
  const points = level_smoothings.flatMap((alpha) => pointsOf(x, alpha, error));
  const best = points.reduce((high, { weight }) => Math.max(high, weight), -Infinity);
  const path = new Float64Array(h);
  let total = 0;
  for (const point of points) {
    const share = exp(point.weight - best);
    total += share;
    let { level, local } = point;
    for (let k = 0; k < h; k++) {
      const step = point.growth * point.power(level) + local_share * local;
      path[k] = (path[k] ?? 0) + share * (level + step);
      level += point.alpha * step;
      local += point.beta * (point.alpha * step - local);
    }
  }
  return path.map((v) => (v / total) * top);
}

/** It has no parameters of its own, because it averages over them. */
export const localGlobalTrend: Core = {
  name: 'local-global-trend',
  parameters: [],
  walk: (y, _theta, origins, h) => origins.map((n) => pathAfter(y.subarray(0, n), h)),
};
