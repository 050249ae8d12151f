/** Fronts of three objectives: each front has one staircase of the second and third objective. */
import type { Fronts } from './fronts.js';

/**
 * Staircases in one pool: that of front k is at `offset[k]`, `size[k]` steps in a block of `room[k]`. From step to step `second`
 * rises and `third` falls. A full staircase moves to a block of twice the room at the pool's end. Since a staircase never holds
 * more steps than its front has points, all blocks together stay below four times the number of points.
 */
export interface Stairs {
  readonly second: Float64Array;
  readonly third: Float64Array;
  readonly offset: Int32Array;
  readonly room: Int32Array;
  readonly size: Int32Array;
  used: number;
}

export function newStairs(capacity: number): Stairs {
  return {
    second: new Float64Array(4 * capacity),
    third: new Float64Array(4 * capacity),
    offset: new Int32Array(capacity),
    room: new Int32Array(capacity),
    size: new Int32Array(capacity),
    used: 0,
  };
}

/**
 * Ranks points that come in lexicographic order, so a front dominates a point when a step of its staircase is nowhere larger in
 * the other two objectives. O(log n · log n) comparisons for a point, and the shift of one staircase.
 */
export function rankThree(fronts: Fronts, stairs: Stairs, objectives: Float64Array, n: number): void {
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
      if (dominates(stairs, middle, second, third)) low = middle + 1;
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
function place(stairs: Stairs, front: number, y: number, orEqual: boolean): number {
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
function dominates(stairs: Stairs, front: number, y: number, z: number): boolean {
  const after = place(stairs, front, y, false);
  return after > (stairs.offset[front] as number) && (stairs.third[after - 1] as number) <= z;
}

/** Adds a step that no other dominates, and drops those it dominates: a run of steps that begins at the new step's place. */
function add(stairs: Stairs, front: number, y: number, z: number): void {
  if ((stairs.size[front] as number) === (stairs.room[front] as number)) grow(stairs, front);
  const { second, third } = stairs;
  const end = (stairs.offset[front] as number) + (stairs.size[front] as number);
  const here = place(stairs, front, y, true);
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
