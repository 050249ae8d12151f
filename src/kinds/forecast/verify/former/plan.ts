/** The reading of a request as of version 1.0.0: seasons, origins, and the models and parameters that a result must contain. */
import type { ForecastWork } from '../../work.js';

export interface Outline {
  readonly values: Float64Array;
  readonly trainCount: number;
  readonly full: readonly number[];
  readonly naiveOnly: readonly number[];
  readonly leftOut: readonly number[];
  readonly pathSteps: number;
  readonly earliest: number;
  readonly starts: readonly number[];
  readonly memory: number;
}

export function outline(work: ForecastWork): Outline {
  const values = Float64Array.from(work.observations);
  const trainCount = values.length - work.holdout;
  const given = [...(work.seasons ?? [])];
  if (work.season !== 'auto') given.push(work.season);
  else if (work.seasons === undefined) given.push(strongestPeriod(values.slice(0, trainCount)));
  const lengths = [...new Set(given)].filter((m) => m >= 2).sort((a, b) => a - b);
  const full = lengths.filter((m) => trainCount >= 2 * m + 3);
  const naiveOnly = lengths.filter((m) => trainCount < 2 * m + 3 && trainCount >= m + 3);
  const earliest = Math.max(4, ...full.map((m) => 2 * m), ...naiveOnly);
  const pathSteps = Math.max(
    1,
    Math.min(work.horizon > work.holdout ? work.horizon : work.holdout, trainCount >> 2, trainCount - earliest - 2),
  );
  const starts: number[] = [];
  const stride = Math.max(1, pathSteps >> 1);
  for (let i = 23; i >= 0; i--) {
    const start = trainCount - pathSteps - i * stride;
    if (start >= earliest) starts.push(start);
  }
  const leftOut = lengths.filter((m) => trainCount < m + 3);
  return {
    values,
    trainCount,
    full,
    naiveOnly,
    leftOut,
    pathSteps,
    earliest,
    starts,
    memory: Math.max(3000, 8 * Math.max(0, ...lengths)),
  };
}

/**
 * Returns the shortest peak of the differences' autocorrelation within a tenth of the highest, over the last 6000 values; 1 for
 * none.
 */
export function strongestPeriod(train: Float64Array): number {
  const tail = train.slice(-6000);
  const steps = tail.slice(1).map((v, t) => v - (tail[t] ?? 0));
  const size = steps.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  if (size === 0) return 1;
  const scaled = steps.map((v) => v / size);
  const middle = scaled.reduce((sum, v) => sum + v, 0) / scaled.length;
  const centred = scaled.map((v) => v - middle);
  const covariance = (lag: number): number => {
    let sum = 0;
    for (let t = lag; t < centred.length; t++) sum += (centred[t] ?? 0) * (centred[t - lag] ?? 0);
    return sum / (centred.length - lag);
  };
  const variance = covariance(0);
  if (!(variance > 0)) return 1;
  const top = Math.min(1000, Math.floor(tail.length / 3));
  const r = Array.from({ length: top + 1 }, (_, lag) => covariance(lag) / variance);
  const isPeak = (lag: number): boolean => (r[lag] ?? 0) > (r[lag - 1] ?? 0) && (r[lag] ?? 0) >= (r[lag + 1] ?? 0);
  const peaks = r.map((_, lag) => lag).filter((lag) => lag >= 2 && isPeak(lag));
  const best = Math.max(0, ...peaks.map((lag) => r[lag] ?? 0));
  const least = Math.max(0.3, 3 / Math.sqrt(centred.length), 0.9 * best);
  return peaks.find((lag) => (r[lag] ?? 0) >= least) ?? 1;
}

/** A parameter's range and the number of grid steps in 1. */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly grid: number;
}

const range = (low: number, high: number, grid = 1000): Range => ({ low, high, grid });
const smoothing = range(0.01, 0.99);

const shapes: Readonly<Record<string, Readonly<Record<string, Range>>>> = {
  naive: {},
  mean: {},
  drift: {},
  ses: { alpha: smoothing },
  theta: { alpha: smoothing },
  holt: { alpha: smoothing, beta: range(0, 0.5) },
  damped: { alpha: smoothing, beta: range(0, 0.5), phi: range(0.8, 0.98) },
};

export type Expected = ReadonlyMap<string, Readonly<Record<string, Range>>>;

/** What the models depend on. */
type Lengths = Pick<Outline, 'values' | 'trainCount' | 'full' | 'naiveOnly' | 'earliest' | 'memory'>;

/** Returns every model that the result must contain, in order of name, with its parameters. */
export function expectedModels(plan: Lengths): Expected {
  const rows = new Map<string, Readonly<Record<string, Range>>>(Object.entries(shapes));
  const lags = lagsOf(plan);
  if (lags.length > 0)
    rows.set('autoregression', Object.fromEntries(lags.map((lag) => [`lag_${lag}`, range(-100, 100, 1_000_000)])));
  for (const m of [...plan.full, ...plan.naiveOnly]) {
    rows.set(`seasonal-naive-${m}`, {});
    rows.set(`weighted-seasonal-naive-${m}`, { lambda: range(0, 1) });
  }
  const positive = plan.values.subarray(0, plan.trainCount).every((v) => v > 0);
  for (const form of plan.full.length === 0 ? [] : positive ? ['additive', 'multiplicative'] : ['additive']) {
    for (const [name, parameters] of Object.entries(shapes)) rows.set(`${name}-${form}`, parameters);
    const gammas = plan.full.map((_, i): [string, Range] => [`gamma${i + 1}`, range(0, 0.6)]);
    rows.set(`holt-winters-${form}`, {
      alpha: range(0, 0.9),
      beta: range(0, 0.3),
      rho: range(0, 0.98),
      ...Object.fromEntries(gammas),
    });
  }
  return new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function lagsOf(plan: Lengths): number[] {
  const all = [1, 2, 3, ...plan.full.flatMap((m) => [m - 1, m, m + 1])];
  const first = plan.full[0];
  if (first !== undefined) {
    const reach = Math.max(...plan.full) + first;
    if (2 * first <= reach) all.push(2 * first - 1, 2 * first + 1);
    for (let lag = 2 * first; lag <= Math.min(8 * first, reach); lag += first) all.push(lag);
  }
  const lags = [...new Set(all)].filter((lag) => lag >= 1 && lag < plan.earliest).sort((a, b) => a - b);
  const seen = Math.min(plan.trainCount, plan.memory);
  let count = lags.length;
  while (count > 0 && 4 * count > seen - (lags[count - 1] ?? 0)) count -= 1;
  return lags.slice(0, count);
}
