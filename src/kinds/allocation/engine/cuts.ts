/**
 * The cardinality cuts (after Martello and Toth, Operations Research 45, 1997): how many items a choice worth at least `target` holds at most
 * and at least. Each count is itself a Lagrangian bound, over the rows and the value, with one item of each group, rounded to a whole number.
 */
import { fits } from './bound.js';
import type { DualItems } from './dual-choice.js';
import { dualVertex } from './dual-vertex.js';
import type { Core, Cut } from './model.js';

const vertex_steps = 300;
/** The error that a count's bound may have before it is rounded. */
const margin = 1e-6;

export interface CountVertex {
  /** The prices of the core's hard rows, and then that of the value, in items per unit. */
  readonly prices: Float64Array;
  /** The count as a fraction. */
  readonly count: number;
}

/** Returns the items for the dual of a core, with these gains. */
export function dualItems(core: Core, gains: Float64Array): DualItems {
  const usable = Int32Array.from({ length: core.n }, (_, i) => i).filter((i) => fits(core, i));
  return { gains, group: core.group, groups: core.members.length, usable };
}

export function countVertices(core: Core, target: number, spend: (operations: number) => void) {
  const rows = core.rows.slice(0, core.hard).map((weights, k) => ({ weights, capacity: core.capacities[k] ?? 0 }));
  rows.push({ weights: core.values.map((v) => -v), capacity: -target });
  const most = dualVertex(dualItems(core, new Float64Array(core.n).fill(1)), rows, vertex_steps, spend);
  const least = dualVertex(dualItems(core, new Float64Array(core.n).fill(-1)), rows, vertex_steps, spend);
  return {
    most: { prices: most.prices, count: Math.min(core.n, most.bound) },
    least: { prices: least.prices, count: Math.max(0, -least.bound) },
  };
}

/** Returns the rows of the cuts at these counts. */
export const cutRows = (core: Core, most: number, least: number): readonly [Cut, Cut] => [
  { weights: new Float64Array(core.n).fill(1), capacity: most, hard: true },
  { weights: new Float64Array(core.n).fill(-1), capacity: -least, hard: false },
];

/** Returns the most items, rounded safely. */
export const countAbove = ({ count }: CountVertex): number => Math.floor(count + margin);

/** Returns the fewest items, rounded safely. */
export const countBelow = ({ count }: CountVertex): number => Math.ceil(count - margin);
