/**
 * The core that every solver here works on: a 0/1 problem with knapsack rows, groups of which at most one member is chosen,
 * implications and conflicts. Values and weights are safe integers; the allocation engine scales decimals to them.
 */
export type Core = Readonly<ReturnType<typeof makeCore>>;

export interface Links {
  readonly group: Int32Array;
  readonly requires: readonly (readonly number[])[];
  readonly excludes: readonly (readonly number[])[];
}

/** A choice of items, 1 for chosen. */
export type Choice = Uint8Array;

export function makeCore(values: Float64Array, rows: readonly Float64Array[], capacities: readonly number[], links: Links) {
  const n = values.length;
  const requiredBy: number[][] = Array.from({ length: n }, () => []);
  links.requires.forEach((list, i) => {
    for (const j of list) requiredBy[j]?.push(i);
  });
  const both: Set<number>[] = Array.from({ length: n }, () => new Set());
  links.excludes.forEach((list, i) => {
    for (const j of list) {
      both[i]?.add(j);
      both[j]?.add(i);
    }
  });
  const members: number[][] = [];
  for (let i = 0; i < n; i++) {
    const g = links.group[i] ?? -1;
    if (g >= 0) (members[g] ??= []).push(i);
  }
  const excludes = both.map((set) => [...set].sort((a, b) => a - b));
  return {
    n,
    values,
    /** One array of weights (≥ 0) for each knapsack row. */
    rows,
    capacities,
    /** The number of rows that are constraints; the rows after them are cuts, which only the relaxation reads. */
    hard: rows.length,
    /** The group of each item, −1 for none; at most one member of a group is chosen. */
    group: links.group,
    members,
    /** `requires[i]` holds the items that i needs; `requiredBy` is its inverse; `excludes` is symmetric. */
    requires: links.requires,
    requiredBy,
    excludes,
    /** The weights of each item together with all that it requires, in each row of `rows` that was there at first. */
    needs: needsOf(rows, links.requires),
    /** Every total of values is a multiple of it: their greatest common divisor. At least 1. */
    grid: gridOf(values),
  };
}

/** Returns the same problem with other capacities. */
export const withCapacities = (core: Core, capacities: readonly number[]): Core => ({ ...core, capacities });

/** A row that every choice of interest keeps: an implied limit (`hard`), or a cut whose weights may be negative. */
export interface Cut {
  readonly weights: Float64Array;
  readonly capacity: number;
  readonly hard: boolean;
}

/** Returns the same problem with further rows; the hard ones come first. */
export const withCuts = (core: Core, cuts: readonly Cut[]): Core => ({
  ...core,
  rows: [...core.rows, ...cuts.map(({ weights }) => weights)],
  capacities: [...core.capacities, ...cuts.map(({ capacity }) => capacity)],
  hard: core.hard + cuts.filter(({ hard }) => hard).length,
});

export const noLinks = (n: number): Links => ({
  group: new Int32Array(n).fill(-1),
  requires: Array.from({ length: n }, () => []),
  excludes: Array.from({ length: n }, () => []),
});

export const hasLinks = (core: Core): boolean =>
  core.members.length > 0 || core.requires.some((list) => list.length > 0) || core.excludes.some((list) => list.length > 0);

export function total(weights: Float64Array, choice: Choice): number {
  let sum = 0;
  for (let i = 0; i < choice.length; i++) if (choice[i] === 1) sum += weights[i] ?? 0;
  return sum;
}

/** Returns whether a choice keeps every constraint of the core. */
export function feasible(core: Core, choice: Choice): boolean {
  for (const [k, row] of core.rows.entries()) if (k < core.hard && total(row, choice) > (core.capacities[k] ?? 0)) return false;
  const taken = new Set<number>();
  for (let i = 0; i < core.n; i++) {
    if (choice[i] !== 1) continue;
    const g = core.group[i] ?? -1;
    if (g >= 0 && taken.has(g)) return false;
    taken.add(g);
    if (core.requires[i]?.some((j) => choice[j] !== 1) === true) return false;
    if (core.excludes[i]?.some((j) => choice[j] === 1) === true) return false;
  }
  return true;
}

/** Returns the rows with the weights of what each item requires added to its own. */
function needsOf(rows: readonly Float64Array[], requires: readonly (readonly number[])[]): readonly Float64Array[] {
  if (requires.every((list) => list.length === 0)) return rows;
  const needs = rows.map((row) => row.slice());
  requires.forEach((list, i) => {
    if (list.length === 0) return;
    const all = [i];
    const isIn = new Uint8Array(requires.length);
    isIn[i] = 1;
    for (const item of all)
      for (const j of requires[item] ?? []) {
        if (isIn[j] === 1) continue;
        isIn[j] = 1;
        all.push(j);
      }
    for (const [k, row] of rows.entries()) {
      let sum = 0;
      for (const j of all) sum += row[j] ?? 0;
      const need = needs[k];
      if (need !== undefined) need[i] = sum;
    }
  });
  return needs;
}

export function gridOf(values: Float64Array): number {
  let g = 0;
  for (const value of values) {
    let a = g;
    let b = value;
    while (b > 0) [a, b] = [b, a % b];
    g = a;
  }
  return g === 0 ? 1 : g;
}
