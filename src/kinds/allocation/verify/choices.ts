/** Compares the choices that multipliers leave: those whose gains fall short of the greatest ones by at most the gap. Shares no code with the engine. */
import { equal, need } from '../../claims.js';
import { choicesMax } from '../constants.js';
import type { Request, Sums } from './model.js';

export interface Left {
  readonly request: Request;
  /** What each item gains at the prices, and whether some choice can hold it. */
  readonly gain: readonly bigint[];
  readonly fits: readonly boolean[];
  /** How far the gains of a better choice fall short of the greatest ones at most, not below 0. */
  readonly gap: bigint;
  readonly budget: bigint;
  /** The value of the choice than which no other is better. */
  readonly value: bigint;
}

/** One item in place of another; null for none. */
interface Swap {
  readonly out: number | null;
  readonly in: number | null;
  readonly loss: bigint;
}

/** A choice that differs by some swaps from the one of the greatest gains. */
interface Choice extends Sums {
  readonly swaps: readonly Swap[];
  /** The first list from which it may still swap. */
  readonly next: number;
  readonly gap: bigint;
}

/** Checks that so many choices are left, and that none of them is better. */
export function checkChoices(choices: number, left: Left): void {
  const { request, gap, budget, value } = left;
  const { greatest, lists } = swapLists(left);
  const open: Choice[] = [{ ...request.sums(greatest), swaps: [], next: 0, gap }];
  const most = choicesMax(request.work.items.length);
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    need(++count <= most, `the multipliers leave more than ${most} choices`);
    const isWithin = at.cost <= budget && (request.riskLimit === null || at.risk <= request.riskLimit);
    if (at.value > value && isWithin)
      need(request.brokenLink(swapped(greatest, at.swaps)) !== null, 'a choice that the multipliers leave is better');
    for (let k = at.next; k < lists.length && (lists[k]?.[0]?.loss ?? 0n) <= at.gap; k++)
      for (const swap of lists[k] ?? []) if (swap.loss <= at.gap) open.push(after(request, at, swap, k + 1));
  }
  equal(choices, count, 'certificate.choices');
}

/** Returns the choice of the greatest gains, and the swaps of each group and of each item without one, the least losses first. */
function swapLists({ request: { work, must }, gain, fits }: Left) {
  const places = new Map<string | number, number[]>();
  for (const [i, { group = i }] of work.items.entries())
    if (!must.has(i) && fits[i] === true) places.set(group, [...(places.get(group) ?? []), i]);
  const greatest = new Set(must);
  const gainOf = (i: number | null): bigint => (i === null ? 0n : (gain[i] ?? 0n));
  const lists = [...places.values()].map((items) => {
    const best = items.reduce<number | null>((most, i) => (gainOf(i) > gainOf(most) ? i : most), null);
    if (best !== null) greatest.add(best);
    return [null, ...items]
      .filter((i) => i !== best)
      .map((i): Swap => ({ out: best, in: i, loss: gainOf(best) - gainOf(i) }))
      .sort((a, b) => Number(a.loss > b.loss) - Number(a.loss < b.loss));
  });
  const least = (list: readonly Swap[]): bigint => list[0]?.loss ?? 0n;
  return { greatest, lists: lists.sort((a, b) => Number(least(a) > least(b)) - Number(least(a) < least(b))) };
}

function swapped(greatest: ReadonlySet<number>, swaps: readonly Swap[]): ReadonlySet<number> {
  const chosen = new Set(greatest);
  for (const swap of swaps) {
    if (swap.out !== null) chosen.delete(swap.out);
    if (swap.in !== null) chosen.add(swap.in);
  }
  return chosen;
}

function after({ values, costs, risks }: Request, at: Choice, swap: Swap, next: number): Choice {
  const change = (column: readonly bigint[]): bigint =>
    (swap.in === null ? 0n : (column[swap.in] ?? 0n)) - (swap.out === null ? 0n : (column[swap.out] ?? 0n));
  return {
    value: at.value + change(values),
    cost: at.cost + change(costs),
    risk: at.risk + change(risks),
    swaps: [...at.swaps, swap],
    next,
    gap: at.gap - swap.loss,
  };
}
