/** Small sums over series, each in ascending order of index. A series is a Float64Array, oldest value first. */

export function mean(y: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let t = from; t < to; t++) sum += y[t] ?? 0;
  return sum / (to - from);
}

export function lowest(y: Float64Array): number {
  let low = Infinity;
  for (const v of y) if (v < low) low = v;
  return low;
}

export function highest(y: Float64Array): number {
  let high = -Infinity;
  for (const v of y) if (v > high) high = v;
  return high;
}

/** Returns the median; NaN of no values. */
export function median(values: Float64Array): number {
  const sorted = values.slice().sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}
