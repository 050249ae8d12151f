/** Solves a symmetric positive definite system by Cholesky's factors; only the lower triangle is read, and it is overwritten. */
export function solve(matrix: Float64Array[], right: Float64Array): number[] {
  const at = (i: number, j: number): number => matrix[i]?.[j] ?? 0;
  const p = right.length;
  matrix.forEach((row, i) => {
    for (let j = 0; j <= i; j++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
      // A pivot that rounding has made zero or negative belongs to a lag without information: its coefficient is 0.
      if (i === j) row[j] = sum > 0 ? Math.sqrt(sum) : Infinity;
      else row[j] = sum / at(j, j);
    }
  });
  const z = new Array<number>(p).fill(0);
  for (let i = 0; i < p; i++) {
    let sum = right[i] ?? 0;
    for (let k = 0; k < i; k++) sum -= at(i, k) * (z[k] ?? 0);
    z[i] = sum / at(i, i);
  }
  for (let i = p - 1; i >= 0; i--) {
    let sum = z[i] ?? 0;
    for (let k = i + 1; k < p; k++) sum -= at(k, i) * (z[k] ?? 0);
    z[i] = sum / at(i, i);
  }
  return z;
}
