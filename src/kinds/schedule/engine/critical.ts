/** Critical paths and the insertion moves on their blocks. */
import type { Prng } from '../../../base/prng.js';
import { at } from './ints.js';
import { isAcyclic } from './move.js';
import type { Plan } from './plan.js';

/** Candidate moves of one step; sized for the shop once and reused for every step. */
export type Moves = ReturnType<typeof newMoves>;

/** The longest reach of an insertion: the work of a step stays linear in the shop, and far insertions seldom improve. */
const reach_slots_max = 40;

/** The number of paths whose moves one step considers. */
export const paths_max = 3;

/** Returns room for the moves of all blocks of `paths_max` paths: at most 4 for each operation on a path. */
export function newMoves(plan: Plan) {
  const room = 4 * paths_max * plan.shop.operations;
  return { count: 0, from: new Int32Array(room), to: new Int32Array(room) };
}

/**
 * Writes one longest path to the end of `last` to `path`, from its last operation to its first; a coin decides where two
 * predecessors are critical. Returns its length.
 */
export function criticalPath({ end, previous, shop }: Plan, last: number, random: Prng, path: Int32Array): number {
  let length = 0;
  let x = last;
  for (;;) {
    path[length++] = x;
    const start = at(end, x) - at(shop.duration, x);
    const inJob = at(shop.before, x);
    const onMachine = at(previous, x);
    const viaJob = inJob < shop.operations && at(end, inJob) === start;
    const viaMachine = onMachine !== shop.none && at(end, onMachine) === start;
    if (viaJob && viaMachine) x = (random.uint32() & 1) === 0 ? inJob : onMachine;
    else if (viaJob) x = inJob;
    else if (viaMachine) x = onMachine;
    else return length;
  }
}

/**
 * Adds the moves of every block of a path: each operation to either end of its block (N6) and the first and the last
 * operation into the block (N7; Zhang, Li, Guan and Rao 2007). Only moves inside a block can shorten the path. A block that
 * begins at time 0 must get another last operation for that, and the block that ends the makespan another first one.
 */
export function addBlockMoves(plan: Plan, path: Int32Array, length: number, moves: Moves): void {
  const { slot, end, shop } = plan;
  const endsAll = shop.objective === 'makespan';
  let i = 0;
  while (i < length) {
    const machine = at(shop.machineOf, at(path, i));
    let k = i + 1;
    while (k < length && at(shop.machineOf, at(path, k)) === machine) k++;
    if (k - i > 1) {
      const head = at(path, k - 1);
      const isFirst = at(end, head) === at(shop.duration, head);
      addMovesOfBlock(plan, at(slot, head), at(slot, at(path, i)), { isFirst, isLast: endsAll && i === 0 }, moves);
    }
    i = k;
  }
}

interface Where {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function addMovesOfBlock(plan: Plan, low: number, high: number, { isFirst, isLast }: Where, moves: Moves): void {
  if (isFirst && isLast) return;
  const near = Math.max(low, high - reach_slots_max);
  const far = Math.min(high, low + reach_slots_max);
  if (high - low === 1) {
    add(plan, low, high, moves);
    return;
  }
  if (!isLast) {
    for (let s = near; s < high; s++) add(plan, s, high, moves);
    for (let s = near > low ? near : low + 1; s < high - 1; s++) add(plan, high, s, moves);
    if (isFirst && near === low) add(plan, high, low, moves);
  }
  if (!isFirst) {
    for (let s = low + 1; s <= far; s++) add(plan, s, low, moves);
    for (let s = low + 2; s <= far && s < high; s++) add(plan, low, s, moves);
    if (isLast && far === high) add(plan, low, high, moves);
  }
}

function add(plan: Plan, from: number, to: number, moves: Moves): void {
  if (!isAcyclic(plan, from, to)) return;
  moves.from[moves.count] = from;
  moves.to[moves.count++] = to;
}
