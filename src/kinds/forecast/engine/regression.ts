/**
 * The effects of regressors: a linear regression of the series on them beside a level, a trend and the waves of its seasons, whose errors
 * may be autocorrelated. The errors are a first-order autoregression, or a random walk with or without noise (Harvey 1989, structural time series):
 * those of a short list whose restricted likelihood is greatest (Patterson and Thompson 1971). A Kalman filter decorrelates the
 * rows of every column; generalised least squares are then plain ones (Kohn and Ansley 1985). Plain least squares would give intervals that are far
 * too narrow where errors are autocorrelated.
 */
import { round12 } from '../../../base/decimal.js';
import { cos, log, sin } from '../../../base/math.js';
import type { Effect } from '../result.js';
import { factorise, solveBack, solveForward, type Triangle } from './cholesky.js';
import { median } from './series.js';

type Column = Float64Array;

/** A regressor: a value for each observation and each step ahead. */
export interface Regressor {
  readonly name: string;
  readonly values: readonly number[];
}

export interface Regression {
  readonly effects: readonly Effect[];
  /** What the applied effects add to each observation and each step ahead, against the regressors' usual values. */
  readonly lift: Float64Array;
  /** The standard error of what they add to each step ahead. */
  readonly error: Float64Array;
}

// The columns beside the regressors.

/** Waves of a season: all of them up to this many, so that a season of at most 25 steps has any shape. */
const waves_max = 12;
const circle = 6.283185307179586;

/** Returns the level, the trend and the waves of the seasons, at most half as many as there are values; 0 where `y` is not known. */
function plainColumns(y: Column, seen: number, seasons: readonly number[]): Column[] {
  const column = (of: (t: number) => number): Column => y.map((v, t) => (Number.isNaN(v) ? 0 : of(t)));
  const columns = [column(() => 1), column((t) => (2 * t) / y.length - 1)];
  for (const m of seasons) {
    const angles = Float64Array.from({ length: m }, (_, t) => (circle * t) / m);
    const [cosines, sines] = [angles.map(cos), angles.map(sin)];
    for (let wave = 1; wave <= Math.min(waves_max, m / 2); wave++) {
      if (2 * (columns.length + 2) > seen) return columns;
      columns.push(column((t) => cosines[(t * wave) % m] ?? 0));
      if (2 * wave < m) columns.push(column((t) => sines[(t * wave) % m] ?? 0));
    }
  }
  return columns;
}

/** Returns the mean and the root mean square around it where `y` is known. */
function scaleOf(column: Column, y: Column): { readonly centre: number; readonly size: number } {
  let [sum, squares, count] = [0, 0, 0];
  y.forEach((v, t) => {
    if (Number.isNaN(v)) return;
    sum += column[t] ?? 0;
    count++;
  });
  const centre = sum / count;
  y.forEach((v, t) => {
    if (!Number.isNaN(v)) squares += ((column[t] ?? 0) - centre) * ((column[t] ?? 0) - centre);
  });
  return { centre, size: Math.sqrt(squares / count) };
}

const knownOf = (y: Column): number => y.reduce((count, v) => count + (Number.isNaN(v) ? 0 : 1), 0);

/** A column of which less than this share is left beside the columns before it says nothing of its own. */
const rest_min = 1e-7;

/** Returns the sum of the products, of every other one apart, so that additions need not wait for each other. */
function product(a: Column, b: Column): number {
  let [even, odd] = [0, 0];
  for (let t = 1; t < a.length; t += 2) {
    even += (a[t - 1] ?? 0) * (b[t - 1] ?? 0);
    odd += (a[t] ?? 0) * (b[t] ?? 0);
  }
  return a.length % 2 === 0 ? even + odd : even + odd + (a[a.length - 1] ?? 0) * (b[a.length - 1] ?? 0);
}

const productsOf = (columns: readonly Column[]): Triangle =>
  columns.map((a, i) => Float64Array.from({ length: i + 1 }, (_, j) => product(a, columns[j] ?? a)));

/** Returns which columns say something of their own. */
const freeOf = (columns: readonly Column[]): boolean[] => factorise(productsOf(columns), rest_min);

// Autocorrelated errors.

