/**
 * The orders that the search may not restore: when a move reverses the order of two operations of a machine, the old order is
 * tabu for some time (Nowicki and Smutnicki 1996). There is one entry for each ordered pair of operations of a machine. The clock
 * never goes back, so setting it forward clears the list.
 */
import { at } from './ints.js';
import type { Plan } from './plan.js';
import type { Shop } from './shop.js';

export interface TabuList {
  /** First tick at which "a before b" is free again, at row[a] + rank[b]. */
  readonly until: Int32Array;
  readonly row: Int32Array;
  readonly rank: Int32Array;
}

export function newTabuList(shop: Shop): TabuList {
  const row = new Int32Array(shop.operations);
  const rank = new Int32Array(shop.operations);
  const used = new Int32Array(shop.machines);
  const squares = new Int32Array(shop.machines + 1);
  for (let m = 0; m < shop.machines; m++) {
    const count = at(shop.base, m + 1) - at(shop.base, m);
    squares[m + 1] = at(squares, m) + count * count;
  }
  for (let x = 0; x < shop.operations; x++) {
    const m = at(shop.machineOf, x);
    const r = at(used, m);
    used[m] = r + 1;
    rank[x] = r;
    row[x] = at(squares, m) + r * (at(shop.base, m + 1) - at(shop.base, m));
  }
  return { until: new Int32Array(at(squares, shop.machines)), row, rank };
}

/** Forbids, until tick `until`, the orders that the move is about to reverse. */
export function forbid(list: TabuList, plan: Plan, from: number, to: number, until: number): void {
  const { sequence } = plan;
  const x = at(sequence, from);
  if (from < to) {
    const row = at(list.row, x);
    for (let s = from + 1; s <= to; s++) list.until[row + at(list.rank, at(sequence, s))] = until;
  } else {
    const rank = at(list.rank, x);
    for (let s = to; s < from; s++) list.until[at(list.row, at(sequence, s)) + rank] = until;
  }
}

/** Returns whether the move would restore an order that is tabu at tick `now`. */
export function isTabu(list: TabuList, plan: Plan, from: number, to: number, now: number): boolean {
  const { sequence } = plan;
  const x = at(sequence, from);
  if (from < to) {
    const rank = at(list.rank, x);
    for (let s = from + 1; s <= to; s++) if (at(list.until, at(list.row, at(sequence, s)) + rank) > now) return true;
    return false;
  }
  const row = at(list.row, x);
  for (let s = to; s < from; s++) if (at(list.until, row + at(list.rank, at(sequence, s))) > now) return true;
  return false;
}
