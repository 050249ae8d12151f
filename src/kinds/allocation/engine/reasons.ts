/** The reason why each item was left out: the first obstacle to adding it to the choice. */
import type { Choice, Core } from './model.js';
import type { Problem } from './problem.js';
import type { Reason } from '../result.js';

export function reasons(problem: Problem, choice: Choice): { id: string; reason: Reason }[] {
  const { core, work } = problem;
  const room = core.rows.map((row, k) => {
    let left = core.capacities[k] ?? 0;
    for (let i = 0; i < core.n; i++) if (choice[i] === 1) left -= row[i] ?? 0;
    return left;
  });
  const taken = new Set<number>();
  for (let i = 0; i < core.n; i++) if (choice[i] === 1) taken.add(core.group[i] ?? -1);
  const out: { id: string; reason: Reason }[] = [];
  for (const [i, item] of work.items.entries()) {
    if (choice[i] !== 1) out.push({ id: item.id, reason: reason(core, choice, i, taken, room) });
  }
  return out;
}

function reason(core: Core, choice: Choice, i: number, taken: ReadonlySet<number>, room: readonly number[]): Reason {
  if (core.values[i] === 0) return 'zero value';
  if (core.requires[i]?.some((j) => choice[j] !== 1) === true) return 'requires';
  if (core.excludes[i]?.some((j) => choice[j] === 1) === true) return 'excludes';
  const g = core.group[i] ?? -1;
  if (g >= 0 && taken.has(g)) return 'group';
  if ((core.rows[0]?.[i] ?? 0) > (room[0] ?? 0)) return 'budget';
  if ((core.rows[1]?.[i] ?? 0) > (room[1] ?? Infinity)) return 'risk';
  return 'lower value';
}
