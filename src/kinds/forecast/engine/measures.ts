/** Errors of a path against the observed values (Hyndman and Koehler 2006). All sums in ascending order of time. */

export function meanAbsoluteError(actual: readonly number[], path: readonly number[]): number {
  let sum = 0;
  actual.forEach((v, k) => {
    sum += Math.abs(v - (path[k] ?? 0));
  });
  return sum / actual.length;
}

/** Returns the mean of 200·|a − f| / (|a| + |f|), in per cent; a step where both are 0 counts 0. */
export function symmetricPercentage(actual: readonly number[], path: readonly number[]): number {
  let sum = 0;
  actual.forEach((v, k) => {
    const f = path[k] ?? 0;
    const size = Math.abs(v) + Math.abs(f);
    if (size > 0) sum += (200 * Math.abs(v - f)) / size;
  });
  return sum / actual.length;
}

/** Returns the mean |y[t] − y[t − m]| over the training observations, the denominator of MASE; NaN where no two such values were observed. */
export function seasonalNaiveScale(train: Float64Array, m: number): number {
  let sum = 0;
  let count = 0;
  for (let t = m; t < train.length; t++) {
    const change = Math.abs((train[t] ?? 0) - (train[t - m] ?? 0));
    if (Number.isNaN(change)) continue;
    sum += change;
    count++;
  }
  return sum / count;
}