/** How the errors hang together: how much of an error's lasting part is still there a step later, and its share of the innovations. */
interface Persistence {
  readonly phi: number;
  readonly lasting: number;
}

/** Independent errors, autoregressions, and random walks with ever more noise. */
const persistences: readonly Persistence[] = [
  { phi: 0, lasting: 1 },
  { phi: 0.4, lasting: 1 },
  { phi: 0.8, lasting: 1 },
  { phi: 1, lasting: 1 },
  { phi: 1, lasting: 0.2 },
  { phi: 1, lasting: 0.03 },
];

/**
 * Returns the innovations of each column in units of their standard deviation, and the logarithm of the determinant of the errors'
 * covariance: a Kalman filter, whose gains are the same for all columns.
 */
function whitened(columns: readonly Column[], y: Column, { phi, lasting }: Persistence) {
  const gains = new Float64Array(y.length);
  const sizes = new Float64Array(y.length).fill(1);
  let variance = phi < 1 ? lasting / (1 - phi * phi) : lasting;
  let logDeterminant = 0;
  y.forEach((v, t) => {
    if (!Number.isNaN(v)) {
      const total = variance + 1 - lasting;
      gains[t] = variance / total;
      sizes[t] = Math.sqrt(total);
      logDeterminant += log(total);
      variance *= 1 - variance / total;
    }
    variance = phi * phi * variance + lasting;
  });
  const innovations = (column: Column): Column => {
    let state = 0;
    return column.map((v, t) => {
      const innovation = v - state;
      state = phi * (state + (gains[t] ?? 0) * innovation);
      // A row without a value has no gain.
      return gains[t] === 0 ? 0 : innovation / (sizes[t] ?? 1);
    });
  };
  return { columns: columns.map(innovations), logDeterminant };
}

/** The least mean square of residuals that is told from 0, in squares of the series' spread. */
const variance_min = 1e-24;

/**
 * Returns the fit of errors of a persistence, with the sum of the squared residuals of the decorrelated rows, and minus twice the restricted
 * log likelihood, without its constant. @param columns those that say something of their own, then the series
 */
function fitted(columns: readonly Column[], y: Column, persistence: Persistence) {
  const rows = whitened(columns, y, persistence);
  const factors = productsOf(rows.columns);
  factorise(factors, 0);
  const p = columns.length - 1;
  const freedom = knownOf(y) - p;
  const left = factors[p]?.[p] ?? 0;
  const residual = Math.max(left < Infinity ? left * left : 0, freedom * variance_min);
  let loss = freedom * log(residual / freedom) + rows.logDeterminant;
  for (let i = 0; i < p; i++) {
    const pivot = factors[i]?.[i] ?? 1;
    if (pivot < Infinity) loss += 2 * log(pivot);
  }
  return { persistence, factors, residual, loss };
}

/** Returns the 95 % quantile of Student's distribution: Abramowitz and Stegun 26.7.5, error below 0.002 from 3 degrees of freedom on. */
function student95(freedom: number): number {
  const z = 1.6448536269514722;
  const n = freedom;
  const z3 = z * z * z;
  const z5 = z3 * z * z;
  const z7 = z5 * z * z;
  return (
    z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n)
  );
}

/** The persistence of the errors is that of at most so many last values, so that a long series takes little longer. */
const errors_rows_max = 500;

/** Returns the fit of the likeliest errors. @param columns those that say something of their own, then the series */
function bestFit(columns: readonly Column[], y: Column) {
  const likeliest = (of: readonly Column[], rows: Column) =>
    persistences.map((each) => fitted(of, rows, each)).reduce((best, fit) => (fit.loss < best.loss ? fit : best));
  if (y.length <= errors_rows_max) return likeliest(columns, y);
  const last = columns.map((column) => column.subarray(-errors_rows_max));
  const isFree = freeOf(last);
  const kept = last.filter((_, i) => isFree[i] === true || i === last.length - 1);
  return fitted(columns, y, likeliest(kept, y.subarray(-errors_rows_max)).persistence);
}

/** The parameters of the errors, which were fitted too. */
const error_parameters = 2;
/** Degrees of freedom below which a regression says nothing. */
const freedom_min = 3;

