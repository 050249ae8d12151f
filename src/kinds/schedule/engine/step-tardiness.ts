/**
 * One tabu step for weighted tardiness: moves on the blocks of the paths that end in late jobs. A move changes the completion of
 * many jobs at once, so each is evaluated exactly: it is made, heads are renewed, the objective is read, and it is undone.
 */
import { addBlockMoves, criticalPath, paths_max } from './critical.js';
import { at } from './ints.js';
import { applyMove } from './move.js';
import { computeHeads, computeTails, tardinessOf } from './plan.js';
import { choose, type Judge, make, type Walk } from './walk.js';

/** The least number of moves tried in one step; the number keeps its work bounded, whatever the shop's size. */
const trials_min = 4;
const trials_max = 24;
const trial_operations_max = 16_000;

const trialsFor = (operations: number): number =>
  Math.min(trials_max, Math.max(trials_min, Math.floor(trial_operations_max / operations)));

/** Makes one step. Returns false when no path of the late jobs drawn allows a move. */
export function stepTardiness(walk: Walk, best: number): boolean {
  const { plan, moves, random, span } = walk;
  collect(walk);
  const trials = trialsFor(plan.shop.operations);
  for (let k = 0; k < trials && k < moves.count; k++) {
    swap(walk, k, k + random.below(moves.count - k));
  }
  moves.count = Math.min(moves.count, trials);
  walk.heads.set(plan.end);
  const pick = choose(walk, best, valueAfter);
  if (pick < 0) return false;
  make(walk, pick);
  computeHeads(plan, span.low);
  computeTails(plan, span.high);
  return true;
}

/** Collects moves on the paths of up to `paths_max` late jobs, drawn without replacement. */
function collect(walk: Walk): void {
  const { plan, moves, path, random } = walk;
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

function swap(walk: Walk, a: number, b: number): void {
  const { from, to } = walk.moves;
  const keptFrom = at(from, a);
  const keptTo = at(to, a);
  from[a] = at(from, b);
  to[a] = at(to, b);
  from[b] = keptFrom;
  to[b] = keptTo;
}

/**
 * Returns the weighted tardiness after move `k`; the plan is restored, except that the topological order may be another valid
 * one.
 */
const valueAfter: Judge = (walk, k) => {
  const { plan, moves, span, heads } = walk;
  const from = at(moves.from, k);
  const to = at(moves.to, k);
  applyMove(plan, from, to, span);
  computeHeads(plan, span.low);
  const value = tardinessOf(plan);
  applyMove(plan, to, from, span);
  plan.end.set(heads);
  return value;
};
