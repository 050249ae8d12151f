/** Non-dominated sorting (all objectives minimised): which front each point belongs to, and the members of each front. */
import { rankMany } from './fronts-many.js';
import { newStairs, rankThree, type Stairs } from './fronts-three.js';
import { rankTwo } from './fronts-two.js';
import { listAll, newSorter, type Sorter, sortRows } from './order.js';

/** The fronts of up to `capacity` points, with the scratch space to find them; reused for every generation. */
export interface Fronts {
  readonly capacity: number;
  /** Front of each point, 0 for the non-dominated ones. */
  readonly rank: Int32Array;
  /** 1 for a point whose objectives equal those of a point with a smaller index. It has the same rank. */
  readonly isCopy: Uint8Array;
  /** Points sorted lexicographically by objectives, then by index. */
  readonly order: Int32Array;
  /** Points sorted by (front, order). */
  readonly members: Int32Array;
  /** Front k is members[start[k] … start[k + 1]). */
  readonly start: Int32Array;
  /** Number of fronts. */
  count: number;
  readonly sorter: Sorter;
  /** For two objectives: the second one of each front's last point. */
  readonly tails: Float64Array;
  /** For three objectives: a staircase for each front. */
  readonly stairs: Stairs | null;
  /** For other numbers of objectives: each front's point added last, and for each point the one added to its front before. */
  readonly head: Int32Array;
  readonly next: Int32Array;
}

export function newFronts(capacity: number, objectives: number): Fronts {
  const ints = (): Int32Array => new Int32Array(capacity);
  return {
    capacity,
    rank: ints(),
    isCopy: new Uint8Array(capacity),
    order: ints(),
    members: ints(),
    start: new Int32Array(capacity + 1),
    count: 0,
    sorter: newSorter(capacity),
    tails: new Float64Array(objectives === 2 ? capacity : 0),
    stairs: objectives === 3 ? newStairs(capacity) : null,
    head: ints(),
    next: ints(),
  };
}

/**
 * Ranks the first `n` rows of `objectives` (row-major, `m` columns, no NaN). A point dominates another when it is nowhere larger
 * and somewhere smaller (Deb et al. 2002). Points are taken in lexicographic order, in which none is dominated by a later one,
 * and the fronts are searched by bisection (Zhang et al. 2015, "efficient non-dominated sort"): a point joins the first front
 * that does not dominate it. O(n log n) for two objectives; for three see fronts-three, for others fronts-many.
 */
export function rankFronts(fronts: Fronts, objectives: Float64Array, n: number, m: number): void {
  const { order, stairs } = fronts;
  listAll(order, n);
  sortRows(fronts.sorter, objectives, m, order, 0, n);
  markCopies(fronts, objectives, n, m);
  if (m === 2) rankTwo(fronts, objectives, n);
  else if (m === 3 && stairs !== null) rankThree(fronts, stairs, objectives, n);
  else rankMany(fronts, objectives, n, m);
  group(fronts, n);
}

function markCopies({ order, isCopy }: Fronts, objectives: Float64Array, n: number, m: number): void {
  for (let i = 0; i < n; i++) {
    const here = (order[i] as number) * m;
    const before = i === 0 ? -1 : (order[i - 1] as number) * m;
    let k = i === 0 ? m + 1 : 0;
    while (k < m && (objectives[here + k] as number) === (objectives[before + k] as number)) k++;
    isCopy[order[i] as number] = k === m ? 1 : 0;
  }
}

/** Groups the points by a counting sort by front, which keeps the lexicographic order within each front. */
function group({ rank, order, members, start, count }: Fronts, n: number): void {
  start.fill(0, 0, count + 1);
  for (let i = 0; i < n; i++) {
    const front = (rank[i] as number) + 1;
    start[front] = (start[front] as number) + 1;
  }
  for (let front = 0; front < count; front++) start[front + 1] = (start[front] as number) + (start[front + 1] as number);
  for (let i = 0; i < n; i++) {
    const point = order[i] as number;
    const front = rank[point] as number;
    const place = start[front] as number;
    members[place] = point;
    start[front] = place + 1;
  }
  for (let front = count; front > 0; front--) start[front] = start[front - 1] as number;
  start[0] = 0;
}
