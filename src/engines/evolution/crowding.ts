/** Crowding distance of Deb et al. 2002, section III-B. */
import type { Fronts } from './fronts.js';
import { sortByKey } from './order.js';

/**
 * Scratch space: the members of the front that count, sorted by one objective after the other.
 */
export interface Crowd {
  readonly list: Int32Array;
}

export const newCrowd = (capacity: number): Crowd => ({ list: new Int32Array(capacity) });

/**
 * Writes the crowding distance of every member of a front to `crowding` (by point): the sum over the objectives, the first one
 * first, of the gap between the two neighbours as a share of the front's extent; Infinity at the ends. Of points with equal
 * objectives the one with the smallest index is measured and the others get 0: a front of copies would otherwise look spread out
 * at its ends and crowded everywhere else. An objective without extent adds nothing.
 */
export function crowd(
  fronts: Fronts,
  front: number,
  objectives: Float64Array,
  m: number,
  crowding: Float64Array,
  { list }: Crowd,
): void {
  const { sorter } = fronts;
  const size = listDistinct(fronts, front, crowding, list);
  // Members are in lexicographic order: by the first objective, and with two objectives by falling second one too.
  addGaps(list, size, objectives, m, 0, crowding);
  if (m === 2) return addGaps(list, size, objectives, m, 1, crowding);
  for (let k = 1; k < m; k++) {
    for (let i = 0; i < size; i++) sorter.keys[i] = objectives[(list[i] as number) * m + k] as number;
    sortByKey(sorter, list, 0, size);
    addGaps(list, size, objectives, m, k, crowding);
  }
}

/** Lists the members that are no copies, in lexicographic order, and clears the distance of all. @returns how many */
function listDistinct(fronts: Fronts, front: number, crowding: Float64Array, list: Int32Array): number {
  const { members, start, isCopy } = fronts;
  const end = start[front + 1] as number;
  let size = 0;
  for (let i = start[front] as number; i < end; i++) {
    const point = members[i] as number;
    crowding[point] = 0;
    if (isCopy[point] === 0) list[size++] = point;
  }
  return size;
}

/** `list` is sorted by objective k, up or down. Halves are subtracted so that no difference overflows. */
function addGaps(list: Int32Array, size: number, objectives: Float64Array, m: number, k: number, crowding: Float64Array): void {
  const first = list[0] as number;
  const last = list[size - 1] as number;
  const extent = 0.5 * (objectives[last * m + k] as number) - 0.5 * (objectives[first * m + k] as number);
  crowding[first] = Infinity;
  crowding[last] = Infinity;
  if (extent === 0) return;
  let before = 0.5 * (objectives[first * m + k] as number);
  let here = size > 1 ? 0.5 * (objectives[(list[1] as number) * m + k] as number) : before;
  for (let i = 1; i < size - 1; i++) {
    const after = 0.5 * (objectives[(list[i + 1] as number) * m + k] as number);
    const point = list[i] as number;
    crowding[point] = (crowding[point] as number) + (after - before) / extent;
    before = here;
    here = after;
  }
}
