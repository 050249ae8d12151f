/**
 * Lagrangian relaxation of the free part of a branch-and-bound node: rows, implications and conflicts are priced, groups stay
 * exact (the best member or none). The dual is lowered by the subgradient steps of Held, Wolfe and Crowder (Mathematical
 * Programming 6, 1974).
 */
import { free, type BranchState } from './branch-state.js';
import type { Core } from './model.js';

/** Prices in value per unit: one for each row, and one for each implication and conflict that was ever violated. */
export interface Prices {
  readonly rows: Float64Array;
  readonly requires: Map<number, number>;
  readonly excludes: Map<number, number>;
}

export const noPrices = (core: Core): Prices => ({
  rows: new Float64Array(core.rows.length),
  requires: new Map(),
  excludes: new Map(),
});

export const pairKey = (core: Core, i: number, j: number): number => i * core.n + j;

interface Pair {
  readonly i: number;
  readonly j: number;
  price: number;
}

export class Relaxation {
  /** The value of each item less its prices, under the best prices found. */
  readonly reduced: Float64Array;
  /** The relaxation's choice under the best prices. */
  readonly taken: Uint8Array;
  /** The gain lost when a taken item is left out, or when one not taken is forced in. */
  readonly regret: Float64Array;
  bound = Infinity;
  /** The number of items and links visited by `solve` so far. */
  visits = 0;
  private readonly now: Float64Array;
  private readonly nowTaken: Uint8Array;
  private readonly groupBest: Int32Array;
  private pairs: { readonly requires: Pair[]; readonly excludes: Pair[] } = { requires: [], excludes: [] };
  private priced = 0;

  constructor(
    private readonly core: Core,
    private readonly state: BranchState,
  ) {
    this.reduced = new Float64Array(core.n);
    this.taken = new Uint8Array(core.n);
    this.regret = new Float64Array(core.n);
    this.now = new Float64Array(core.n);
    this.nowTaken = new Uint8Array(core.n);
    this.groupBest = new Int32Array(core.members.length);
  }

  /**
   * Lowers the bound over the items of `list` by at most `steps` steps, or until it does not exceed `target`. `prices` are the
   * start, and hold the best prices afterwards.
   */
  solve(list: Int32Array, prices: Prices, steps: number, target: number): void {
    this.pairs = this.activePairs(list, prices);
    const rows = prices.rows.slice();
    let pace = 1;
    let idle = 0;
    this.bound = Infinity;
    for (let step = 0; step < steps; step++) {
      this.visits += list.length + 4 * (this.pairs.requires.length + this.pairs.excludes.length);
      const bound = this.evaluate(list, rows);
      if (bound < this.bound) {
        if (this.bound - bound > 1e-6 * Math.abs(bound)) idle = 0;
        this.keep(list, rows, prices, bound);
      }
      if (this.bound <= target) return;
      if (++idle >= 6) {
        pace /= 2;
        idle = 0;
        if (pace < 1e-4) break;
      }
      if (!this.move(list, rows, bound - target, pace)) break;
    }
    this.regrets(list);
  }

  private keep(list: Int32Array, rows: Float64Array, prices: Prices, bound: number): void {
    this.bound = bound;
    prices.rows.set(rows);
    for (const { i, j, price } of this.pairs.requires) prices.requires.set(pairKey(this.core, i, j), price);
    for (const { i, j, price } of this.pairs.excludes) prices.excludes.set(pairKey(this.core, i, j), price);
    for (const i of list) {
      this.reduced[i] = this.now[i] ?? 0;
      this.taken[i] = this.nowTaken[i] ?? 0;
    }
  }

  /** Returns the pairs with both ends free: the consequences of a decided end are already applied. */
  private activePairs(list: Int32Array, prices: Prices): { requires: Pair[]; excludes: Pair[] } {
    const requires: Pair[] = [];
    const excludes: Pair[] = [];
    for (const i of list) {
      for (const j of this.core.requires[i] ?? []) {
        if (this.state.status[j] === free) requires.push({ i, j, price: prices.requires.get(pairKey(this.core, i, j)) ?? 0 });
      }
      for (const j of this.core.excludes[i] ?? []) {
        if (j > i && this.state.status[j] === free) {
          excludes.push({ i, j, price: prices.excludes.get(pairKey(this.core, i, j)) ?? 0 });
        }
      }
    }
    return { requires, excludes };
  }

