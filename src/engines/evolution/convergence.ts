/** The convergence metric Υ of Deb et al. 2002, section V-B. */

/**
 * Returns the mean, over the rows of `objectives`, of the Euclidean distance to the nearest row of `front` (points of the true
 * front, evenly spaced; the paper takes 500). Both are row-major with `m` columns, in the same units. O(rows · front); 0 rows
 * give 0.
 */
export function convergence(objectives: Float64Array, front: Float64Array, m: number): number {
  const rows = objectives.length / m;
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += Math.sqrt(nearestSquared(objectives, i * m, front, m));
  return rows === 0 ? 0 : sum / rows;
}

function nearestSquared(objectives: Float64Array, row: number, front: Float64Array, m: number): number {
  let nearest = Infinity;
  for (let other = 0; other < front.length; other += m) {
    let squared = 0;
    for (let k = 0; k < m; k++) {
      const gap = (objectives[row + k] as number) - (front[other + k] as number);
      squared += gap * gap;
    }
    nearest = Math.min(nearest, squared);
  }
  return nearest;
}
