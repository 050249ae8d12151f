/** How the M competitions score a forecast. */

export interface Series {
  readonly id: string;
  readonly train: readonly number[];
  readonly test: readonly number[];
}

export const at = (list: readonly number[], i: number): number => list[i] ?? Number.NaN;

/** Returns the competition's benchmark: naive on the seasonally adjusted series when the autocorrelation test at 90 % finds a season. */
export function naive2(y: readonly number[], m: number, h: number): number[] {
  const index = m > 1 && isSeasonal(y, m) ? classicalIndices(y, m) : new Array<number>(m).fill(1);
  const n = y.length;
  const level = at(y, n - 1) / at(index, (n - 1) % m);
  return Array.from({ length: h }, (_, k) => level * at(index, (n + k) % m));
}

function isSeasonal(y: readonly number[], m: number): boolean {
  if (y.length < 3 * m) return false;
  const centre = y.reduce((sum, v) => sum + v, 0) / y.length;
  const total = y.reduce((sum, v) => sum + (v - centre) ** 2, 0);
  const r = Array.from(
    { length: m },
    (_, i) => y.slice(i + 1).reduce((sum, v, t) => sum + (v - centre) * (at(y, t) - centre), 0) / total,
  );
  const noise = r.slice(0, -1).reduce((sum, v) => sum + v * v, 0);
  return Math.abs(at(r, m - 1)) > 1.645 * Math.sqrt((1 + 2 * noise) / y.length);
}

/** Returns the indices of a classical multiplicative decomposition as in R's decompose(). */
function classicalIndices(y: readonly number[], m: number): number[] {
  const half = m / 2;
  const sums = new Array<number>(m).fill(0);
  const counts = new Array<number>(m).fill(0);
  for (let t = half; t < y.length - half; t++) {
    let total = (at(y, t - half) + at(y, t + half)) / 2;
    for (let j = t - half + 1; j < t + half; j++) total += at(y, j);
    sums[t % m] = at(sums, t % m) + at(y, t) / (total / m);
    counts[t % m] = at(counts, t % m) + 1;
  }
  const raw = sums.map((s, i) => s / at(counts, i));
  const centre = raw.reduce((sum, v) => sum + v, 0) / m;
  return raw.map((v) => v / centre);
}

export const smape = (test: readonly number[], path: readonly number[]): number =>
  test.reduce((sum, v, k) => sum + (200 * Math.abs(v - at(path, k))) / (Math.abs(v) + Math.abs(at(path, k))), 0) / test.length;

const scaleOf = (y: readonly number[], m: number): number =>
  y.slice(m).reduce((sum, v, t) => sum + Math.abs(v - at(y, t)), 0) / (y.length - m);

export const mase = (one: Series, path: readonly number[], m: number): number =>
  one.test.reduce((sum, v, k) => sum + Math.abs(v - at(path, k)), 0) / one.test.length / scaleOf(one.train, m);

/** Returns the mean scaled interval score at 95 % (Gneiting and Raftery 2007). */
export function msis(one: Series, lower: readonly number[], upper: readonly number[], m: number): number {
  const score = one.test.reduce(
    (sum, v, k) => sum + at(upper, k) - at(lower, k) + 40 * Math.max(0, at(lower, k) - v) + 40 * Math.max(0, v - at(upper, k)),
    0,
  );
  return score / one.test.length / scaleOf(one.train, m);
}
