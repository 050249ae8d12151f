/**
 * Dominance among items: i dominates j when i is worth at least as much, takes no more of any row, and may stand in j's place in every
 * feasible choice. Some best choice holds no j without its i: exchanging them never makes a choice worse, and moves it in one
 * direction, because identical items are ordered by index. The search uses that to visit one of many equivalent choices.
 */
import type { Core } from './model.js';

export interface Dominance {
  /** Items that must be chosen when an item is: some that dominate it. */
  readonly above: readonly (readonly number[])[];
  /** The inverse of `above`. */
  readonly below: readonly (readonly number[])[];
}

/** The number of dominating items kept for each item; the others follow from them or are left unused. */
const kept_max = 6;

const known = new WeakMap<readonly Float64Array[], Dominance>();

/** Returns the dominance of a core, computed once for all capacities of the same rows. */
export function dominanceOf(core: Core): Dominance {
  let dominance = known.get(core.rows);
  if (dominance === undefined) {
    dominance = relations(core);
    known.set(core.rows, dominance);
  }
  return dominance;
}

function relations(core: Core): Dominance {
  const order = Array.from({ length: core.n }, (_, i) => i).sort((a, b) => compare(core, a, b));
  const above: number[][] = order.map(() => []);
  const below: number[][] = order.map(() => []);
  for (let at = 1; at < order.length; at++) {
    const j = order[at] ?? 0;
    // Exchanging j for another item would leave the items that require j without it.
    if ((core.requiredBy[j]?.length ?? 0) > 0) continue;
    const list = above[j] ?? [];
    for (let before = at - 1; before >= 0 && list.length < kept_max; before--) {
      const i = order[before] ?? 0;
      if (!dominates(core, i, j) || list.some((k) => dominates(core, i, k))) continue;
      list.push(i);
      below[i]?.push(j);
    }
  }
  return { above, below };
}

/** Orders items so that an item comes after all that dominate it. */
function compare(core: Core, a: number, b: number): number {
  const byValue = (core.values[b] ?? 0) - (core.values[a] ?? 0);
  if (byValue !== 0) return byValue;
  for (const row of core.rows) {
    const byWeight = (row[a] ?? 0) - (row[b] ?? 0);
    if (byWeight !== 0) return byWeight;
  }
  return a - b;
}

/** Returns whether i dominates j; i comes before j in the order of `compare`. */
function dominates(core: Core, i: number, j: number): boolean {
  for (const row of core.rows) if ((row[i] ?? 0) > (row[j] ?? 0)) return false;
  const group = core.group[i] ?? -1;
  if (group >= 0 && group !== core.group[j]) return false;
  return within(core.requires[i] ?? [], core.requires[j] ?? [], -1) && within(core.excludes[i] ?? [], core.excludes[j] ?? [], j);
}

/** Returns whether every item of the ascending list `a`, apart from `but`, is in the ascending list `b`. */
function within(a: readonly number[], b: readonly number[], but: number): boolean {
  let at = 0;
  for (const i of a) {
    if (i === but) continue;
    while (at < b.length && (b[at] ?? 0) < i) at++;
    if (b[at] !== i) return false;
  }
  return true;
}