/** Returns the regression's columns in units of their spread, so that none loses its digits beside another. */
function designOf(y: Float64Array, regressors: readonly Regressor[], seasons: readonly number[]) {
  const plain = plainColumns(y, knownOf(y) - 2 * regressors.length, seasons);
  const { centre, size } = scaleOf(y, y);
  const scaled = (values: Column, by: { readonly centre: number; readonly size: number }): Column =>
    y.map((v, t) => (by.size > 0 && !Number.isNaN(v) ? ((values[t] ?? 0) - by.centre) / by.size : 0));
  const given = regressors.map(({ values }) => Float64Array.from(values));
  const scales = given.map((values) => scaleOf(values, y));
  return {
    columns: [...plain, ...given.map((values, i) => scaled(values, scales[i] ?? { centre, size })), scaled(y, { centre, size })],
    /** The number of columns before the regressors. */
    plain: plain.length,
    /** What one unit of each regressor's coefficient is, in the units of the series. */
    units: scales.map((scale) => size / scale.size),
  };
}

/**
 * Returns the effects of the regressors on a series. One without a variation of its own has none; one whose interval holds 0 is not applied.
 * @param y the observations, NaN where one is missing
 */
export function regress(y: Float64Array, regressors: readonly Regressor[], seasons: readonly number[]): Regression {
  const { columns, plain, units } = designOf(y, regressors, seasons);
  const isFree = freeOf(columns);
  const kept = columns.filter((_, i) => isFree[i] === true || i === columns.length - 1);
  const own = regressors.flatMap((_, i) => (isFree[plain + i] === true ? [i] : []));
  const p = kept.length - 1;
  const freedom = knownOf(y) - p - error_parameters;
  if (own.length === 0 || freedom < freedom_min) return described(y.length, regressors, new Map());
  const best = bestFit(kept, y);
  const coefficients = solveBack(best.factors.slice(0, p), best.factors[p]?.slice(0, p) ?? new Float64Array(0));
  const found = own.map((regressor, i): readonly [number, Estimate] => {
    const place = p - own.length + i;
    const unit = units[regressor] ?? 0;
    const right = new Float64Array(p);
    right[place] = unit * Math.sqrt(best.residual / freedom);
    return [regressor, { effect: unit * (coefficients[place] ?? 0), row: solveForward(best.factors, right), freedom }];
  });
  return described(y.length, regressors, new Map(found));
}

interface Estimate {
  readonly effect: number;
  /** The products of two estimates' rows are their covariance. */
  readonly row: Float64Array;
  readonly freedom: number;
}

/** @param estimates by the place of the regressor */
function described(count: number, regressors: readonly Regressor[], estimates: ReadonlyMap<number, Estimate>): Regression {
  const effects = regressors.map(({ name }, i): Effect => {
    const found = estimates.get(i);
    if (found === undefined) return { name, effect: null, lower: null, upper: null, applied: 0 };
    const { effect, row, freedom } = found;
    const variance = product(row, row);
    const half = student95(freedom) * Math.sqrt(variance);
    const [lower, upper] = [round12(effect - half), round12(effect + half)];
    // An uncertain effect that is taken whole does a forecast more harm than good (James and Stein 1961).
    const applied = lower > 0 || upper < 0 ? round12(effect - variance / effect) : 0;
    return { name, effect: round12(effect), lower, upper, applied };
  });
  const lift = new Float64Array(regressors[0]?.values.length ?? 0);
  const width = Math.max(0, ...[...estimates.values()].map(({ row }) => row.length));
  const rows = Array.from({ length: lift.length - count }, () => new Float64Array(width));
  effects.forEach(({ applied }, i) => {
    const values = Float64Array.from(regressors[i]?.values ?? []);
    const row = estimates.get(i)?.row;
    if (applied === 0 || row === undefined) return;
    const usual = median(values.subarray(0, count));
    values.forEach((v, t) => {
      lift[t] = (lift[t] ?? 0) + applied * (v - usual);
    });
    rows.forEach((sum, t) => {
      const off = (values[count + t] ?? 0) - usual;
      for (let k = 0; k < width; k++) sum[k] = (sum[k] ?? 0) + (row[k] ?? 0) * off;
    });
  });
  return { effects, lift, error: Float64Array.from(rows, (row) => Math.sqrt(product(row, row))) };
}
