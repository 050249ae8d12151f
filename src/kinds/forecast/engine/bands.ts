/** The bands of the holdout, from residuals of the training observations, and those of the forecast, from residuals of all observations. */
import { round12, round15 } from '../../../base/decimal.js';
import type { Band } from '../result.js';
import type { ForecastWork } from '../work.js';
import type { Series } from './base-series.js';
import { origins_max, type Plan } from './plan.js';
import { masePeriod } from './score.js';
import { log, pow } from '../../../base/math.js';
import { lowest, mean } from './series.js';

// The width of a prediction interval: a spread per step that widens with the step, times a factor per level. Both come
// from residuals of rolling origins, each forecast by models chosen without that origin, and lean on a shape and on a
// normal distribution as far as the residuals are few.

interface Residuals {
  /** The residuals of each path; NaN in the gaps of the series. */
  readonly rows: readonly Float64Array[];
  /** The number of observations that the residuals come from. */
  readonly count: number;
}

/** Number of separate paths by which the shape counts in the spread of a step. */
const shape_paths = 4;
/** Number of separate paths with the growth of a random walk that are mixed into the growth. */
const growth_paths = 6;
/** Number of separate paths with normal residuals that are mixed into the factor, because few paths determine a tail badly. */
const normal_paths = 6;
/**
 * Residuals are too small, because the parameters were fitted over them: by a share where whole paths fit into the series, else the more, the
 * fewer observations there are beyond the first ones; and more where the errors of a path hang together, so that few of them say something of
 * their own.
 */
const whole_correction = 0.1;
const observations_correction = 3.5;
const observations_first = 4;
const lasting_correction = 0.15;

/**
 * Returns how far an error grows from the first step to the k-th: as that of a random walk whose drift is estimated from n values. With too few
 * cycles for a season's index, which forecasts from the cycle before, the walk takes one step in a cycle.
 */
const growth = (k: number, n: number, { seasons, short }: Plan): number => {
  const cycle = seasons.length === 0 ? (short[short.length - 1] ?? 1) : 1;
  const step = 1 + (k - 1) / cycle;
  return Math.sqrt(step * (1 + step / n));
};

/** Returns the number of paths of k steps that do not overlap, of `count` paths. */
const separate = (count: number, k: number, { stride }: Plan): number => (count * stride) / Math.max(stride, k);

/**
 * Returns the power of the random walk's growth by which the errors grow, 0 to 1: the slope of their logarithm, shrunk towards 1 as far as
 * the paths are few.
 */
function growthPower(sums: Float64Array, counts: Float64Array, { rows, count: n }: Residuals, plan: Plan): number {
  let above = growth_paths;
  let below = growth_paths;
  const first = log((sums[0] ?? 0) / (counts[0] ?? 1));
  sums.forEach((sum, k) => {
    const x = log(growth(k + 1, n, plan));
    if (!(sum > 0) || !Number.isFinite(first)) return;
    const weight = separate(counts[k] ?? 0, k + 1, plan) / (k + 1);
    above += weight * x * (log(sum / (counts[k] ?? 1)) - first);
    below += weight * x * x;
  });
  return rows.length > 0 ? Math.min(1, Math.max(0, above / below)) : 1;
}

/** Returns the spread of each of h steps; it never falls. */
function spreads({ rows, count: n }: Residuals, plan: Plan, h: number): Float64Array {
  const sums = new Float64Array(plan.steps);
  const counts = new Float64Array(plan.steps);
  for (const row of rows) {
    row.forEach((e, k) => {
      if (Number.isNaN(e)) return;
      sums[k] = (sums[k] ?? 0) + Math.abs(e);
      counts[k] = (counts[k] ?? 0) + 1;
    });
  }
  const power = growthPower(sums, counts, { rows, count: n }, plan);
  const shape = (k: number): number => pow(growth(k + 1, n, plan), power);
  let above = 0;
  let below = 0;
  sums.forEach((sum, k) => {
    above += sum / (shape(k) * (k + 1));
    below += (counts[k] ?? 0) / (k + 1);
  });
  const pooled = above / below;
  const out = new Float64Array(h);
  let top = 0;
  for (let k = 0; k < h; k++) {
    const count = counts[k] ?? 0;
    const paths = separate(count, k + 1, plan);
    const shaped = pooled * shape(k);
    const spread = count > 0 ? (paths * ((sums[k] ?? 0) / count) + shape_paths * shaped) / (paths + shape_paths) : shaped;
    top = Math.max(top, spread);
    out[k] = top;
  }
  return out;
}

