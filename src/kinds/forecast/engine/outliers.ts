/**
 * Finds single values (or pairs) that stand far outside the series around them, such as a wrong decimal point, and replaces them. A
 * value counts as an outlier when it exceeds (or falls below) its neighbours on both sides by many times the usual change from
 * one value to the next, and no less extreme value comes close to it: peaks that recur are a season and not outliers. A step to another
 * level is none, because the values after it stay there.
 */
import type { ForecastWork } from '../work.js';
import type { Outlier } from '../result.js';
import { median } from './series.js';

const reach = 2;
/** Changes on each side of a value that give its usual change. */
const nearby = 8;
const ratio_min = 10;
/** The most extreme values count as outliers only where the next one is less extreme by this factor. */
const gap_min = 2;
const share_max = 0.05;
const outliers_max = 20;
/** The least usual change, as a share of the median absolute value: a constant series has outliers too. */
const change_min = 0.01;
const edge_changes = 2 * nearby;
/** A first or last value has one side only, and is compared with the largest change near it times this. */
const edge_factor = 2;

export interface CleanSeries {
  readonly values: Float64Array;
  readonly outliers: readonly Outlier[];
}

/**
 * Returns the series with its outliers replaced. What stands for a gap is none, and a last value, which may begin a step, only where the
 * mission says so. @param seen the series with NaN in its gaps
 */
export function withoutOutliers(y: Float64Array, seen: Float64Array, { outliers }: Pick<ForecastWork, 'outliers'>): CleanSeries {
  const last = y.length - 1;
  const found = outliers === 'keep' ? [] : outlierIndices(y, seen).filter((t) => t < last || outliers === 'replace');
  if (found.length === 0) return { values: y, outliers: [] };
  const out = new Set(found);
  const values = y.map((v, t) => (out.has(t) ? between(y, t, out) : v));
  return { values, outliers: found.map((t) => ({ index: t, value: y[t] ?? 0, replacement: values[t] ?? 0 })) };
}

/**
 * Returns the value at t on the line between the nearest values that are not outliers; at an end, the nearest one continued by the median
 * of the changes near it.
 */
function between(y: Float64Array, t: number, out: ReadonlySet<number>): number {
  let a = t - 1;
  while (out.has(a)) a--;
  let b = t + 1;
  while (out.has(b)) b++;
  if (a < 0) return (y[b] ?? 0) - (b - t) * drift(y, b, Math.min(y.length, b + edge_changes + 1), out);
  const before = y[a] ?? 0;
  if (b >= y.length) return before + (t - a) * drift(y, Math.max(0, a - edge_changes), a + 1, out);
  return before + (((y[b] ?? 0) - before) * (t - a)) / (b - a);
}

/** Returns the median change between neighbours in y[from..to) of which neither is an outlier; 0 without any. */
function drift(y: Float64Array, from: number, to: number, out: ReadonlySet<number>): number {
  const changes: number[] = [];
  for (let t = from + 1; t < to; t++) if (!out.has(t) && !out.has(t - 1)) changes.push((y[t] ?? 0) - (y[t - 1] ?? 0));
  return changes.length > 0 ? median(Float64Array.from(changes)) : 0;
}

/** Returns the indices of the outliers, ascending. */
function outlierIndices(y: Float64Array, seen: Float64Array): number[] {
  const n = y.length;
  const changes = new Float64Array(n - 1);
  for (let t = 0; t < n - 1; t++) changes[t] = Math.abs((y[t + 1] ?? 0) - (y[t] ?? 0));
  const usual = Math.max(median(changes), change_min * median(y.map(Math.abs)));
  if (!(usual > 0)) return [];
  const ratios = new Float64Array(n);
  for (let t = 0; t < n; t++) {
    if (Number.isNaN(seen[t])) continue;
    const height = Math.max(spike(y, t, 1), spike(y, t, -1));
    if (height > usual * (ratio_min / gap_min)) ratios[t] = height / Math.max(usual, changeNear(changes, t, n));
  }
  const order = Array.from(ratios.keys())
    .filter((t) => (ratios[t] ?? 0) > 0)
    .sort((a, b) => (ratios[b] ?? 0) - (ratios[a] ?? 0) || a - b);
  const most = Math.min(outliers_max, Math.max(1, Math.floor(n * share_max)));
  const ratioOf = (i: number): number => ratios[order[i] ?? n] ?? 0;
  let count = 0;
  for (let i = 0; i < most; i++) if (ratioOf(i) >= ratio_min && ratioOf(i) >= gap_min * ratioOf(i + 1)) count = i + 1;
  return order.slice(0, count).sort((a, b) => a - b);
}

/**
 * Returns how far the value exceeds (for sign −1: falls below) both sides. A side is the nearer of two values to the left or to the right
 * that differs more; at an end of the series it is the one that differs less.
 */
function spike(y: Float64Array, t: number, sign: number): number {
  const v = y[t] ?? 0;
  const side = (direction: number): number | null => {
    const edge = t === 0 || t === y.length - 1;
    let height: number | null = null;
    for (let j = 1; j <= reach; j++) {
      const at = t + direction * j;
      if (at < 0 || at >= y.length) break;
      const above = sign * (v - (y[at] ?? 0));
      if (height === null || (edge ? above < height : above > height)) height = above;
    }
    return height;
  };
  const left = side(-1);
  const right = side(1);
  if (left === null || right === null) return left ?? right ?? 0;
  return Math.min(left, right);
}

/** Returns the median of the changes near t; at an end of the series, a multiple of the largest of them. */
function changeNear(changes: Float64Array, t: number, n: number): number {
  if (t === 0) return edge_factor * largest(changes.subarray(1, edge_changes + 1));
  if (t === n - 1) return edge_factor * largest(changes.subarray(Math.max(0, n - 2 - edge_changes), n - 2));
  return median(changes.subarray(Math.max(0, t - nearby), Math.min(changes.length, t + nearby)));
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const v of values) most = Math.max(most, v);
  return most;
}
