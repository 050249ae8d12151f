/**
 * Stable sorting of indices by keys, O(n log n) in typed arrays; ties keep their order, so that a sorted list is fixed to the
 * byte.
 */

/** Scratch space for lists of up to `capacity` indices, reused. */
export interface Sorter {
  /** The caller writes the key of position i of the list to `keys[i]`; afterwards the keys are sorted too. */
  readonly keys: Float64Array;
  readonly spareKeys: Float64Array;
  readonly spareIndex: Int32Array;
}

export const newSorter = (capacity: number): Sorter => ({
  keys: new Float64Array(capacity),
  spareKeys: new Float64Array(capacity),
  spareIndex: new Int32Array(capacity),
});

/**
 * Sorts `index[from … to)` by the keys at the same positions, ascending and stable; keys are not NaN. Merges runs of 1, 2, 4, …
 * from one pair of arrays into the other. The three loops are in one function because most populations are small, and then the
 * compilation of functions is the main cost of a run.
 */
export function sortByKey(sorter: Sorter, index: Int32Array, from: number, to: number): void {
  let keys = sorter.keys;
  let otherKeys = sorter.spareKeys;
  let list = index;
  let otherList = sorter.spareIndex;
  for (let width = 1; width < to - from; width *= 2) {
    for (let start = from; start < to; start += 2 * width) {
      const middle = Math.min(start + width, to);
      const end = Math.min(middle + width, to);
      let left = start;
      let right = middle;
      for (let i = start; i < end; i++) {
        const takesLeft = left < middle && (right >= end || (keys[left] as number) <= (keys[right] as number));
        const next = takesLeft ? left++ : right++;
        otherKeys[i] = keys[next] as number;
        otherList[i] = list[next] as number;
      }
    }
    const sortedKeys = otherKeys;
    const sortedList = otherList;
    otherKeys = keys;
    otherList = list;
    keys = sortedKeys;
    list = sortedList;
  }
  if (list === index) return;
  for (let i = from; i < to; i++) {
    index[i] = list[i] as number;
    otherKeys[i] = keys[i] as number;
  }
}

/**
 * Sorts `index[from … to)` by the rows of `objectives` (row-major, `m` columns), lexicographically from column `k` on; equal rows
 * keep their order. Rows hold no NaN.
 */
export function sortRows(
  sorter: Sorter,
  objectives: Float64Array,
  m: number,
  index: Int32Array,
  from: number,
  to: number,
  k = 0,
): void {
  const { keys } = sorter;
  for (let i = from; i < to; i++) keys[i] = objectives[(index[i] as number) * m + k] as number;
  sortByKey(sorter, index, from, to);
  if (k + 1 === m) return;
  let start = from;
  for (let i = from + 1; i <= to; i++) {
    if (i < to && (keys[i] as number) === (keys[start] as number)) continue;
    if (i - start > 1) sortRows(sorter, objectives, m, index, start, i, k + 1);
    start = i;
  }
}

/** Writes 0 … n − 1. */
export function listAll(index: Int32Array, n: number): void {
  for (let i = 0; i < n; i++) index[i] = i;
}
