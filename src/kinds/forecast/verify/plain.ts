/**
 * The verifier's own forecasts of the methods that remove no season. Nothing here is shared with the engine. The order of additions and
 * multiplications is part of each method's definition, so both sides give the same double and are compared without tolerance.
 */
import { pow } from '../../../base/math.js';

export type Parameters = Readonly<Record<string, number>>;

export function plainPath(name: string, { alpha = 0, beta = 0, phi = 1 }: Parameters, y: Float64Array, h: number): Float64Array {
  const n = y.length;
  const last = y[n - 1] ?? 0;
  const fill = (f: (k: number) => number): Float64Array => Float64Array.from({ length: h }, (_, k) => f(k));
  if (name === 'naive') return fill(() => last);
  if (name === 'mean') {
    const centre = average(y, n);
    return fill(() => centre);
  }
  if (name === 'drift') {
    const slope = (last - (y[0] ?? 0)) / (n - 1);
    return fill((k) => last + (k + 1) * slope);
  }
  if (name === 'ses') {
    const level = smooth(y, alpha);
    return fill(() => level);
  }
  if (name === 'theta') {
    const level = smooth(y, alpha);
    const half = regressionSlope(y) / 2;
    const lag = (1 - pow(1 - alpha, n)) / alpha;
    return fill((k) => level + half * (k + lag));
  }
  return trendPath(y, alpha, beta, phi, h);
}

function average(y: Float64Array, n: number): number {
  let total = 0;
  for (let t = 0; t < n; t++) total += y[t] ?? 0;
  return total / n;
}

function smooth(y: Float64Array, alpha: number): number {
  let level = y[0] ?? 0;
  for (let t = 1; t < y.length; t++) level = level + alpha * ((y[t] ?? 0) - level);
  return level;
}

function regressionSlope(y: Float64Array): number {
  const middle = (y.length - 1) / 2;
  const centre = average(y, y.length);
  let top = 0;
  let bottom = 0;
  for (let t = 0; t < y.length; t++) {
    const away = t - middle;
    top += away * ((y[t] ?? 0) - centre);
    bottom += away * away;
  }
  return top / bottom;
}

function trendPath(y: Float64Array, alpha: number, beta: number, phi: number, h: number): Float64Array {
  const start = Math.min(9, y.length - 1);
  let level = y[0] ?? 0;
  let slope = ((y[start] ?? 0) - level) / start;
  for (let t = 1; t < y.length; t++) {
    const guess = level + phi * slope;
    const miss = (y[t] ?? 0) - guess;
    level = guess + alpha * miss;
    slope = phi * slope + alpha * beta * miss;
  }
  const path = new Float64Array(h);
  for (let k = 0, power = phi, sum = phi; k < h; k++, power *= phi, sum += power) path[k] = level + sum * slope;
  return path;
}

export function repeated(y: Float64Array, m: number, h: number): Float64Array {
  const cycle = y.slice(-m);
  return Float64Array.from({ length: h }, (_, k) => cycle[k % m] ?? 0);
}

/** Returns per phase Σ λ^age·y / Σ λ^age over its values, the oldest first. */
export function decayed(y: Float64Array, m: number, lambda: number, h: number): Float64Array {
  const path = new Float64Array(h);
  for (let k = 0; k < h; k++) {
    let top = 0;
    let bottom = 0;
    for (let t = (y.length + k) % m; t < y.length; t += m) {
      top = top * lambda + (y[t] ?? 0);
      bottom = bottom * lambda + 1;
    }
    path[k] = top / bottom;
  }
  return path;
}

export function autoregressive(y: Float64Array, parameters: Parameters, h: number): Float64Array {
  const centre = average(y, y.length);
  const terms = Object.entries(parameters).map(([key, c]) => ({ lag: Number(key.slice(4)), c }));
  terms.sort((a, b) => a.lag - b.lag);
  const known = Array.from(y, (v) => v - centre);
  for (let k = 0; k < h; k++) {
    let sum = 0;
    for (const { lag, c } of terms) sum += c * (known[known.length - lag] ?? 0);
    known.push(sum);
  }
  return Float64Array.from(known.slice(-h), (v) => v + centre);
}
