/**
 * The orders that the search may not restore: when a move reverses the order of two operations of a machine, the old order is
 * tabu for some time (Nowicki and Smutnicki 1996). There is one entry for each ordered pair of operations of a machine. The clock
 * never goes back, so setting it forward clears the list.
 */
import { at } from './ints.js';
import { type Pairs, pairsOf } from './pairs.js';
import type { Plan } from './plan.js';
import type { Shop } from './shop.js';

export interface TabuList extends Pairs {
  /** First tick at which "a before b" is free again, by the number of the pair (a, b). */
  readonly until: Int32Array;
}

export function newTabuList(shop: Shop): TabuList {
  const pairs = pairsOf(shop);
  return { ...pairs, until: new Int32Array(at(pairs.start, shop.machines)) };
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
