/** Tabu search over complete selections of the disjunctive graph. */
import { loadOrder, valueOf, computeHeads, makespanOf, type Plan, tardinessOf } from './plan.js';
import { type Walk, type Judge, makeBest } from './walk.js';
import { addBlockMoves, criticalPath, paths_max } from './critical.js';
import { at } from './ints.js';
import { applyMove } from './move.js';

// One tabu step for weighted tardiness: moves on the blocks of the paths that end in late jobs. A move changes the
// completion of many jobs at once, so each is evaluated exactly: it is made, heads are renewed, the objective is read,
// and it is undone.

/** The least number of moves tried in one step; the number keeps its work bounded, whatever the shop's size. */
const trials_min = 4;
const trials_max = 24;
const trial_operations_max = 16_000;

const trialsFor = (operations: number): number =>
  Math.min(trials_max, Math.max(trials_min, Math.floor(trial_operations_max / operations)));

/** Makes one step. Returns false when no path of the late jobs drawn allows a move. */
export function stepTardiness(walk: Walk, best: number): boolean {
  const { plan, moves, random } = walk;
  collect(walk);
  const trials = trialsFor(plan.shop.operations);
  for (let k = 0; k < trials && k < moves.count; k++) {
    swap(walk, k, k + random.below(moves.count - k));
  }
  moves.count = Math.min(moves.count, trials);
  walk.heads.set(plan.end);
  return makeBest(walk, best, valueAfter);
}

/** Collects moves on the paths of up to `paths_max` late jobs, drawn without replacement. */
function collect({ plan, moves, path, random }: Walk): void {
  const { first, jobs, due, weight } = plan.shop;
  moves.count = 0;
  const late: number[] = [];
  for (let j = 0; j < jobs; j++) {
    if (at(due, j) >= 0 && at(weight, j) > 0 && at(plan.end, at(first, j + 1) - 1) > at(due, j)) late.push(j);
  }
  for (let drawn = 0; drawn < paths_max && late.length > 0; drawn++) {
    const [job] = late.splice(random.below(late.length), 1);
    const last = at(first, (job ?? 0) + 1) - 1;
    addBlockMoves(plan, path, criticalPath(plan, last, random, path), moves);
  }
}

function swap({ moves: { from, to } }: Walk, a: number, b: number): void {
  [from[a], from[b]] = [at(from, b), at(from, a)];
  [to[a], to[b]] = [at(to, b), at(to, a)];
}

/**
 * Returns the weighted tardiness after move `k`; the plan is restored, except that the topological order may be another valid
 * one.
 */
const valueAfter: Judge = ({ plan, moves, span, heads }, k) => {
  const from = at(moves.from, k);
  const to = at(moves.to, k);
  applyMove(plan, from, to, span);
  computeHeads(plan, span.low);
  const value = tardinessOf(plan);
  applyMove(plan, to, from, span);
  plan.end.set(heads);
  return value;
};

// One tabu step for the makespan: moves on the blocks of one critical path, valued by the estimate.

// Estimates the length of the longest path through the operations that a move changes (Taillard 1994; Balas and
// Vazacopoulos 1998): heads are renewed from left to right, tails from right to left, with the job neighbours' values
// from before the move. Once the length exceeds `ceiling`, the part computed so far is returned.

/** Returns the estimate in the mission's time unit. `heads` is scratch with room for one machine's operations. */
function estimate(plan: Plan, from: number, to: number, heads: Int32Array, ceiling: number): number {
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

/** Makes one step. Returns false if no block of the path allows a move; with a single path the plan is then optimal. */
export function stepMakespan(walk: Walk, best: number): boolean {
  const { plan, moves, path, random } = walk;
  moves.count = 0;
  addBlockMoves(plan, path, criticalPath(plan, latestOperation(walk), random, path), moves);
  return makeBest(walk, best, judge);
}

const judge: Judge = ({ plan, moves, heads }, k, ceiling) => estimate(plan, at(moves.from, k), at(moves.to, k), heads, ceiling);

/** Returns an operation that ends the schedule; a random one among several. */
function latestOperation({ plan, random }: Walk): number {
  const { first, jobs } = plan.shop;
  const makespan = makespanOf(plan);
  let pick = -1;
  let equals = 0;
  for (let j = 1; j <= jobs; j++) {
    const x = at(first, j) - 1;
    if (at(plan.end, x) !== makespan) continue;
    equals++;
    if (equals === 1 || random.below(equals) === 0) pick = x;
  }
  return pick;
}

/** Counts iterations against the mission's ceiling; shared by all walks of a mission. */
export interface Meter {
  done: number;
  readonly most: number;
  /** The iterations after which the search ends: `most`, unless time ends it before. */
  limit: number;
  /** Called once per iteration; reports progress at intervals, and may throw to stop the engine. */
  readonly tick: () => void;
  /** Reports progress at once; for constructions, which may take some milliseconds each. */
  readonly pulse: () => void;
  /** Does work after which the search goes on. If time ends during it, it counts for nothing and the search ends here: null. */
  readonly inTime: <A>(work: () => A) => A | null;
}

/** A schedule known to the search. */
export interface Solution {
  /** All operations in an order that respects jobs and machines. */
  readonly order: Int32Array;
  /** The operations of each machine in turn (`Plan.sequence`), which distinguish two schedules. */
  readonly sequence: Int32Array;
  readonly value: number;
}

/**
 * Walks from `start` until `stall` iterations bring no improvement, the value reaches `target`, no move is left or the meter is
 * used up. Returns the best solution found, never worse than the start. A walk that finds no move is charged like one that
 * stalled, so that a mission with nothing to move ends soon.
 */
export function tabuSearch(walk: Walk, start: Int32Array, meter: Meter, stall: number, target: number): Solution {
  const { plan } = walk;
  const step = plan.shop.objective === 'makespan' ? stepMakespan : stepTardiness;
  walk.clock += 2 * walk.tenure + 1;
  loadOrder(plan, start);
  const order = start.slice();
  const sequence = plan.sequence.slice();
  let value = valueOf(plan);
  let quiet = 0;
  while (quiet < stall && meter.done < meter.limit && value > target) {
    meter.tick();
    if (!step(walk, value)) {
      meter.done = Math.min(meter.most, meter.done + stall - quiet);
      break;
    }
    meter.done++;
    quiet++;
    const current = valueOf(plan);
    if (current < value) {
      value = current;
      order.set(plan.order);
      sequence.set(plan.sequence);
      quiet = 0;
    }
  }
  return { order, sequence, value };
}
