/** Fronts of two objectives in O(n log n). */
import type { Fronts } from './fronts.js';

/**
 * Ranks points in lexicographic order. Within a front the second objective only falls, so its last value decides whether the
 * front dominates a point; these values rise from front to front.
 */
export function rankTwo(fronts: Fronts, objectives: Float64Array, n: number): void {
  const { order, rank, isCopy, tails } = fronts;
  let count = 0;
  for (let i = 0; i < n; i++) {
    const point = order[i] as number;
    if (isCopy[point] === 1) {
      rank[point] = rank[order[i - 1] as number] as number;
      continue;
    }
    const second = objectives[2 * point + 1] as number;
    let low = 0;
    let above = count;
    while (low < above) {
      const middle = (low + above) >>> 1;
      if ((tails[middle] as number) <= second) low = middle + 1;
      else above = middle;
    }
    tails[low] = second;
    rank[point] = low;
    if (low === count) count++;
  }
  fronts.count = count;
}
