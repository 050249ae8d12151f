/**
 * The methods without season. Each is a recursion over one series with parameters on a fixed decimal grid.
 */
import { pow } from '../../../base/math.js';
import { mean } from './series.js';

export interface Parameter {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly start: number;
}

/** Returns forecast paths, one per origin: `paths[i][k]` is the value at index origins[i] + k, from y[0..origins[i]) only. */
export type Walk = (y: Float64Array, theta: readonly number[], origins: readonly number[], h: number) => Float64Array[];

export interface Core {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Makes one pass over `y`; origins ascend, each in 1..y.length. */
  readonly walk: Walk;
  /** Returns the parameters in closed form, in place of the search. */
  readonly solve?: (y: Float64Array) => number[];
}

const alpha: Parameter = { name: 'alpha', min: 0.01, max: 0.99, start: 0.5 };
const beta: Parameter = { name: 'beta', min: 0, max: 0.5, start: 0.05 };
const share: Parameter = { name: 'share', min: 0, max: 1, start: 0.5 };
const phi: Parameter = { name: 'phi', min: 0.8, max: 0.98, start: 0.9 };

/** Returns flat paths of the level that `after` gives for y[0..n). `after` is called with rising n. */
export const flat = (origins: readonly number[], h: number, after: (n: number) => number): Float64Array[] =>
  origins.map((n) => new Float64Array(h).fill(after(n)));

const naive: Core = {
  name: 'naive',
  parameters: [],
  walk: (y, _theta, origins, h) => flat(origins, h, (n) => y[n - 1] ?? 0),
};

const average: Core = {
  name: 'mean',
  parameters: [],
  walk: (y, _theta, origins, h) => flat(origins, h, (n) => mean(y, 0, n)),
};

const drift: Core = {
  name: 'drift',
  parameters: [],
  walk: (y, _theta, origins, h) =>
    origins.map((n) => {
      const last = y[n - 1] ?? 0;
      const slope = n > 1 ? (last - (y[0] ?? 0)) / (n - 1) : 0;
      return new Float64Array(h).map((_, k) => last + (k + 1) * slope);
    }),
};

/** Returns the levels after each origin (Brown 1959); the level starts at the first value. */
function levels(y: Float64Array, a: number, origins: readonly number[]): number[] {
  let level = y[0] ?? 0;
  let t = 1;
  return origins.map((n) => {
    for (; t < n; t++) level += a * ((y[t] ?? 0) - level);
    return level;
  });
}

const ses: Core = {
  name: 'ses',
  parameters: [alpha],
  walk: (y, [a = 0], origins, h) => levels(y, a, origins).map((level) => new Float64Array(h).fill(level)),
};

/**
 * Holt (1957), damped after Gardner and McKenzie (1985); the slope starts at the mean difference of the first ten values. The
 * path is level + (p + p² + … + p^k)·slope.
 */
function trended(
  y: Float64Array,
  [a = 0, b = 0, p = 1]: readonly number[],
  origins: readonly number[],
  h: number,
): Float64Array[] {
  const head = Math.min(9, y.length - 1);
  let level = y[0] ?? 0;
  let slope = head > 0 ? ((y[head] ?? 0) - level) / head : 0;
  let t = 1;
  return origins.map((n) => {
    for (; t < n; t++) {
      const before = level + p * slope;
      const e = (y[t] ?? 0) - before;
      level = before + a * e;
      slope = p * slope + a * b * e;
    }
    const path = new Float64Array(h);
    let sum = 0;
    let power = 1;
    for (let k = 0; k < h; k++) {
      power *= p;
      sum += power;
      path[k] = level + sum * slope;
    }
    return path;
  });
}

const holt: Core = { name: 'holt', parameters: [alpha, beta], walk: trended };

const damped: Core = { name: 'damped', parameters: [alpha, beta, phi], walk: trended };

/** Returns the least-squares slope of y[0..n) over time. */
function leastSquaresSlope(y: Float64Array, n: number): number {
  const centre = (n - 1) / 2;
  const middle = mean(y, 0, n);
  let above = 0;
  let below = 0;
  for (let t = 0; t < n; t++) {
    above += (t - centre) * ((y[t] ?? 0) - middle);
    below += (t - centre) * (t - centre);
  }
  return below > 0 ? above / below : 0;
}

/** Exponential smoothing that goes on with a share of the least-squares slope, in the closed form of Hyndman and Billah (2003). */
const sloped = (name: string, parameters: readonly Parameter[]): Core => ({
  name,
  parameters,
  walk: (y, [a = 0, part = share.start], origins, h) => {
    const level = levels(y, a, origins);
    return origins.map((n, i) => {
      const slope = part * leastSquaresSlope(y, n);
      const lag = (1 - pow(1 - a, n)) / a;
      return new Float64Array(h).map((_, k) => (level[i] ?? 0) + slope * (k + lag));
    });
  },
});

/** Theta (Assimakopoulos and Nikolopoulos 2000): half of the slope. */
const theta = sloped('theta', [alpha]);

/** The optimised Theta method (Fiorucci et al. 2016): the share of the slope, 1 − 1/θ, is fitted. */
export const optimisedTheta = sloped('optimised-theta', [alpha, share]);

export const cores: readonly Core[] = [naive, average, drift, ses, holt, damped, theta];