/** Returns the mean correlation, 0 to 1, of two errors of the same path. @param paths in units of the spread */
function lastingShare(paths: readonly (readonly number[])[]): number {
  let above = 0;
  let below = 0;
  for (const path of paths) {
    const sum = path.reduce((total, e) => total + e, 0);
    const squares = path.reduce((total, e) => total + e * e, 0);
    above += sum * sum - squares;
    below += (path.length - 1) * squares;
  }
  return below > 0 ? Math.min(1, Math.max(0, above / below)) : 0;
}

/** Returns the share by which a 95 % band is wider. @param units the residuals of each path in units of the spread */
function correctionOf(units: readonly (readonly number[])[], count: number, { isCut }: Plan): number {
  const few = isCut ? observations_correction / (count - observations_first) : whole_correction;
  return few + lasting_correction * lastingShare(units);
}

/** Returns z² + 1, to which the share by which a quantile of Student's t exceeds that of a normal distribution is proportional (Fisher and Cornish 1960). */
function excessAt(level: number): number {
  const z = normalQuantile(level);
  return z * z + 1;
}

/** Returns the `level` quantile of |residual| / spread over all origins and steps, mixed with that of a normal distribution. */
function factorFor(level: number, ratios: Float64Array, { rows }: Residuals, plan: Plan): number {
  const rank = Math.min(ratios.length - 1, Math.ceil((level / 100) * ratios.length));
  const seen = ratios[rank] ?? 0;
  // A normal variable's mean absolute value is √(2/π) of its standard deviation.
  const normal = normalQuantile(level) / 0.797884560802865;
  const paths = plan.isCut ? separate(rows.length, plan.steps, plan) : rows.length;
  return (paths * seen + normal_paths * normal) / (paths + normal_paths);
}

/** Returns the residuals of each path in units of the spread, without gaps. A step without spread has no residuals either and is left out. */
const unitsOf = ({ rows }: Residuals, spread: Float64Array): number[][] =>
  rows.map((row) => Array.from(row, (e, k) => e / (spread[k] ?? 0)).filter(Number.isFinite));

