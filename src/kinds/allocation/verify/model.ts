/** The mission in millionths, as big integers, read again from the request: totals, feasibility and the obstacles to an item. */
import { round12 } from '../../../base/decimal.js';
import type { AllocationWork } from '../work.js';
import { need } from './shape.js';

const million = 1_000_000n;

/** Returns ⌊x · 10^6⌋ and whether nothing was cut off; x ≥ 0. */
function millionths(x: number): { readonly amount: bigint; readonly whole: boolean } {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(x));
  need(match !== null, 'numbers must be finite and not negative');
  const digits = BigInt((match[1] ?? '') + (match[2] ?? ''));
  let shift = 6 - (match[2] ?? '').length + Number(match[3] ?? 0);
  let amount = digits;
  let whole = true;
  for (; shift > 0; shift--) amount *= 10n;
  for (; shift < 0; shift++) {
    if (amount % 10n !== 0n) whole = false;
    amount /= 10n;
  }
  return { amount, whole };
}

/** Returns millionths as the number that a result shows. */
export function plainNumber(amount: bigint): number {
  const fraction = amount % million;
  if (fraction === 0n) return Number(amount / million);
  return round12(Number(`${amount / million}.${String(fraction).padStart(6, '0')}`));
}

export interface Sums {
  readonly value: bigint;
  readonly cost: bigint;
  readonly risk: bigint;
}

export class Request {
  readonly values: readonly bigint[];
  readonly costs: readonly bigint[];
  readonly risks: readonly bigint[];
  readonly index: ReadonlyMap<string, number>;
  /** Limit on risk in millionths, null without one. */
  readonly riskLimit: bigint | null;

  constructor(readonly work: AllocationWork) {
    const read = (x: number): bigint => {
      const { amount, whole } = millionths(x);
      need(whole, 'the request has numbers with more than six decimal places');
      return amount;
    };
    this.values = work.items.map((item) => read(item.value));
    this.costs = work.items.map((item) => read(item.cost));
    this.risks = work.items.map((item) => read(item.risk));
    this.index = new Map(work.items.map((item, i) => [item.id, i]));
    this.riskLimit = work.max_risk === undefined ? null : capacity(work.max_risk, this.risks);
  }

  budget(limit: number): bigint {
    return capacity(limit, this.costs);
  }

  sums(chosen: ReadonlySet<number>): Sums {
    const add = (column: readonly bigint[]): bigint => column.reduce((sum, x, i) => (chosen.has(i) ? sum + x : sum), 0n);
    return { value: add(this.values), cost: add(this.costs), risk: add(this.risks) };
  }

  /** Returns a description of the first broken constraint, or null. */
  broken(chosen: ReadonlySet<number>, budget: number): string | null {
    const sums = this.sums(chosen);
    if (sums.cost > this.budget(budget)) return 'the budget is exceeded';
    if (this.riskLimit !== null && sums.risk > this.riskLimit) return 'max_risk is exceeded';
    const groups = new Set<string>();
    for (const i of chosen) {
      const item = this.work.items[i];
      if (item === undefined) return 'an item is unknown';
      if (item.group !== undefined && groups.has(item.group)) return `group ${item.group} has two chosen items`;
      if (item.group !== undefined) groups.add(item.group);
      if (this.missing(i, chosen)) return `${item.id} lacks an item that it requires`;
      if (this.barred(i, chosen)) return `${item.id} is chosen beside an item that it excludes`;
    }
    return null;
  }

  missing(i: number, chosen: ReadonlySet<number>): boolean {
    return (this.work.items[i]?.requires ?? []).some((id) => !chosen.has(this.index.get(id) ?? -1));
  }

  /** Returns whether a chosen item and item i exclude each other, whichever of them declares it. */
  barred(i: number, chosen: ReadonlySet<number>): boolean {
    const own = this.work.items[i];
    if (own?.excludes?.some((id) => chosen.has(this.index.get(id) ?? -1)) === true) return true;
    for (const k of chosen)
      if (k !== i && own !== undefined && this.work.items[k]?.excludes?.includes(own.id) === true) return true;
    return false;
  }
}

/** Returns a limit in steps of the coarsest power of ten that all amounts are multiples of, at most their sum. */
function capacity(limit: number, amounts: readonly bigint[]): bigint {
  let step = million;
  while (step > 1n && amounts.some((amount) => amount % step !== 0n)) step /= 10n;
  const all = amounts.reduce((sum, amount) => sum + amount, 0n);
  const floor = (millionths(limit).amount / step) * step;
  return floor < all ? floor : all;
}
