/**
 * Closes the gap between a choice and its Lagrangian bound: compares all choices that the bound leaves, whose gains fall short of the greatest ones
 * by no more than the gap (Handler and Zang 1980, who rank the solutions of the relaxation).
 */
import { type exactBound, fits } from './bound.js';
import { type Choice, type Core, feasible } from './model.js';

/** What else a single item or a group may hold; −1 for nothing. */
interface Swap {
  /** How much less is gained. */
  readonly loss: bigint;
  readonly from: number;
  readonly to: number;
}

/** Returns the swaps of each item without a group and of each group, the least losses first, and the choice of the greatest gains. */
function swapsOf(core: Core, gains: readonly bigint[]) {
  const greatest: Choice = new Uint8Array(core.n);
  const gainOf = (i: number): bigint => gains[i] ?? 0n;
  const single = Array.from(core.group, (g, i) => (g < 0 ? [i] : [])).filter((members) => members.length > 0);
  const swaps = [...single, ...core.members].map((members) => {
    const options = [-1, ...members.filter((i) => fits(core, i))].toSorted((a, b) => compare(gainOf(b), gainOf(a)));
    const [from = -1, ...others] = options;
    if (from >= 0) greatest[from] = 1;
    return others.map((to): Swap => ({ loss: gainOf(from) - gainOf(to), from, to }));
  });
  const least = ([swap]: readonly Swap[]): bigint => swap?.loss ?? 0n;
  return { greatest, swaps: swaps.filter((of) => of.length > 0).toSorted((a, b) => compare(least(a), least(b))) };
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns how many choices the bound leaves.
 * @param value that of the best choice known, in grid units
 * @returns null where there are more than `most`, or one is better
 */
export function choicesLeft(
  core: Core,
  { gains, sum, unit }: ReturnType<typeof exactBound>,
  value: number,
  most: number,
): number | null {
  const { greatest: choice, swaps } = swapsOf(core, gains);
  let total = core.values.reduce((all, v, i) => all + v * (choice[i] ?? 0), 0);
  let count = 0;
  const put = (i: number, held: 0 | 1): void => {
    if (i < 0) return;
    choice[i] = held;
    total += (core.values[i] ?? 0) * (held === 1 ? 1 : -1);
  };
  const goOn = (first: number, gap: bigint): boolean => {
    if (++count > most || (total > value && feasible(core, choice))) return false;
    let end = first;
    while (end < swaps.length && (swaps[end]?.[0]?.loss ?? 0n) <= gap) end++;
    // From the last one on: when a set of swaps is reached, its subsets without the first swap were, so that it is small.
    for (let k = end - 1; k >= first; k--) {
      for (const { loss, from, to } of swaps[k] ?? []) {
        if (loss > gap) break;
        put(from, 0);
        put(to, 1);
        const isDone = goOn(k + 1, gap - loss);
        put(to, 0);
        put(from, 1);
        if (!isDone) return false;
      }
    }
    return true;
  };
  return goOn(0, sum - BigInt(value + core.grid) * unit) ? count : null;
}
