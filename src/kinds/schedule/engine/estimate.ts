/**
 * Estimates the length of the longest path through the operations that a move changes (Taillard 1994; Balas and Vazacopoulos
 * 1998): heads are renewed from left to right, tails from right to left, with the job neighbours' values from before the move.
 * Once the length exceeds `ceiling`, the part computed so far is returned.
 */
import { at } from './ints.js';
import type { Plan } from './plan.js';

/** Returns the estimate in the mission's time unit. `heads` is scratch with room for one machine's operations. */
export function estimate(plan: Plan, from: number, to: number, heads: Int32Array, ceiling: number): number {
  const { sequence, end, tail, previous, next } = plan;
  const { before, after, duration } = plan.shop;
  const forward = from < to;
  const low = forward ? from : to;
  const high = forward ? to : from;
  // The operation at slot s after the move: the neighbour to the right (forward) or to the left, and the moved one at `to`.
  const by = forward ? 1 : -1;
  let reached = at(end, at(previous, at(sequence, low)));
  for (let s = low; s <= high; s++) {
    const x = at(sequence, s === to ? from : s + by);
    const ready = at(end, at(before, x));
    const head = ready > reached ? ready : reached;
    heads[s - low] = head;
    reached = head + at(duration, x);
    const least = reached + at(tail, at(after, x));
    if (least > ceiling) return least;
  }
  let rest = at(tail, at(next, at(sequence, high)));
  let longest = 0;
  for (let s = high; s >= low; s--) {
    const x = at(sequence, s === to ? from : s + by);
    const behind = at(tail, at(after, x));
    rest = (behind > rest ? behind : rest) + at(duration, x);
    const through = at(heads, s - low) + rest;
    if (through > longest) longest = through;
  }
  return longest;
}
