/** Linear systems of a few unknowns. */

/** Solves a square system with its right side in the last column, by elimination with pivoting; null when it is singular. */
export function solveLinear(system: Float64Array[], size: number): Float64Array | null {
  for (let c = 0; c < size; c++) {
    let top = c;
    for (let r = c + 1; r < size; r++) if (Math.abs(system[r]?.[c] ?? 0) > Math.abs(system[top]?.[c] ?? 0)) top = r;
    const pivot = system[top];
    const other = system[c];
    if (pivot === undefined || other === undefined || Math.abs(pivot[c] ?? 0) < 1e-13) return null;
    system[top] = other;
    system[c] = pivot;
    for (let r = 0; r < size; r++) {
      const line = system[r];
      if (r === c || line === undefined) continue;
      const by = (line[c] ?? 0) / (pivot[c] ?? 1);
      if (by !== 0) for (let k = c; k <= size; k++) line[k] = (line[k] ?? 0) - by * (pivot[k] ?? 0);
    }
  }
  return Float64Array.from({ length: size }, (_, c) => (system[c]?.[size] ?? 0) / (system[c]?.[c] ?? 1));
}
