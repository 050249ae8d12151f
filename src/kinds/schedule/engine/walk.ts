/** The state of one tabu walk, and the parts of a step that both objectives share. */
import type { Prng } from '../../../base/prng.js';
import { newMoves } from './critical.js';
import { at } from './ints.js';
import { applyMove } from './move.js';
import { computeHeads, computeTails, newPlan, type Plan } from './plan.js';
import type { Shop } from './shop.js';
import { type Pairs, pairsOf } from './pairs.js';

// The orders that the search may not restore: when a move reverses the order of two operations of a machine, the old
// order is tabu for some time (Nowicki and Smutnicki 1996). There is one entry for each ordered pair of operations of a
// machine. The clock never goes back, so setting it forward clears the list.

interface TabuList extends Pairs {
  /** First tick at which "a before b" is free again, by the number of the pair (a, b). */
  readonly until: Int32Array;
}

function newTabuList(shop: Shop): TabuList {
  const pairs = pairsOf(shop);
  return { ...pairs, until: new Int32Array(at(pairs.start, shop.machines)) };
}

/** Forbids, until tick `until`, the orders that the move is about to reverse. */
function forbid(list: TabuList, { sequence }: Plan, from: number, to: number, until: number): void {
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
function isTabu(list: TabuList, { sequence }: Plan, from: number, to: number, now: number): boolean {
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

export type Walk = ReturnType<typeof newWalk>;

export function newWalk(shop: Shop, random: Prng) {
  const plan = newPlan(shop);
  return {
    plan,
    random,
    tabu: newTabuList(shop),
    moves: newMoves(plan),
    path: new Int32Array(shop.operations),
    /** Scratch for heads: of a move's operations, or of all nodes. */
    heads: new Int32Array(shop.none + 1),
    span: { low: 0, high: 0 },
    /** The least number of ticks for which a reversed pair stays reversed; up to as many again are added at random. */
    tenure: 6 + Math.floor(shop.jobs / shop.machines),
    /** Advances by one each step, and by more between walks so that nothing stays tabu. */
    clock: 0,
  };
}

/**
 * Returns the objective (weighted tardiness) or an estimate of it (makespan) after move `k`; above `ceiling` any larger value may
 * be returned.
 */
export type Judge = (walk: Walk, k: number, ceiling: number) => number;

/**
 * Chooses the move: the smallest value among those that are not tabu or have a value below `best`, a random one among equals; if
 * all are tabu, any of them; −1 when there is none.
 */
function choose(walk: Walk, best: number, judge: Judge): number {
  const { plan, moves, random, tabu, clock } = walk;
  let pick = -1;
  let least = Number.POSITIVE_INFINITY;
  let equals = 0;
  for (let k = 0; k < moves.count; k++) {
    const value = judge(walk, k, least);
    if (value > least) continue;
    if (value >= best && isTabu(tabu, plan, at(moves.from, k), at(moves.to, k), clock)) continue;
    equals = value < least ? 1 : equals + 1;
    least = value;
    if (equals === 1 || random.below(equals) === 0) pick = k;
  }
  if (pick < 0 && moves.count > 0) return random.below(moves.count);
  return pick;
}

/** Makes the move that `choose` finds, and forbids undoing it; returns false when there is none. */
export function makeBest(walk: Walk, best: number, judge: Judge): boolean {
  const k = choose(walk, best, judge);
  if (k < 0) return false;
  const { plan, moves, random, tabu, tenure, span } = walk;
  const from = at(moves.from, k);
  const to = at(moves.to, k);
  forbid(tabu, plan, from, to, walk.clock++ + tenure + random.below(tenure + 1));
  applyMove(plan, from, to, span);
  computeHeads(plan, span.low);
  computeTails(plan, span.high);
  return true;
}
