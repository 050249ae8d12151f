/**
 * The hypervolume indicator (Zitzler and Thiele 1998) of two and three minimised objectives: the part of the space that is
 * dominated.
 */
import { newSorter, sortRows } from './order.js';

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
  /** The places of the steps, ascending; there are `size` of them. */
  readonly steps: Int32Array;
  size: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly right: number;
  readonly top: number;
  area: number;
}

/**
 * Sweeps upwards through the third objective and adds slices (Beume, Fonseca, López-Ibáñez, Paquete and Vahrenhold 2009, "On the
 * complexity of computing the hypervolume indicator"); each point enters and leaves the staircase at most once: O(log n) comparisons for a
 * point, and the shift of the staircase.
 */
function volume(objectives: Float64Array, inside: readonly number[], reference: readonly number[]): number {
  const [right = 0, top = 0, end = 0] = reference;
  const byX = sorted(objectives, 3, inside);
  const n = byX.length;
  const placeOf = new Map(Array.from(byX, (point, place) => [point, place]));
  const column = (k: number): Float64Array => Float64Array.from(byX, (point) => objectives[3 * point + k] as number);
  const sweep: Sweep = { steps: new Int32Array(n), size: 0, x: column(0), y: column(1), right, top, area: 0 };
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

/** Returns how many steps are before a place. */
function stepsBefore({ steps, size }: Sweep, place: number): number {
  let [low, above] = [0, size];
  while (low < above) {
    const middle = (low + above) >>> 1;
    if ((steps[middle] as number) < place) low = middle + 1;
    else above = middle;
  }
  return low;
}

/** Adds the area that a point covers and no step covered, column by column to its right, and drops the steps it covers. */
function addStep(sweep: Sweep, place: number): void {
  const { steps, size, x, y } = sweep;
  const height = y[place] as number;
  const here = stepsBefore(sweep, place);
  let ceiling = here === 0 ? sweep.top : (y[steps[here - 1] as number] as number);
  if (ceiling <= height) return;
  let from = x[place] as number;
  let kept = here;
  for (; kept < size && (y[steps[kept] as number] as number) >= height; kept++) {
    const step = steps[kept] as number;
    sweep.area += ((x[step] as number) - from) * (ceiling - height);
    from = x[step] as number;
    ceiling = y[step] as number;
  }
  const to = kept === size ? sweep.right : (x[steps[kept] as number] as number);
  sweep.area += (to - from) * (ceiling - height);
  steps.copyWithin(here + 1, kept, size);
  steps[here] = place;
  sweep.size = size + 1 - (kept - here);
}
