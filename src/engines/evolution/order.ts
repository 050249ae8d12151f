/** Stable sorting of indices by keys, O(n log n) in typed arrays; ties keep their order, so that a sorted list is fixed to the byte. */

/** Scratch space for lists of up to `capacity` indices, used again and again. */
export interface Sorter {
  /** The caller writes the key of position i of the list to `keys[i]`; afterwards the keys are sorted too. */
  readonly keys: Float64Array;
  readonly spareKeys: Float64Array;
  readonly spareIndex: Int32Array;
}

export function newSorter(capacity: number): Sorter {
  return {
    keys: new Float64Array(capacity),
    spareKeys: new Float64Array(capacity),
    spareIndex: new Int32Array(capacity),
  };
}

/** Runs of this length are sorted by insertion before they are merged. */
const run_length = 8;

/** Sorts `index[from … to)` by the keys at the same positions, ascending and stable. Keys are not NaN. */
export function sortByKey(sorter: Sorter, index: Int32Array, from: number, to: number): void {
  for (let start = from; start < to; start += run_length) {
    insertionSort(sorter.keys, index, start, Math.min(start + run_length, to));
  }
  let [keys, otherKeys] = [sorter.keys, sorter.spareKeys];
  let [list, otherList] = [index, sorter.spareIndex];
  for (let width = run_length; width < to - from; width *= 2) {
    for (let start = from; start < to; start += 2 * width) {
      const middle = Math.min(start + width, to);
      merge(keys, list, otherKeys, otherList, start, middle, Math.min(middle + width, to));
    }
    [keys, otherKeys] = [otherKeys, keys];
    [list, otherList] = [otherList, list];
  }
  if (list === index) return;
  for (let i = from; i < to; i++) {
    index[i] = list[i] as number;
    otherKeys[i] = keys[i] as number;
  }
}

function insertionSort(keys: Float64Array, index: Int32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = keys[i] as number;
    const entry = index[i] as number;
    let k = i;
    for (; k > from && (keys[k - 1] as number) > key; k--) {
      keys[k] = keys[k - 1] as number;
      index[k] = index[k - 1] as number;
    }
    keys[k] = key;
    index[k] = entry;
  }
}

/** Merges [from, middle) and [middle, to) into the other pair of arrays; of equal keys the left one comes first. */
function merge(
  keys: Float64Array,
  index: Int32Array,
  intoKeys: Float64Array,
  intoIndex: Int32Array,
  from: number,
  middle: number,
  to: number,
): void {
  let left = from;
  let right = middle;
  for (let i = from; i < to; i++) {
    const takesLeft = left < middle && (right >= to || (keys[left] as number) <= (keys[right] as number));
    const next = takesLeft ? left++ : right++;
    intoKeys[i] = keys[next] as number;
    intoIndex[i] = index[next] as number;
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
