/**
 * A complete selection of the disjunctive graph (Roy and Sussmann 1964): the order of operations on every machine, with a
 * topological order of all operations kept current under moves, so that heads and tails each take one pass over only the part
 * that a move can change (Nowicki and Smutnicki 1996, 2005).
 */
import { at } from './ints.js';
import type { Shop } from './shop.js';

export type Plan = Readonly<ReturnType<typeof newPlan>>;

/** Returns an empty plan; `loadOrder` fills it. */
export function newPlan(shop: Shop) {
  const n = shop.operations;
  const nodes = shop.none + 1;
  const end = new Int32Array(nodes);
  end.set(shop.release, n);
  return {
    shop,
    /** Operations by machine (`shop.base`), in processing order, and the place of each operation in it. */
    sequence: new Int32Array(n),
    slot: new Int32Array(n),
    /** Neighbours on the machine, or `shop.none`. */
    previous: new Int32Array(n),
    next: new Int32Array(n),
    /** A topological order of the operations and the place of each operation in it. */
    order: new Int32Array(n),
    place: new Int32Array(n),
    /** Earliest completion (head + duration) of each node. */
    end,
    /** Longest path from the start of each node to the end of the schedule, its own duration included. */
    tail: new Int32Array(nodes),
    /** Scratch: marks of nodes (all zero between calls) and a list of operations. */
    mark: new Int32Array(nodes),
    held: new Int32Array(n),
  };
}

/** Takes the machine orders from a linear order of all operations that respects every job, and computes heads and tails. */
export function loadOrder(plan: Plan, order: Int32Array): void {
  const { shop, sequence, slot, previous, next } = plan;
  const fill = shop.base.slice();
  plan.order.set(order);
  for (let i = 0; i < order.length; i++) {
    const x = at(order, i);
    const m = at(shop.machineOf, x);
    const s = at(fill, m);
    fill[m] = s + 1;
    plan.place[x] = i;
    slot[x] = s;
    sequence[s] = x;
    const left = s > at(shop.base, m) ? at(sequence, s - 1) : shop.none;
    previous[x] = left;
    next[x] = shop.none;
    if (left !== shop.none) next[left] = x;
  }
  computeHeads(plan, 0);
  computeTails(plan, order.length - 1);
}

/** Computes the earliest completions of the operations at `from` and later in the topological order. */
export function computeHeads(plan: Plan, from: number): void {
  const { order, previous, end } = plan;
  const { before, duration, operations } = plan.shop;
  for (let i = from; i < operations; i++) {
    const x = at(order, i);
    const a = at(end, at(before, x));
    const b = at(end, at(previous, x));
    end[x] = (a > b ? a : b) + at(duration, x);
  }
}

/** Computes the tails of the operations at `from` and earlier in the topological order. */
export function computeTails(plan: Plan, from: number): void {
  const { order, next, tail } = plan;
  const { after, duration } = plan.shop;
  for (let i = from; i >= 0; i--) {
    const x = at(order, i);
    const a = at(tail, at(after, x));
    const b = at(tail, at(next, x));
    tail[x] = (a > b ? a : b) + at(duration, x);
  }
}

/** Returns the latest completion of a job. */
export function makespanOf(plan: Plan): number {
  const { first, jobs } = plan.shop;
  let latest = 0;
  for (let j = 1; j <= jobs; j++) {
    const end = at(plan.end, at(first, j) - 1);
    if (end > latest) latest = end;
  }
  return latest;
}

/** Returns Σ weight · max(0, completion − due) over the jobs with a due date. */
export function tardinessOf(plan: Plan): number {
  const { first, jobs, due, weight } = plan.shop;
  let sum = 0;
  for (let j = 0; j < jobs; j++) {
    const late = at(plan.end, at(first, j + 1) - 1) - at(due, j);
    if (at(due, j) >= 0 && late > 0) sum += late * at(weight, j);
  }
  return sum;
}

export const valueOf = (plan: Plan): number => (plan.shop.objective === 'makespan' ? makespanOf(plan) : tardinessOf(plan));
