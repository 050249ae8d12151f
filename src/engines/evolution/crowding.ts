/** Crowding distance of Deb et al. 2002, section III-B, and the thinning of a front by it. */
import type { Fronts } from './fronts.js';
import { sortByKey } from './order.js';

/** One front's distinct members and their neighbours; sized for the largest union and reused. */
export type Crowd = ReturnType<typeof newCrowd>;

export function newCrowd(capacity: number, objectives: number) {
  const links = objectives === 2 ? 1 : objectives;
  return {
    capacity,
    /** The members that are not copies; there are `size` of them. */
    list: new Int32Array(capacity),
    size: 0,
    /** The number of linked orders: one for each objective; with two objectives each order is the reverse of the other. */
    links,
    /** Neighbours of point p in order k at k·capacity + p; −1 beyond the ends. */
    before: new Int32Array(links * capacity),
    after: new Int32Array(links * capacity),
    /** Half the front's extent in each objective, negative when the order is reversed. */
    extent: new Float64Array(objectives),
  };
}

/**
 * Writes the crowding distance of every member of a front to `crowding` (by point): the sum over the objectives, in their order,
 * of the gap between the two neighbours as a share of the front's extent; Infinity at the ends. Among points with equal
 * objectives the one with the smallest index is measured and the others get 0: otherwise a front of copies would look spread out
 * at its ends and crowded everywhere else. An objective without extent adds nothing.
 */
export function measureCrowd(
  crowd: Crowd,
  fronts: Fronts,
  front: number,
  objectives: Float64Array,
  m: number,
  crowding: Float64Array,
): void {
  const { sorter } = fronts;
  const { list } = crowd;
  listDistinct(crowd, fronts, front, crowding);
  // Members come in lexicographic order: by the first objective, and with two objectives also by falling second one.
  for (let k = 0; k < m; k++) {
    if (k > 0 && k < crowd.links) {
      for (let i = 0; i < crowd.size; i++) sorter.keys[i] = objectives[(list[i] as number) * m + k] as number;
      sortByKey(sorter, list, 0, crowd.size);
    }
    const first = objectives[(list[0] as number) * m + k] as number;
    const last = objectives[(list[crowd.size - 1] as number) * m + k] as number;
    crowd.extent[k] = 0.5 * last - 0.5 * first;
    if (k < crowd.links) link(crowd, k);
  }
  writeDistances(crowd, objectives, m, crowding);
}

/** Lists the members that are not copies, in lexicographic order, and clears the distance of all. */
function listDistinct(crowd: Crowd, { members, start, isCopy }: Fronts, front: number, crowding: Float64Array): void {
  const end = start[front + 1] as number;
  let size = 0;
  for (let i = start[front] as number; i < end; i++) {
    const point = members[i] as number;
    crowding[point] = 0;
    if (isCopy[point] === 0) crowd.list[size++] = point;
  }
  crowd.size = size;
}

/** Links the listed points as order k. */
function link({ list, size, before, after, capacity }: Crowd, k: number): void {
  const offset = k * capacity;
  let last = -1;
  for (let i = 0; i < size; i++) {
    const point = list[i] as number;
    before[offset + point] = last;
    if (last >= 0) after[offset + last] = point;
    last = point;
  }
  after[offset + last] = -1;
}

function writeDistances(crowd: Crowd, objectives: Float64Array, m: number, crowding: Float64Array): void {
  for (let i = 0; i < crowd.size; i++) {
    const point = crowd.list[i] as number;
    crowding[point] = distanceOf(crowd, objectives, m, point);
  }
}

/** Halves are subtracted so that no difference overflows. */
function distanceOf(
  { before, after, extent, links, capacity }: Crowd,
  objectives: Float64Array,
  m: number,
  point: number,
): number {
  let sum = 0;
  for (let k = 0; k < m; k++) {
    const place = (k < links ? k * capacity : 0) + point;
    const low = before[place] as number;
    const high = after[place] as number;
    if (low < 0 || high < 0) return Infinity;
    const whole = extent[k] as number;
    if (whole === 0) continue;
    sum += (0.5 * (objectives[high * m + k] as number) - 0.5 * (objectives[low * m + k] as number)) / whole;
  }
  return sum;
}

/**
 * Removes the most crowded of the listed points until `room` are left in `list`, and measures distances again after each removal
 * (Kukkonen and Deb, "Improved pruning of non-dominated solutions based on crowding distance for bi-objective optimization
 * problems", CEC 2006): dropping them all at once would remove whole clusters, because each point is crowded only by neighbours
 * that are removed too. Among equally crowded points the one with the largest index is removed, so that parents stay. The
 * remaining distances are those among the remaining points. O(n log n).
 */
export function thinOut(crowd: Crowd, objectives: Float64Array, m: number, crowding: Float64Array, room: number): void {
  heapify(crowd, crowding);
  dropWorst(crowd, objectives, m, crowding, room);
  writeDistances(crowd, objectives, m, crowding);
}

function dropWorst(crowd: Crowd, objectives: Float64Array, m: number, crowding: Float64Array, room: number): void {
  const heap = crowd.list;
  while (crowd.size > room) {
    const point = heap[0] as number;
    // Distances only grow as neighbours are removed: a point that is still first with its present distance is the most crowded.
    const distance = distanceOf(crowd, objectives, m, point);
    if (distance > (crowding[point] as number)) {
      crowding[point] = distance;
    } else {
      unlink(crowd, point);
      crowd.size--;
      heap[0] = heap[crowd.size] as number;
    }
    sink(heap, crowd.size, 0, crowding);
  }
}

function heapify({ list, size }: Crowd, crowding: Float64Array): void {
  for (let root = (size >>> 1) - 1; root >= 0; root--) sink(list, size, root, crowding);
}

function unlink({ before, after, links, capacity }: Crowd, point: number): void {
  for (let k = 0; k < links; k++) {
    const offset = k * capacity;
    const low = before[offset + point] as number;
    const high = after[offset + point] as number;
    if (low >= 0) after[offset + low] = high;
    if (high >= 0) before[offset + high] = low;
  }
}

/** Restores the heap below `root`: the smallest distance first, then the largest index. */
function sink(heap: Int32Array, size: number, root: number, crowding: Float64Array): void {
  const point = heap[root] as number;
  const distance = crowding[point] as number;
  let place = root;
  for (let child = 2 * root + 1; child < size; child = 2 * place + 1) {
    let next = heap[child] as number;
    let least = crowding[next] as number;
    if (child + 1 < size) {
      const other = heap[child + 1] as number;
      const distanceOther = crowding[other] as number;
      if (distanceOther < least || (distanceOther === least && other > next)) {
        child++;
        next = other;
        least = distanceOther;
      }
    }
    if (distance < least || (distance === least && point > next)) break;
    heap[place] = next;
    place = child;
  }
  heap[place] = point;
}
