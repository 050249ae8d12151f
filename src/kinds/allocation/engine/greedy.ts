/** Quick choices: the baseline by ratio, and the repair of a choice from another source. */
import type { AllocationWork } from '../work.js';
import { fits } from './bound.js';
import { BranchState } from './branch-state.js';
import type { Choice, Core } from './model.js';

/**
 * Chooses items by value per cost (IEEE division of the given numbers, 0 for a value of 0), ties by id; each is taken when budget, risk, group and
 * exclusions allow it and everything that it requires has been taken before it.
 */
export function greedyByRatio(items: AllocationWork['items'], core: Core): Choice {
  const state = new BranchState(core);
  const ranked = items.map(({ id, value, cost }, i) => ({ i, id, ratio: value === 0 ? 0 : value / cost }));
  ranked.sort((a, b) => b.ratio - a.ratio || (a.id < b.id ? -1 : 1));
  for (const { i } of ranked) {
    if (core.requires[i]?.every((j) => state.status[j] === 1) !== false) state.take(i);
  }
  return state.choice();
}

/** Adds further items to a feasible choice, most valuable first, ties by index; items without value are left out. */
export function filled(core: Core, choice: Choice): Choice {
  const state = new BranchState(core);
  for (let i = 0; i < core.n; i++) if (choice[i] === 1) state.decide(i, 1);
  const rest = Array.from({ length: core.n }, (_, i) => i).filter(
    (i) => choice[i] !== 1 && (core.values[i] ?? 0) > 0 && fits(core, i),
  );
  rest.sort((a, b) => (core.values[b] ?? 0) - (core.values[a] ?? 0) || a - b);
  for (const i of rest) state.take(i);
  return state.choice();
}
