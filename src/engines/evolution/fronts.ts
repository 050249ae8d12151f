/** Non-dominated sorting (all objectives minimised): which front each point belongs to, and the members of each front. */
import { listAll, newSorter, sortRows } from './order.js';

/** The fronts of up to `capacity` points, with the scratch space to find them; reused for every generation. */
export type Fronts = ReturnType<typeof newFronts>;

export function newFronts(capacity: number, objectives: 2 | 3) {
  const ints = (): Int32Array => new Int32Array(capacity);
  return {
    /** Front of each point, 0 for the non-dominated ones. */
    rank: ints(),
    /** 1 for a point whose objectives equal those of a point with a smaller index. It has the same rank. */
    isCopy: new Uint8Array(capacity),
    /** Points sorted lexicographically by objectives, then by index. */
    order: ints(),
    /** Points sorted by (front, order). */
    members: ints(),
    /** Front k is members[start[k] … start[k + 1]). */
    start: new Int32Array(capacity + 1),
    /** Number of fronts. */
    count: 0,
    sorter: newSorter(capacity),
    /** For two objectives: the second one of each front's last point. */
    tails: new Float64Array(objectives === 2 ? capacity : 0),
    /** For three objectives: a staircase for each front. */
    stairs: objectives === 3 ? newStairs(capacity) : null,
  };
}

/**
 * Ranks the first `n` rows of `objectives` (row-major, `m` columns, no NaN). A point dominates another when it is nowhere larger
 * and somewhere smaller (Deb et al. 2002). Points are taken in lexicographic order, in which none is dominated by a later one,
 * and the fronts are searched by bisection (Zhang et al. 2015, "efficient non-dominated sort"): a point joins the first front
 * that does not dominate it. O(n log n) for two objectives; for three see `rankThree`.
 */
export function rankFronts(fronts: Fronts, objectives: Float64Array, n: number, m: 2 | 3): void {
  const { order, stairs } = fronts;
  listAll(order, n);
  sortRows(fronts.sorter, objectives, m, order, 0, n);
  markCopies(fronts, objectives, n, m);
  if (stairs === null) rankTwo(fronts, objectives, n);
  else rankThree(fronts, stairs, objectives, n);
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

/**
 * Ranks points in lexicographic order. Within a front the second objective only falls, so its last value decides whether the
 * front dominates a point; these values rise from front to front.
 */
function rankTwo(fronts: Fronts, objectives: Float64Array, n: number): void {
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

/**
 * Staircases in one pool: that of front k is at `offset[k]`, `size[k]` steps in a block of `room[k]`. From step to step `second`
 * rises and `third` falls. A full staircase moves to a block of twice the room at the pool's end. Since a staircase never holds
 * more steps than its front has points, all blocks together stay below four times the number of points.
 */
type Stairs = ReturnType<typeof newStairs>;

const newStairs = (capacity: number) => ({
  second: new Float64Array(4 * capacity),
  third: new Float64Array(4 * capacity),
  offset: new Int32Array(capacity),
  room: new Int32Array(capacity),
  size: new Int32Array(capacity),
  used: 0,
});

/**
 * Ranks points that come in lexicographic order, so a front dominates a point when a step of its staircase is nowhere larger in
 * the other two objectives. O(log n · log n) comparisons for a point, and the shift of one staircase.
 */
function rankThree(fronts: Fronts, stairs: Stairs, objectives: Float64Array, n: number): void {
  const { order, rank, isCopy } = fronts;
  let count = 0;
  stairs.used = 0;
  for (let i = 0; i < n; i++) {
    const point = order[i] as number;
    if (isCopy[point] === 1) {
      rank[point] = rank[order[i - 1] as number] as number;
      continue;
    }
    const second = objectives[3 * point + 1] as number;
    const third = objectives[3 * point + 2] as number;
    let low = 0;
    let above = count;
    while (low < above) {
      const middle = (low + above) >>> 1;
      if (stairsDominate(stairs, middle, second, third)) low = middle + 1;
      else above = middle;
    }
    if (low === count) open(stairs, count++);
    add(stairs, low, second, third);
    rank[point] = low;
  }
  fronts.count = count;
}

function open(stairs: Stairs, front: number): void {
  stairs.offset[front] = stairs.used;
  stairs.room[front] = 2;
  stairs.size[front] = 0;
  stairs.used += 2;
}

/**
 * Returns the first step of the front at or after which `second` is at least `y` (`orEqual` false: larger than `y`), as a place
 * in the pool.
 */
function placeOf(stairs: Stairs, front: number, y: number, orEqual: boolean): number {
  let low = stairs.offset[front] as number;
  let above = low + (stairs.size[front] as number);
  while (low < above) {
    const middle = (low + above) >>> 1;
    const step = stairs.second[middle] as number;
    if (step < y || (step === y && !orEqual)) low = middle + 1;
    else above = middle;
  }
  return low;
}

/** Returns whether the front dominates the point. The last step with second ≤ y has the least third of all such steps. */
function stairsDominate(stairs: Stairs, front: number, y: number, z: number): boolean {
  const after = placeOf(stairs, front, y, false);
  return after > (stairs.offset[front] as number) && (stairs.third[after - 1] as number) <= z;
}

/** Adds a step that no other dominates, and drops those it dominates: a run of steps that begins at the new step's place. */
function add(stairs: Stairs, front: number, y: number, z: number): void {
  if ((stairs.size[front] as number) === (stairs.room[front] as number)) grow(stairs, front);
  const { second, third } = stairs;
  const end = (stairs.offset[front] as number) + (stairs.size[front] as number);
  const here = placeOf(stairs, front, y, true);
  let kept = here;
  while (kept < end && (third[kept] as number) >= z) kept++;
  if (kept !== here + 1 && kept < end) {
    second.copyWithin(here + 1, kept, end);
    third.copyWithin(here + 1, kept, end);
  }
  second[here] = y;
  third[here] = z;
  stairs.size[front] = (stairs.size[front] as number) + 1 - (kept - here);
}

function grow(stairs: Stairs, front: number): void {
  const from = stairs.offset[front] as number;
  const room = stairs.room[front] as number;
  stairs.second.copyWithin(stairs.used, from, from + room);
  stairs.third.copyWithin(stairs.used, from, from + room);
  stairs.offset[front] = stairs.used;
  stairs.room[front] = 2 * room;
  stairs.used += 2 * room;
}
