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
export function isAcyclic(plan: Plan, from: number, to: number): boolean {
  const { sequence, end, tail, shop } = plan;
  const x = at(sequence, from);
  const y = at(sequence, to);
  if (from < to) {
    const successor = at(shop.after, x);
    if (successor >= shop.operations) return true;
    if (successor === y) return false;
    return (
      at(end, y) - at(shop.duration, y) < at(end, successor) || at(tail, successor) - at(shop.duration, successor) < at(tail, y)
    );
  }
  const predecessor = at(shop.before, x);
  if (predecessor >= shop.operations) return true;
  if (predecessor === y) return false;
  return (
    at(end, predecessor) - at(shop.duration, predecessor) < at(end, y) ||
    at(tail, y) - at(shop.duration, y) < at(tail, predecessor)
  );
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
  if (from < to) delay(plan, x, span);
  else advance(plan, x, span);
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

/** Moves x and its descendants within the span, after a move behind later operations, to the span's end, in their old order. */
function delay(plan: Plan, x: number, span: Span): void {
  const { order, place, previous, mark, held } = plan;
  const { before } = plan.shop;
  let kept = span.low;
  let count = 0;
  for (let i = span.low; i <= span.high; i++) {
    const z = at(order, i);
    if (z === x || at(mark, at(before, z)) === 1 || at(mark, at(previous, z)) === 1) {
      mark[z] = 1;
      held[count++] = z;
    } else {
      order[kept] = z;
      place[z] = kept++;
    }
  }
  for (let k = 0; k < count; k++) {
    const z = at(held, k);
    mark[z] = 0;
    order[kept] = z;
    place[z] = kept++;
  }
}

/**
 * Moves x and its ancestors within the span, after a move before earlier operations, to the span's beginning, in their old order.
 */
function advance(plan: Plan, x: number, span: Span): void {
  const { order, place, next, mark, held } = plan;
  const { after } = plan.shop;
  let kept = span.high;
  let count = 0;
  for (let i = span.high; i >= span.low; i--) {
    const z = at(order, i);
    if (z === x || at(mark, at(after, z)) === 1 || at(mark, at(next, z)) === 1) {
      mark[z] = 1;
      held[count++] = z;
    } else {
      order[kept] = z;
      place[z] = kept--;
    }
  }
  for (let k = 0; k < count; k++) {
    const z = at(held, k);
    mark[z] = 0;
    order[kept] = z;
    place[z] = kept--;
  }
}