  /** Returns the bound under these prices; leaves the priced values and the choice in `now` and `nowTaken`. */
  private evaluate(list: Int32Array, rows: Float64Array): number {
    const { core, now, nowTaken } = this;
    for (const i of list) now[i] = core.values[i] ?? 0;
    this.priced = this.state.value;
    for (let k = 0; k < rows.length; k++) {
      const price = rows[k] ?? 0;
      if (price === 0) continue;
      const row = core.rows[k] ?? now;
      this.priced += price * (this.state.room[k] ?? 0);
      for (const i of list) now[i] = (now[i] ?? 0) - price * (row[i] ?? 0);
    }
    this.pricePairs();
    this.groupBest.fill(-1);
    let bound = this.priced;
    for (const i of list) {
      nowTaken[i] = 0;
      const gain = now[i] ?? 0;
      if (gain <= 0) continue;
      const g = core.group[i] ?? -1;
      if (g < 0) {
        nowTaken[i] = 1;
        bound += gain;
        continue;
      }
      const rival = this.groupBest[g] ?? -1;
      if (rival >= 0 && (now[rival] ?? 0) >= gain) continue;
      if (rival >= 0) {
        nowTaken[rival] = 0;
        bound -= now[rival] ?? 0;
      }
      this.groupBest[g] = i;
      nowTaken[i] = 1;
      bound += gain;
    }
    return bound;
  }

  private pricePairs(): void {
    const { now } = this;
    for (const { i, j, price } of this.pairs.requires) {
      now[i] = (now[i] ?? 0) - price;
      now[j] = (now[j] ?? 0) + price;
    }
    for (const { i, j, price } of this.pairs.excludes) {
      now[i] = (now[i] ?? 0) - price;
      now[j] = (now[j] ?? 0) - price;
      this.priced += price;
    }
  }

  /**
   * Makes one subgradient step; returns false when the relaxed choice keeps every priced constraint tightly, so that the prices
   * are best.
   */
  private move(list: Int32Array, rows: Float64Array, gap: number, pace: number): boolean {
    const { core, nowTaken, state } = this;
    const slack: number[] = [];
    let norm = 0;
    for (let k = 0; k < rows.length; k++) {
      const row = core.rows[k] ?? this.now;
      const capacity = Math.max(1, core.capacities[k] ?? 1);
      let left = state.room[k] ?? 0;
      for (const i of list) if (nowTaken[i] === 1) left -= row[i] ?? 0;
      const g = left / capacity;
      slack.push(g);
      if (g < 0 || (rows[k] ?? 0) > 0) norm += g * g;
    }
    const weight = 1 / Math.max(1, list.length);
    for (const pair of this.pairs.requires) norm += weight * square(this.slackOf(pair, true));
    for (const pair of this.pairs.excludes) norm += weight * square(this.slackOf(pair, false));
    if (norm === 0) return false;
    const length = (pace * Math.max(gap, 1e-9)) / norm;
    for (let k = 0; k < rows.length; k++) {
      const capacity = Math.max(1, core.capacities[k] ?? 1);
      rows[k] = Math.max(0, (rows[k] ?? 0) - (length * (slack[k] ?? 0)) / capacity);
    }
    for (const pair of this.pairs.requires) pair.price = Math.max(0, pair.price - length * weight * this.slackOf(pair, true));
    for (const pair of this.pairs.excludes) pair.price = Math.max(0, pair.price - length * weight * this.slackOf(pair, false));
    return true;
  }

  private slackOf(pair: Pair, requires: boolean): number {
    const a = this.nowTaken[pair.i] ?? 0;
    const b = this.nowTaken[pair.j] ?? 0;
    const slack = requires ? b - a : 1 - a - b;
    return slack > 0 && pair.price === 0 ? 0 : slack;
  }

  /** Computes the loss of the bound when each item is decided against the relaxation's choice. */
  private regrets(list: Int32Array): void {
    const first = new Float64Array(this.core.members.length);
    const second = new Float64Array(this.core.members.length);
    for (const i of list) {
      const g = this.core.group[i] ?? -1;
      const gain = this.reduced[i] ?? 0;
      if (g < 0) continue;
      if (gain > (first[g] ?? 0)) {
        second[g] = first[g] ?? 0;
        first[g] = gain;
      } else if (gain > (second[g] ?? 0)) second[g] = gain;
    }
    for (const i of list) {
      const g = this.core.group[i] ?? -1;
      const gain = this.reduced[i] ?? 0;
      if (this.taken[i] === 1) this.regret[i] = gain - (g < 0 ? 0 : (second[g] ?? 0));
      else this.regret[i] = (g < 0 ? 0 : (first[g] ?? 0)) - gain;
    }
  }
}

const square = (x: number): number => x * x;
