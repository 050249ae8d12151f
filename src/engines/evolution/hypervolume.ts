/**
 * The hypervolume indicator (Zitzler and Thiele 1998) of two and three minimised objectives: the part of the space that is
 * dominated.
 */
import { newSorter, sortRows } from './order.js';

// A set of integers below a bound that finds each member's neighbours: a tree of 32-bit words, five bits of the number
// per level.

interface OrderedSet {
  /** Level 0 has a bit for each number, the next one a bit for each word of the level below that is not 0. */
  readonly levels: readonly Int32Array[];
}

/** Returns an empty set for numbers in 0 … bound − 1. */
function newOrderedSet(bound: number): OrderedSet {
  const levels: Int32Array[] = [];
  let bits = bound;
  do {
    bits = Math.ceil(bits / 32);
    levels.push(new Int32Array(bits));
  } while (bits > 1);
  return { levels };
}

function insert({ levels }: OrderedSet, entry: number): void {
  let bit = entry;
  for (const words of levels) {
    words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31));
    bit >>>= 5;
  }
}

function remove({ levels }: OrderedSet, entry: number): void {
  let bit = entry;
  for (const words of levels) {
    const rest = (words[bit >>> 5] as number) & ~(1 << (bit & 31));
    words[bit >>> 5] = rest;
    if (rest !== 0) return;
    bit >>>= 5;
  }
}

/** Returns the largest member below `entry`, or −1. */
function before({ levels }: OrderedSet, entry: number): number {
  let bit = entry;
  for (const [height, words] of levels.entries()) {
    const rest = (words[bit >>> 5] as number) & ((1 << (bit & 31)) - 1);
    if (rest !== 0) return descend(levels, height, (bit & ~31) | (31 - Math.clz32(rest)), true);
    bit >>>= 5;
  }
  return -1;
}

/** Returns the smallest member above `entry`, or −1. */
function after({ levels }: OrderedSet, entry: number): number {
  let bit = entry;
  for (const [height, words] of levels.entries()) {
    const rest = (words[bit >>> 5] as number) & (-2 << (bit & 31));
    if (rest !== 0) return descend(levels, height, (bit & ~31) | lowestBit(rest), false);
    bit >>>= 5;
  }
  return -1;
}

const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

/** Descends from a word of level `height − 1`, whose number is `bit`, to its last or first member. */
function descend(levels: readonly Int32Array[], height: number, bit: number, isLast: boolean): number {
  let entry = bit;
  for (let level = height - 1; level >= 0; level--) {
    const word = (levels[level] as Int32Array)[entry] as number;
    entry = entry * 32 + (isLast ? 31 - Math.clz32(word) : lowestBit(word));
  }
  return entry;
}

/**
 * Returns the volume that the rows of `objectives` dominate within `reference`, whose length (2 or 3) is the number of columns.
 * Rows that are not better than the reference in every objective add nothing; dominated rows and copies change nothing. Only
 * positive terms are added, in an order fixed by the values.
 */
export function hypervolume(objectives: Float64Array, reference: readonly number[]): number {
  const m = reference.length;
  const inside: number[] = [];
  for (let i = 0; i < objectives.length / m; i++) {
    if (reference.every((limit, k) => (objectives[i * m + k] as number) < limit)) inside.push(i);
  }
  if (inside.length === 0) return 0;
  return m === 2 ? area(objectives, inside, reference) : volume(objectives, inside, reference);
}

function sorted(objectives: Float64Array, m: number, inside: readonly number[], k = 0): Int32Array {
  const order = Int32Array.from(inside);
  sortRows(newSorter(order.length), objectives, m, order, 0, order.length, k);
  return order;
}

/** Sums strips from left to right, each as high as the point lies below all previous ones. */
function area(objectives: Float64Array, inside: readonly number[], reference: readonly number[]): number {
  const [right = 0, top = 0] = reference;
  let sum = 0;
  let low = top;
  for (const point of sorted(objectives, 2, inside)) {
    const y = objectives[2 * point + 1] as number;
    if (y >= low) continue;
    sum += (right - (objectives[2 * point] as number)) * (low - y);
    low = y;
  }
  return sum;
}

/** The area dominated by the points swept so far, as a staircase: places by the first objective, falling in the second. */
interface Sweep {
  readonly steps: OrderedSet;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly right: number;
  readonly top: number;
  area: number;
}

/**
 * Sweeps upwards through the third objective and adds slices (Beume, Fonseca, López-Ibáñez, Paquete and Vahrenhold 2009, "On the
 * complexity of computing the hypervolume indicator"); each point enters and leaves the staircase at most once: O(n log n).
 */
function volume(objectives: Float64Array, inside: readonly number[], reference: readonly number[]): number {
  const [right = 0, top = 0, end = 0] = reference;
  const byX = sorted(objectives, 3, inside);
  const n = byX.length;
  const placeOf = new Map(Array.from(byX, (point, place) => [point, place]));
  const column = (k: number): Float64Array => Float64Array.from(byX, (point) => objectives[3 * point + k] as number);
  const sweep: Sweep = { steps: newOrderedSet(n), x: column(0), y: column(1), right, top, area: 0 };
  let sum = 0;
  const upwards = sorted(objectives, 3, inside, 2);
  for (let i = 0; i < n; i++) {
    const point = upwards[i] as number;
    addStep(sweep, placeOf.get(point) ?? 0);
    const next = i + 1 < n ? (objectives[3 * (upwards[i + 1] as number) + 2] as number) : end;
    sum += sweep.area * (next - (objectives[3 * point + 2] as number));
  }
  return sum;
}

/** Adds the area that a point covers and no step covered, column by column to its right, and drops the steps it covers. */
function addStep(sweep: Sweep, place: number): void {
  const { steps, x, y } = sweep;
  const height = y[place] as number;
  const left = before(steps, place);
  let ceiling = left < 0 ? sweep.top : (y[left] as number);
  if (ceiling <= height) return;
  let from = x[place] as number;
  let step = after(steps, place);
  for (; step >= 0 && (y[step] as number) >= height; step = after(steps, place)) {
    sweep.area += ((x[step] as number) - from) * (ceiling - height);
    from = x[step] as number;
    ceiling = y[step] as number;
    remove(steps, step);
  }
  const to = step < 0 ? sweep.right : (x[step] as number);
  sweep.area += (to - from) * (ceiling - height);
  insert(steps, place);
}
