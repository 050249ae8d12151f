/** The mission in millionths, as big integers, read again from the request: totals, feasibility and the obstacles to an item. */
import type { AllocationWork } from '../work.js';
import { need } from '../../claims.js';

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
export const plainNumber = (amount: bigint): number => Number(`${amount / million}.${String(amount % million).padStart(6, '0')}`);

export type Sums = Readonly<Record<'value' | 'cost' | 'risk', bigint>>;

export class Request {
  readonly values: readonly bigint[];
  readonly costs: readonly bigint[];
  readonly risks: readonly bigint[];
  readonly index: ReadonlyMap<string, number>;
  /** Limit on risk in millionths, null without one. */
  readonly riskLimit: bigint | null;
  /** The items that every choice holds. */
  readonly must: ReadonlySet<number>;
  private readonly links: readonly Record<'requires' | 'excludes', readonly number[]>[];
  /** What holding each item takes: of itself and all that it requires, with what must be chosen; null where links or groups forbid it. */
  private readonly takes: readonly (Pick<Sums, 'cost' | 'risk'> | null)[];

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
    const places = (ids: readonly string[] = []): number[] => ids.map((id) => this.index.get(id) ?? 0);
    this.links = work.items.map(({ requires, excludes }) => ({ requires: places(requires), excludes: places(excludes) }));
    this.riskLimit = work.max_risk === undefined ? null : capacity(work.max_risk, this.risks);
    this.must = this.closure(work.items.flatMap(({ required }, i) => (required === true ? [i] : [])));
    this.takes = work.items.map((item, i) => {
      const all = item.requires === undefined ? new Set(this.must).add(i) : this.closure([...this.must, i]);
      return all.size > 1 && !this.isPeaceful(all) ? null : this.sums(all);
    });
  }

  budget(limit: number): bigint {
    return capacity(limit, this.costs);
  }

  sums(chosen: ReadonlySet<number>): Sums {
    const add = (column: readonly bigint[]): bigint => {
      let sum = 0n;
      for (const i of chosen) sum += column[i] ?? 0n;
      return sum;
    };
    return { value: add(this.values), cost: add(this.costs), risk: add(this.risks) };
  }

  /** Returns items with all that they require. */
  private closure(items: readonly number[]): ReadonlySet<number> {
    const all = [...items];
    const isIn = this.marked(all);
    for (const i of all)
      for (const j of this.links[i]?.requires ?? []) {
        if (isIn[j] === 1) continue;
        isIn[j] = 1;
        all.push(j);
      }
    return new Set(all);
  }

  /** Returns 1 for each of these items: a set of numbers would take too long where items have hundreds of links. */
  private marked(items: Iterable<number>): Uint8Array {
    const isIn = new Uint8Array(this.links.length);
    for (const i of items) isIn[i] = 1;
    return isIn;
  }

  /** Returns whether no two of these items exclude each other or share a group. */
  private isPeaceful(chosen: ReadonlySet<number>): boolean {
    const groups = new Set<string>();
    const isIn = this.marked(chosen);
    for (const i of chosen) {
      const { group } = this.work.items[i] ?? {};
      if (group !== undefined && groups.has(group)) return false;
      if (group !== undefined) groups.add(group);
      if (this.links[i]?.excludes.some((j) => isIn[j] === 1) === true) return false;
    }
    return true;
  }

  /** Returns whether some choice within this budget can hold an item. */
  holdable(i: number, budget: bigint): boolean {
    const takes = this.takes[i] ?? null;
    return takes !== null && takes.cost <= budget && (this.riskLimit === null || takes.risk <= this.riskLimit);
  }

  /** Returns whether an item is beyond every choice because of its links: not only because of its own cost or risk. */
  impossible(i: number, budget: bigint): boolean {
    if (this.takes[i] === null) return true;
    const own = this.sums(new Set(this.must).add(i));
    const isAffordable = own.cost <= budget && (this.riskLimit === null || own.risk <= this.riskLimit);
    return isAffordable && !this.holdable(i, budget);
  }

  /** Returns a description of the first broken constraint, or null. */
  broken(chosen: ReadonlySet<number>, budget: number): string | null {
    const sums = this.sums(chosen);
    if (sums.cost > this.budget(budget)) return 'the budget is exceeded';
    if (this.riskLimit !== null && sums.risk > this.riskLimit) return 'max_risk is exceeded';
    return this.brokenLink(chosen);
  }

  /** Returns the same for what is not a limit: what must be chosen, groups, requirements and exclusions. */
  brokenLink(chosen: ReadonlySet<number>): string | null {
    for (const i of this.must) if (!chosen.has(i)) return `${this.work.items[i]?.id ?? ''} must be chosen`;
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
