/** Fronts of any number of objectives: ENS-BS of Zhang, Tian, Cheng and Jin, IEEE Trans. Evol. Comput. 19 (2015). */
import type { Fronts } from './fronts.js';

/**
 * Ranks points by comparing each with the members of a front, the newest first: O(m·n²) at worst, O(m·n·log n) when there are
 * many small fronts.
 */
export function rankMany(fronts: Fronts, objectives: Float64Array, n: number, m: number): void {
  const { order, rank, isCopy, head, next } = fronts;
  let count = 0;
  for (let i = 0; i < n; i++) {
    const point = order[i] as number;
    if (isCopy[point] === 1) {
      rank[point] = rank[order[i - 1] as number] as number;
      continue;
    }
    let low = 0;
    let above = count;
    while (low < above) {
      const middle = (low + above) >>> 1;
      if (dominates(fronts, middle, objectives, m, point)) low = middle + 1;
      else above = middle;
    }
    if (low === count) head[count++] = -1;
    next[point] = head[low] as number;
    head[low] = point;
    rank[point] = low;
  }
  fronts.count = count;
}

/**
 * Returns whether a member of the front is nowhere larger than `point`. All members precede the point in the order and differ
 * from it.
 */
function dominates({ head, next }: Fronts, front: number, objectives: Float64Array, m: number, point: number): boolean {
  for (let member = head[front] as number; member >= 0; member = next[member] as number) {
    let k = 1;
    while (k < m && (objectives[member * m + k] as number) <= (objectives[point * m + k] as number)) k++;
    if (k >= m) return true;
  }
  return false;
}
