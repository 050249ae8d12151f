/** Converts the mission's items to the core: decimals to integers, ids to indices, without the items that are decided beforehand. */
import type { AllocationWork } from '../work.js';
import { floorScaled, placesOf, shown } from '../decimal-grid.js';
import { BranchState, free } from './branch-state.js';
import { gridOf, makeCore, total, withCapacities, type Choice, type Core, type Links } from './model.js';
import type { Totals } from '../result.js';

export type Problem = Readonly<ReturnType<typeof makeProblem>>;

type ScaledNumbers = Readonly<ReturnType<typeof scale>>;

export function makeProblem(work: AllocationWork) {
  const [costs, values, risks] = [scale(work, 'cost'), scale(work, 'value'), scale(work, 'risk')];
  const rows = [costs.numbers];
  const capacities = [capacity(work.budget, costs)];
  if (work.max_risk !== undefined) {
    rows.push(risks.numbers);
    capacities.push(capacity(work.max_risk, risks));
  }
  const whole = makeCore(values.numbers, rows, capacities, links(work));
  const decided = decide(work, whole);
  const open = work.items.map((_, i) => i).filter((i) => decided[i] === free);
  const must = work.items.map((_, i) => i).filter((i) => decided[i] === 1);
  const sum = ({ numbers }: ScaledNumbers): number => must.reduce((all, i) => all + (numbers[i] ?? 0), 0);
  return {
    work,
    /** The items to choose from: all but those that must be chosen and those that no choice can hold. */
    items: open.map((i) => work.items[i]).filter((item) => item !== undefined),
    /** The place of each of them in `work.items`. */
    places: open,
    /** The places of the items that must be chosen. */
    must,
    /** Over `items`, within what `must` leaves. Rows: cost, then risk when there is a limit on it. */
    core: open.length === work.items.length ? whole : part(whole, open, must),
    risks: picked(risks.numbers, open),
    /** What `must` takes, in grid units. */
    taken: { value: sum(values), cost: sum(costs), risk: sum(risks) },
    /** The cost of all items of the mission, in grid units. */
    cost_max: costs.numbers.reduce((all, x) => all + x, 0),
    /** Decimal places of the grids of values, costs and risks. */
    valuePlaces: values.places,
    costPlaces: costs.places,
    riskPlaces: risks.places,
  };
}

/**
 * Returns what the links and groups alone decide: 1 for an item that must be chosen, 0 for one that no choice can hold, `free` for the others.
 */
function decide(work: AllocationWork, core: Core): Uint8Array {
  const state = new BranchState(
    withCapacities(
      core,
      core.capacities.map(() => Infinity),
    ),
  );
  for (const [i, { required }] of work.items.entries()) if (required === true) state.decide(i, 1);
  const decided = state.status.slice();
  // What an item requires can be held wherever the item can. The item, which costs more, is tried first.
  const known = new Set<number>();
  const [costs] = core.needs;
  const open = [...core.requires.keys()].filter((i) => decided[i] === free && core.requires[i]?.length !== 0);
  for (const i of open.sort((a, b) => (costs?.[b] ?? 0) - (costs?.[a] ?? 0))) {
    if (known.has(i)) continue;
    const mark = state.mark();
    if (!state.decide(i, 1)) decided[i] = 0;
    else for (const [j, status] of state.status.entries()) if (status === 1) known.add(j);
    state.undo(mark);
  }
  return decided;
}

const picked = (numbers: Float64Array, places: readonly number[]): Float64Array =>
  Float64Array.from(places, (i) => numbers[i] ?? 0);

/** Returns the core of some items, beside others that are chosen. */
function part(core: Core, open: readonly number[], must: readonly number[]): Core {
  const index = new Map(open.map((i, k) => [i, k]));
  const inside = (lists: readonly (readonly number[])[]): number[][] =>
    open.map((i) => (lists[i] ?? []).map((j) => index.get(j)).filter((j) => j !== undefined));
  const capacities = core.capacities.map((limit, k) => must.reduce((left, i) => left - (core.rows[k]?.[i] ?? 0), limit));
  const inner: Links = {
    group: groupsOf(open.map((i) => core.group[i] ?? -1)),
    requires: inside(core.requires),
    excludes: inside(core.excludes),
  };
  const rows = core.rows.map((row) => picked(row, open));
  return { ...makeCore(picked(core.values, open), rows, capacities, inner), grid: gridOf(core.values) };
}

/** Numbers groups by their first item; a name below 0 is that of no group. */
function groupsOf(names: readonly (string | number | undefined)[]): Int32Array {
  const numbers = new Map<string | number, number>();
  return Int32Array.from(names, (name) => {
    if (name === undefined || name === -1) return -1;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}

/** Returns the budget changed by tenths, such as ten per cent less or more, to the nearest double. */
export const changedBudget = (budget: number, tenths: number): number => (budget * tenths) / 10;

/** Returns the core under another budget, or null where what must be chosen costs more. */
export function withBudget({ core, cost_max, costPlaces, taken }: Problem, budget: number): Core | null {
  const left = within(budget, cost_max, costPlaces) - taken.cost;
  return left < 0 ? null : withCapacities(core, [left, ...core.capacities.slice(1)]);
}

/** Returns the totals of a choice and of what must be chosen. */
export function totals(problem: Problem, choice: Choice): Totals {
  const { core, risks, taken } = problem;
  return {
    value: shown(taken.value + total(core.values, choice), problem.valuePlaces),
    cost: shown(taken.cost + total(core.rows[0] ?? risks, choice), problem.costPlaces),
    risk: shown(taken.risk + total(risks, choice), problem.riskPlaces),
  };
}

/** Returns a choice, with what must be chosen, over all items of the mission. */
export function whole({ work, places, must }: Problem, choice: Choice): Choice {
  const all = new Uint8Array(work.items.length);
  for (const i of must) all[i] = 1;
  for (const [k, i] of places.entries()) all[i] = choice[k] ?? 0;
  return all;
}

function scale({ items }: AllocationWork, member: 'cost' | 'value' | 'risk') {
  const column = items.map((item) => item[member]);
  const places = placesOf(column);
  return { numbers: Float64Array.from(column, (x) => Number(floorScaled(x, places))), places };
}

const capacity = (limit: number, { numbers, places }: ScaledNumbers): number =>
  within(
    limit,
    numbers.reduce((sum, x) => sum + x, 0),
    places,
  );

/** Returns the limit on the grid; never more than the sum of all amounts, so that it stays a safe integer. */
function within(limit: number, everything: number, places: number): number {
  const exact = floorScaled(limit, places);
  return exact > BigInt(everything) ? everything : Number(exact);
}

function links(work: AllocationWork): Links {
  const index = new Map(work.items.map((item, i) => [item.id, i]));
  const indices = (ids: readonly string[] | undefined): number[] => {
    const found = new Set<number>();
    for (const id of ids ?? []) {
      const at = index.get(id);
      if (at !== undefined) found.add(at);
    }
    return [...found].sort((a, b) => a - b);
  };
  return {
    group: groupsOf(work.items.map((item) => item.group)),
    requires: work.items.map((item) => indices(item.requires)),
    excludes: work.items.map((item) => indices(item.excludes)),
  };
}
