/**
 * A linear autoregression on the series less its mean, over the last steps and the neighbourhood of each season's lags (a subset
 * ARMA without the moving-average part; Box and Jenkins 1970). Its coefficients are least squares with a slight ridge.
 */
import { round12 } from '../../../base/decimal.js';
import { factorise, solveBack, solveForward } from './cholesky.js';
import type { Core } from './cores.js';
import { highest, lowest, mean } from './series.js';

const coefficient_grid = 1_000_000;
const ridge = 1e-3;
const rows_per_lag_min = 4;
const multiples_max = 8;

/**
 * Returns lags 1..3, those around each season's length, and multiples of the shortest below the longest plus one. Ascending,
 * below `limit`.
 */
export function lagsFor(seasons: readonly number[], trainCount: number, limit: number): number[] {
  const [shortest = 0] = seasons;
  const longest = seasons[seasons.length - 1] ?? 0;
  const found = new Set([1, 2, 3]);
  for (const m of seasons) for (const lag of [m - 1, m, m + 1]) found.add(lag);
  for (let j = 2; j <= multiples_max && j * shortest <= longest + shortest; j++) {
    found.add(j * shortest);
    if (j === 2) found.add(j * shortest - 1).add(j * shortest + 1);
  }
  const lags = [...found].filter((lag) => lag >= 1 && lag < limit).sort((a, b) => a - b);
  while (lags.length > 0 && lags.length * rows_per_lag_min > trainCount - (lags[lags.length - 1] ?? 0)) lags.pop();
  return lags;
}

export const autoregression = (lags: readonly number[]): Core => ({
  name: 'autoregression',
  parameters: lags.map((lag) => ({ name: `lag_${lag}`, min: -100, max: 100, start: 0 })),
  solve: (y) => leastSquares(y, lags),
  walk: (y, theta, origins, h) => origins.map((n) => path(y, n, lags, theta, h)),
});

function path(y: Float64Array, n: number, lags: readonly number[], theta: readonly number[], h: number): Float64Array {
  const centre = mean(y, 0, n);
  const x = new Float64Array(n + h);
  for (let t = 0; t < n; t++) x[t] = (y[t] ?? 0) - centre;
  for (let t = n; t < n + h; t++) {
    let sum = 0;
    for (let i = 0; i < lags.length; i++) sum += (theta[i] ?? 0) * (x[t - (lags[i] ?? 0)] ?? 0);
    x[t] = sum;
  }
  return x.subarray(n).map((v) => v + centre);
}

/** Returns the coefficients on a grid of millionths; the series is scaled to 1 first, so that no square over- or underflows. */
function leastSquares(y: Float64Array, lags: readonly number[]): number[] {
  const p = lags.length;
  const scale = highest(y) - lowest(y);
  if (!(scale > 0)) return lags.map(() => 0);
  const centre = mean(y, 0, y.length);
  const x = y.map((v) => (v - centre) / scale);
  const from = lags[p - 1] ?? 0;
  const matrix = Array.from({ length: p }, () => new Float64Array(p));
  const right = new Float64Array(p);
  lags.forEach((a, i) => {
    const row = matrix[i] ?? new Float64Array(p);
    for (let j = 0; j <= i; j++) row[j] = product(x, a, lags[j] ?? 0, from);
    right[i] = product(x, a, 0, from);
  });
  const weight = (ridge * product(x, 0, 0, 0)) / x.length;
  matrix.forEach((row, i) => {
    row[i] = (row[i] ?? 0) + weight;
  });
  // A lag without information gets the coefficient 0.
  factorise(matrix, 0);
  return Array.from(solveBack(matrix, solveForward(matrix, right)), (c) =>
    round12(Math.round(Math.min(100, Math.max(-100, c)) * coefficient_grid) / coefficient_grid),
  );
}

/** Returns the sum of x[t − a]·x[t − b] for t from `from`. */
function product(x: Float64Array, a: number, b: number, from: number): number {
  let sum = 0;
  for (let t = from; t < x.length; t++) sum += (x[t - a] ?? 0) * (x[t - b] ?? 0);
  return sum;
}
