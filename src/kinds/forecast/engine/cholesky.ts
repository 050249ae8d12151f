/** Least squares by Cholesky's factors of a symmetric matrix, of which the lower triangle is held, row by row. */
export type Triangle = readonly Float64Array[];

/**
 * Factors in place, and returns which rows say something of their own: a row of which at most the share `rest_min` is left beside those before it
 * gets an infinite pivot, which makes its coefficient 0.
 */
export const factorise = (rows: Triangle, rest_min: number): boolean[] =>
  rows.map((row, i) => {
    const whole = row[i] ?? 0;
    for (let j = 0; j <= i; j++) {
      const other = rows[j] ?? row;
      let sum = row[j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (row[k] ?? 0) * (other[k] ?? 0);
      if (j < i) row[j] = sum / (other[j] ?? 1);
      else row[i] = sum > rest_min * whole ? Math.sqrt(sum) : Infinity;
    }
    return row[i] !== Infinity;
  });

/** Returns the solution of factors · x = right. */
export function solveForward(factors: Triangle, right: Float64Array): Float64Array {
  const x = right.slice();
  for (let i = 0; i < x.length; i++) {
    let sum = x[i] ?? 0;
    for (let k = 0; k < i; k++) sum -= (factors[i]?.[k] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (factors[i]?.[i] ?? 1);
  }
  return x;
}

/** Returns the solution of the factors' transpose · x = right. */
export function solveBack(factors: Triangle, right: Float64Array): Float64Array {
  const x = right.slice();
  for (let i = x.length - 1; i >= 0; i--) {
    let sum = x[i] ?? 0;
    for (let k = i + 1; k < x.length; k++) sum -= (factors[k]?.[i] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (factors[i]?.[i] ?? 1);
  }
  return x;
}