/** Returns z with P(|Z| ≤ z) = level/100: Abramowitz and Stegun 26.2.23, error below 4.5e-4. */
function normalQuantile(level: number): number {
  const tail = (1 - level / 100) / 2;
  const t = Math.sqrt(-2 * log(tail));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

// How the errors of a positive series grow with its level: their size is taken to follow a power of the level.

/** Sum of squares by which the power is shrunk towards 0, so that only a level that moves far counts. */
const ridge = 6;
const pairs_min = 3;

/** Returns the mean of the last values before index n: those of a season, at least two. */
const levelAt = (y: Float64Array, n: number, m: number): number => mean(y, n - Math.max(2, m), n);

/** Returns the power, 0 to 1: the slope of the logarithm of the seasonal change over that of the level; 0 for values that are not positive. */
function levelPower(y: Float64Array, m: number): number {
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
  const level = mean(Float64Array.from(levels), 0, levels.length);
  const change = mean(Float64Array.from(changes), 0, levels.length);
  let above = 0;
  let below = 0;
  levels.forEach((x, i) => {
    above += (x - level) * ((changes[i] ?? 0) - change);
    below += (x - level) * (x - level);
  });
  return round12(Math.min(1, Math.max(0, above / (below + ridge))));
}

/** Returns the factor from an error at one level to one at another. */
const levelRatio = (to: number, from: number, power: number): number => (power > 0 ? pow(to / from, power) : 1);

export type Bands = Readonly<ReturnType<typeof bandsOf>>;

/** A path of the combination, and the number of values before it. */
export interface TrialPath {
  readonly origin: number;
  readonly path: Float64Array;
}

interface KnownSeries extends Pick<Series, 'values' | 'observed' | 'outliers' | 'step' | 'regression'> {
  /** What paths are compared with; NaN in gaps. */
  readonly known: Float64Array;
}

/** Returns the bands of the steps after a series. */
export function bandsOf(
  { levels, horizon, holdout, may_be_negative }: ForecastWork,
  plan: Plan,
  { values: y, known: actual, observed, outliers, step, regression }: KnownSeries,
  tried: readonly TrialPath[],
) {
  const period = masePeriod(plan);
  // Whole paths fit only into the end of a long series, where the level is that of the forecast.
  const power = plan.isCut ? levelPower(y, period) : 0;
  const last = levelAt(y, y.length, period);
  const rows = tried.map(({ origin, path }) => {
    const ratio = levelRatio(last, levelAt(y, origin, period), power);
    return path.subarray(0, Math.min(plan.steps, y.length - origin)).map((v, k) => ((actual[origin + k] ?? 0) - v) * ratio);
  });
  const residuals: Residuals = { rows: rows.filter((row) => !row.every(Number.isNaN)), count: y.length };
  const spread = spreads(residuals, plan, Math.max(horizon, holdout));
  const units = unitsOf(residuals, spread);
  const ratios = Float64Array.from(units.flat(), Math.abs).sort();
  const correction = correctionOf(units, y.length, plan);
  const factors = levels.map((level) => {
    const factor = (1 + (correction * excessAt(level)) / excessAt(95)) * factorFor(level, ratios, residuals, plan);
    return { level, factor: round12(factor) };
  });
  // What replaces an outlier, such as the mean of its neighbours, may be negative or a fraction where no observation is.
  const seen = observed.filter((v, t) => !Number.isNaN(v) && outliers.every(({ index }) => index !== t));
  const isNonnegative = may_be_negative !== true && lowest(seen) >= 0;
  const { lift, error } = regression ?? { lift: new Float64Array(0), error: new Float64Array(0) };
  const usual = observed.map((v, t) => (t < lift.length ? Math.max(0, v - (lift[t] ?? 0)) : v)).filter((v) => !Number.isNaN(v));
  return {
    factors,
    spread,
    power,
    /** The bounds of a series that is never negative are not below 0; those of whole numbers are whole. */
    isNonnegative,
    isWhole: isNonnegative && seen.every(Number.isInteger),
    /** The last value, where it alone has moved the level, and by how much: bands hold it, and the path without it too. */
    doubt: step?.index === y.length - 1 ? { value: y[y.length - 1] ?? 0, shift: step.shift } : null,
    /** The observed values in ascending order, of an intermittent series: its bounds are their quantiles. */
    values: isNonnegative && plan.isIntermittent ? usual.sort() : null,
    /** What regressors add at each step, and its standard error; empty without regressors. */
    lift: lift.subarray(y.length),
    error,
  };
}

/** What logarithms and exponentials lose by rounding, as a share: the interval of a growth that repeats exactly holds the next value too. */
const rounding = 1e-14;

export function bandsAround(bands: Bands, path: readonly number[]): Band[] {
  // Every step holds the last value itself, where it alone says that the level moved.
  const { value } = bands.doubt ?? {};
  const lifts = path.map((_, k) => bands.lift[k] ?? 0);
  const apart = value === undefined ? 0 : Math.max(...path.map((v, k) => Math.abs(value - (v - (lifts[k] ?? 0)))));
  return bands.factors.map(({ level, factor }) => {
    const bounds = path.map((v, k) => {
      const half = apart + factor * (bands.spread[k] ?? 0);
      const error = bands.error[k] ?? 0;
      const wide = error > 0 ? normalQuantile(level) * error : 0;
      const whole = wide > 0 ? Math.sqrt(half * half + wide * wide) : half;
      return boundsAt(bands, level, v, whole > 0 ? Math.max(whole, rounding * Math.abs(v)) : 0, lifts[k] ?? 0);
    });
    return { level, lower: bounds.map(([low]) => low), upper: bounds.map(([, high]) => high) };
  });
}

function boundsAt(
  { isNonnegative, isWhole, values, doubt }: Bands,
  level: number,
  v: number,
  half: number,
  lift: number,
): readonly [number, number] {
  if (values !== null) {
    const high = round15(Math.max(quantile(values, level) + lift, v));
    return [0, isWhole ? Math.ceil(high) : high];
  }
  const { shift } = doubt ?? { shift: 0 };
  const below = v - half - Math.max(0, shift);
  const high = v + half - Math.min(0, shift);
  const low = isNonnegative ? Math.max(0, below) : below;
  if (!isWhole) return [round15(low), round15(high)];
  return [Math.min(Math.floor(v), Math.round(low)), Math.max(Math.ceil(v), Math.round(high))];
}

/** Returns the least value that `level` per cent of the values, and of one more, do not exceed. @param values ascending */
const quantile = (values: Float64Array, level: number): number =>
  values[Math.min(values.length, Math.ceil((level / 100) * (values.length + 1))) - 1] ?? 0;

/** Returns the origins in the holdout, whose errors enter the bands of the forecast once the holdout is measured. */
export function holdoutOrigins({ trainCount, stride }: Plan, count: number): number[] {
  const step = Math.max(stride, Math.ceil((count - trainCount) / origins_max));
  const origins: number[] = [];
  for (let o = trainCount; o < count; o += step) origins.push(o);
  return origins;
}
