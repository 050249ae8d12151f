/** One tabu step for the makespan: moves on the blocks of one critical path, valued by the estimate. */
import { addBlockMoves, criticalPath } from './critical.js';
import { estimate } from './estimate.js';
import { at } from './ints.js';
import { computeHeads, computeTails, makespanOf } from './plan.js';
import { choose, type Judge, make, type Walk } from './walk.js';

/** Makes one step. Returns false if no block of the path allows a move; with a single path the plan is then optimal. */
export function stepMakespan(walk: Walk, best: number): boolean {
  const { plan, moves, path, random, span } = walk;
  moves.count = 0;
  addBlockMoves(plan, path, criticalPath(plan, latestOperation(walk), random, path), moves);
  const pick = choose(walk, best, judge);
  if (pick < 0) return false;
  make(walk, pick);
  computeHeads(plan, span.low);
  computeTails(plan, span.high);
  return true;
}

const judge: Judge = ({ plan, moves, heads }, k, ceiling) => estimate(plan, at(moves.from, k), at(moves.to, k), heads, ceiling);

/** Returns an operation that ends the schedule; a random one among several. */
function latestOperation(walk: Walk): number {
  const { plan, random } = walk;
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
