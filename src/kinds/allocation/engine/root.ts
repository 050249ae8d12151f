/** The start of the branch and bound: the cuts that its relaxation prices, and the prices of the root. */
import type { CountAim } from './count-test.js';
import { countAbove, countBelow, countVertices, cutRows, dualItems } from './cuts.js';
import { dualVertex } from './dual-vertex.js';
import type { Work } from './effort.js';
import type { LinkPairs } from './links.js';
import { withCuts, type Core } from './model.js';
import type { Relaxation } from './relaxation.js';

const root_steps = 300;
/** The steps that every root takes, unless the operations are too few for them. */
const root_steps_min = 100;
const root_operations_min = 5_000_000;
const vertex_steps = 300;
/** The most rows beside which the cuts are priced. */
const cut_rows_max = 2;
/** The numbers of items are tested if a better choice can hold at most this many more than it must. */
const window_max = 3;

export interface RootCuts {
  /** The core with the rows of the cardinality cuts (at most, at least) and of the values. */
  readonly core: Core;
  /** The index of the first of these rows; −1 without cuts. */
  readonly first: number;
  /** The most and the fewest items that a better choice holds. */
  readonly most: number;
  readonly least: number;
  /** The tests of single numbers of items; none where there are too many numbers. */
  readonly tests: readonly CountAim[];
}

export const withoutCuts = (core: Core): RootCuts => ({ core, first: -1, most: core.n, least: 0, tests: [] });

/** Returns the cuts of a tree for choices worth at least `target`. */
export function rootCuts(core: Core, target: number, work: Work): RootCuts {
  if (core.rows.length > cut_rows_max) return withoutCuts(core);
  const vertices = countVertices(core, target, (operations) => work.spend(operations));
  const [most, least] = [countAbove(vertices.most), countBelow(vertices.least)];
  const values = { weights: core.values.map((v) => -v), capacity: -target, hard: false };
  const first = core.rows.length;
  const rows = [...core.rows.map((_, k) => k), first + 2];
  const tests: CountAim[] = [
    { sign: 1, rows, prices: vertices.most.prices },
    { sign: -1, rows, prices: vertices.least.prices },
  ];
  return {
    core: withCuts(core, [...cutRows(core, most, least), values]),
    first,
    most,
    least,
    tests: most - least > window_max ? [] : tests,
  };
}

/**
 * Lowers the bound at the root: the exact prices of only the rows, then subgradient steps over rows and links, then the exact prices of the
 * rows beside those of the links.
 * @returns the prices of the rows; the relaxation and the pairs hold the rest
 */
export function rootPrices(
  core: Core,
  relaxation: Relaxation,
  pairs: LinkPairs,
  list: Int32Array,
  target: number,
  work: Work,
): Float64Array {
  const spend = (operations: number): void => work.spend(operations);
  const rows = relaxation.rows.map((k) => ({ weights: core.rows[k] ?? core.values, capacity: core.capacities[k] ?? 0 }));
  const vertex = (): Float64Array => {
    const items = { ...dualItems(core, pairs.gains(core.values)), usable: list };
    return dualVertex(items, rows, vertex_steps, spend).prices;
  };
  const prices = vertex();
  relaxation.solve(list, prices, 1, target);
  if (pairs.size === 0) return prices;
  const per_step = relaxation.stepOperations(list);
  const least = Math.min(root_steps_min, Math.ceil(root_operations_min / per_step));
  const affordable = Math.floor(work.left / 4 / per_step);
  relaxation.solve(list, prices, Math.max(least, Math.min(root_steps, affordable)), target);
  const before = relaxation.bound;
  const after = vertex();
  relaxation.solve(list, after, 1, target);
  if (relaxation.bound <= before) return after;
  relaxation.solve(list, prices, 1, target);
  return prices;
}
