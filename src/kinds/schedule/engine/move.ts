/**
 * Insertion moves on one machine (Balas and Vazacopoulos 1998): the operation at slot `from` is removed and inserted at slot
 * `to`; those between shift by one. A move to a neighbouring slot is the swap of N5.
 */
import { at } from './ints.js';
import type { Plan } from './plan.js';

/**
 * Returns whether the move keeps the graph free of cycles. Moving u behind v closes a cycle only through a path from u's job
 * successor to v, and then v starts no earlier than that successor ends; mirrored for moves to the front. The test is sufficient,
 * and with durations of at least 1 exact; a successor that is v itself (a job that visits the machine twice) is checked
 * separately.
 */
export function isAcyclic({ sequence, end, tail, shop }: Plan, from: number, to: number): boolean {
  const x = at(sequence, from);
  const y = at(sequence, to);
  const neighbour = at(from < to ? shop.after : shop.before, x);
  if (neighbour >= shop.operations) return true;
  if (neighbour === y) return false;
  const first = from < to ? neighbour : y;
  const last = from < to ? y : neighbour;
  return at(end, last) - at(shop.duration, last) < at(end, first) || at(tail, first) - at(shop.duration, first) < at(tail, last);
}

/** The first and the last place of the topological order that the move can change. */
export interface Span {
  low: number;
  high: number;
}

/** Makes an acyclic move and repairs the topological order; heads from `span.low` and tails from `span.high` become stale. */
export function applyMove(plan: Plan, from: number, to: number, span: Span): void {
  const { sequence, place } = plan;
  const x = at(sequence, from);
  const y = at(sequence, to);
  span.low = Math.min(at(place, x), at(place, y));
  span.high = Math.max(at(place, x), at(place, y));
  shift(plan, from, to);
  reorder(plan, x, span, from < to);
}

function shift(plan: Plan, from: number, to: number): void {
  const { sequence, slot, previous, next } = plan;
  const { none, machineOf, base } = plan.shop;
  const x = at(sequence, from);
  const m = at(machineOf, x);
  if (from < to) sequence.copyWithin(from, from + 1, to + 1);
  else sequence.copyWithin(to + 1, to, from);
  sequence[to] = x;
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  let left = low > at(base, m) ? at(sequence, low - 1) : none;
  for (let s = low; s <= high; s++) {
    const z = at(sequence, s);
    slot[z] = s;
    previous[z] = left;
    if (left !== none) next[left] = z;
    left = z;
  }
  const right = high + 1 < at(base, m + 1) ? at(sequence, high + 1) : none;
  next[left] = right;
  if (right !== none) previous[right] = left;
}

/**
 * Moves x and what depends on it within the span to the span's end, in their old order, after a move behind later operations; after a
 * move before earlier ones, x and what it depends on to the span's beginning.
 */
function reorder(plan: Plan, x: number, { low, high }: Span, isDelayed: boolean): void {
  const { order, place, mark, held } = plan;
  const inJob = isDelayed ? plan.shop.before : plan.shop.after;
  const onMachine = isDelayed ? plan.previous : plan.next;
  const step = isDelayed ? 1 : -1;
  const end = isDelayed ? high + 1 : low - 1;
  let kept = isDelayed ? low : high;
  let count = 0;
  for (let i = kept; i !== end; i += step) {
    const z = at(order, i);
    if (z === x || at(mark, at(inJob, z)) === 1 || at(mark, at(onMachine, z)) === 1) {
      mark[z] = 1;
      held[count++] = z;
    } else {
      order[kept] = z;
      place[z] = kept;
      kept += step;
    }
  }
  for (let k = 0; k < count; k++) {
    const z = at(held, k);
    mark[z] = 0;
    order[kept] = z;
    place[z] = kept;
    kept += step;
  }
}
