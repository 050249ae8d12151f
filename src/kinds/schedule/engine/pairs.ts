/** The ordered pairs of operations that share a machine, numbered machine by machine: the pair (a, b) has number row[a] + rank[b]. */
import { at } from './ints.js';
import type { Shop } from './shop.js';

export interface Pairs {
  /** The first pair of each machine; one entry more than machines. */
  readonly start: Int32Array;
  readonly row: Int32Array;
  /** The position of each operation among those of its machine, in the input's order. */
  readonly rank: Int32Array;
}

export function pairsOf(shop: Shop): Pairs {
  const row = new Int32Array(shop.operations);
  const rank = new Int32Array(shop.operations);
  const used = new Int32Array(shop.machines);
  const start = new Int32Array(shop.machines + 1);
  for (let m = 0; m < shop.machines; m++) {
    const count = at(shop.base, m + 1) - at(shop.base, m);
    start[m + 1] = at(start, m) + count * count;
  }
  for (let x = 0; x < shop.operations; x++) {
    const m = at(shop.machineOf, x);
    const r = at(used, m);
    used[m] = r + 1;
    rank[x] = r;
    row[x] = at(start, m) + r * (at(shop.base, m + 1) - at(shop.base, m));
  }
  return { start, row, rank };
}
