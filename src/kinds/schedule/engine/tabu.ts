/** Tabu search over complete selections of the disjunctive graph. */
import { loadOrder, valueOf } from './plan.js';
import { stepMakespan } from './step-makespan.js';
import { stepTardiness } from './step-tardiness.js';
import type { Walk } from './walk.js';

/** Counts iterations against the mission's ceiling; shared by all walks of a mission. */
export interface Meter {
  done: number;
  readonly most: number;
  /** Called once per iteration; reports progress at intervals, and may throw to stop the engine. */
  readonly tick: () => void;
  /** Reports progress at once; for constructions, which may take some milliseconds each. */
  readonly pulse: () => void;
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
  while (quiet < stall && meter.done < meter.most && value > target) {
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
