/**
 * The full table of the dynamic programme (Bellman), for the few instances whose core does not close: one row of values over all
 * weights, and one bit for each item and weight to reconstruct the choice. Items that the bound settles are left out first.
 */
import type { CoreItems } from './core-dp.js';
import type { LineDual } from './dual-line.js';
import type { Choice } from './model.js';

interface Reduced {
  /** The items that are still open. */
  readonly open: readonly number[];
  /** The choice among the settled items. */
  readonly base: Choice;
  readonly room: number;
}

/** Settles the items whose flip the bound rules out for any choice worth more than `best`. */
function reduce(items: CoreItems, dual: LineDual, best: number): Reduced {
  const base = new Uint8Array(items.values.length);
  const open: number[] = [];
  let room = items.capacity;
  // A better choice is worth at least one grid step more, less a margin for the rounding of the bound.
  const slack = items.grid - Math.max(items.grid * 1e-6, dual.bound * 1e-12);
  for (let i = 0; i < base.length; i++) {
    const weight = items.weights[i] ?? 0;
    const reduced = (items.values[i] ?? 0) - dual.lambda * weight - dual.sigma;
    if (dual.bound - Math.abs(reduced) > best + slack) open.push(i);
    else if (reduced > 0) {
      base[i] = 1;
      room -= weight;
    }
  }
  return { open, base, room };
}

/**
 * Returns the best choice if the table has at most `cells_max` cells.
 * @returns the choice (null when none is better than `best`) and the cells used; null when the table would be larger
 */
export function searchTable(
  items: CoreItems,
  dual: LineDual,
  best: number,
  cells_max: number,
  tick: (cells: number) => void,
): { readonly choice: Choice | null; readonly cells: number } | null {
  const { open, base, room } = reduce(items, dual, best);
  const width = room + 1;
  if (room < 0) return { choice: null, cells: 0 };
  if (open.length * width > cells_max) return null;
  const worth = new Float64Array(width);
  const words = Math.ceil(width / 32);
  const taken = open.map((i, k) => {
    tick((k + 1) * width);
    return fillRow(worth, items.weights[i] ?? 0, items.values[i] ?? 0, words);
  });
  const choice = base.slice();
  let value = 0;
  let left = room;
  for (let k = open.length - 1; k >= 0; k--) {
    const i = open[k] ?? 0;
    if ((((taken[k]?.[left >>> 5] ?? 0) >>> (left & 31)) & 1) === 0) continue;
    choice[i] = 1;
    left -= items.weights[i] ?? 0;
  }
  for (let i = 0; i < choice.length; i++) if (choice[i] === 1) value += items.values[i] ?? 0;
  return { choice: value > best ? choice : null, cells: open.length * width };
}

/** Enters one item; a bit is set where taking it is better. */
function fillRow(worth: Float64Array, weight: number, value: number, words: number): Int32Array {
  const bits = new Int32Array(words);
  for (let w = worth.length - 1; w >= weight; w--) {
    const other = (worth[w - weight] ?? 0) + value;
    if (other <= (worth[w] ?? 0)) continue;
    worth[w] = other;
    bits[w >>> 5] = (bits[w >>> 5] ?? 0) | (1 << (w & 31));
  }
  return bits;
}
