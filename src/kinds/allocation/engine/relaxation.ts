/**
 * Lagrangian relaxation of the free part of a branch-and-bound node: rows, implications and conflicts are priced, groups stay
 * exact (the best member or none). The dual is lowered by the subgradient steps of Held, Wolfe and Crowder (Mathematical
 * Programming 6, 1974).
 */
import { free, type BranchState } from './branch-state.js';
import type { LinkPairs } from './links.js';
import type { Core } from './model.js';

/** What a relaxation bounds: the total of an objective over the choices of a node, with prices for some rows. */
interface Aim {
  readonly objective: Float64Array;
  /** The indices of the priced rows. */
  readonly rows: readonly number[];
  /** Returns the objective of the items chosen so far. */
  readonly sofar: () => number;
}

export class Relaxation {
  /** The value of each item less its prices, under the best prices found. */
  readonly reduced: Float64Array;
  /** The relaxation's choice under the best prices. */
  readonly taken: Uint8Array;
  /** The gain lost when a taken item is left out, or when one not taken is forced in. */
  readonly regret: Float64Array;
  bound = Infinity;
  /** The number of visits of items and links so far. */
  operations = 0;
  private readonly now: Float64Array;
  private readonly nowTaken: Uint8Array;
  private readonly groupBest: Int32Array;
  private readonly first: Float64Array;
  private readonly second: Float64Array;
  private readonly slack: Float64Array;
  /** The total of each priced row, without signs. */
  private readonly sizes: Float64Array;
  /** The prices of the pairs in this step, and the pairs whose ends are both free. */
  private readonly pairPrice: Float64Array;
  private readonly active: Int32Array;
  private activeSize = 0;
  private priced = 0;

  constructor(
    private readonly core: Core,
    private readonly state: BranchState,
    private readonly pairs: LinkPairs,
    private readonly aim: Aim,
  ) {
    this.reduced = new Float64Array(core.n);
    this.taken = new Uint8Array(core.n);
    this.regret = new Float64Array(core.n);
    this.now = new Float64Array(core.n);
    this.nowTaken = new Uint8Array(core.n);
    this.groupBest = new Int32Array(core.members.length);
    this.first = new Float64Array(core.members.length);
    this.second = new Float64Array(core.members.length);
    this.slack = new Float64Array(aim.rows.length);
    this.sizes = Float64Array.from(aim.rows, (k) => (core.rows[k] ?? aim.objective).reduce((sum, w) => sum + Math.abs(w), 0));
    this.pairPrice = new Float64Array(pairs.size);
    this.active = new Int32Array(pairs.size);
  }

  /** The indices of the priced rows. */
  get rows(): readonly number[] {
    return this.aim.rows;
  }

  /** Returns the operations of one step over a list, as far as they are known before it. */
  stepOperations(list: Int32Array): number {
    return list.length * (2 + 2 * this.aim.rows.length) + 6 * this.activeSize;
  }

  /**
   * Lowers the bound over the items of `list` by at most `steps` steps, or until it does not exceed `target`. `prices` are the
   * start of the rows' prices, and hold the best prices afterwards; those of links are kept in the pairs.
   */
  solve(list: Int32Array, prices: Float64Array, steps: number, target: number): void {
    this.activate(list);
    const rows = prices.slice();
    let pace = 1;
    let idle = 0;
    this.bound = Infinity;
    for (let step = 0; step < steps; step++) {
      this.operations += this.stepOperations(list);
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

  private keep(list: Int32Array, rows: Float64Array, prices: Float64Array, bound: number): void {
    this.bound = bound;
    prices.set(rows);
    for (let a = 0; a < this.activeSize; a++) {
      const pair = this.active[a] ?? 0;
      this.pairs.price[pair] = this.pairPrice[pair] ?? 0;
    }
    for (const i of list) {
      this.reduced[i] = this.now[i] ?? 0;
      this.taken[i] = this.nowTaken[i] ?? 0;
    }
  }

  /** Collects the pairs with both ends free: the consequences of a decided end are already applied. */
  private activate(list: Int32Array): void {
    this.activeSize = 0;
    if (this.pairs.size === 0) return;
    for (const i of list) {
      const own = this.pairs.of[i] ?? [];
      this.operations += 1 + own.length;
      for (const pair of own) {
        if (this.state.status[this.pairs.to[pair] ?? 0] !== free) continue;
        this.active[this.activeSize++] = pair;
        this.pairPrice[pair] = this.pairs.price[pair] ?? 0;
      }
    }
  }

  /** Returns the bound under these prices; leaves the priced values and the choice in `now` and `nowTaken`. */
  private evaluate(list: Int32Array, rows: Float64Array): number {
    const { core, aim, now, nowTaken, groupBest } = this;
    for (const i of list) now[i] = aim.objective[i] ?? 0;
    this.priced = aim.sofar();
    for (let k = 0; k < rows.length; k++) {
      const price = rows[k] ?? 0;
      if (price === 0) continue;
      const at = aim.rows[k] ?? 0;
      const row = core.rows[at] ?? now;
      const room = this.state.room[at] ?? 0;
      // High prices of opposite rows cancel out: what rounding may have lost is added, so that the bound stays one.
      this.priced += price * room + price * (Math.abs(room) + (this.sizes[k] ?? 0)) * rounding;
      for (const i of list) now[i] = (now[i] ?? 0) - price * (row[i] ?? 0);
    }
    this.pricePairs();
    for (const i of list) {
      const g = core.group[i] ?? -1;
      if (g >= 0) groupBest[g] = -1;
    }
    let bound = this.priced;
    for (const i of list) {
      nowTaken[i] = 0;
      const gain = now[i] ?? 0;
      if (gain <= 0) continue;
      const g = core.group[i] ?? -1;
      if (g >= 0) {
        const rival = groupBest[g] ?? -1;
        if (rival >= 0 && (now[rival] ?? 0) >= gain) continue;
        if (rival >= 0) {
          nowTaken[rival] = 0;
          bound -= now[rival] ?? 0;
        }
        groupBest[g] = i;
      }
      nowTaken[i] = 1;
      bound += gain;
    }
    return bound;
  }

  private pricePairs(): void {
    const { now, pairs } = this;
    for (let a = 0; a < this.activeSize; a++) {
      const pair = this.active[a] ?? 0;
      const price = this.pairPrice[pair] ?? 0;
      if (price === 0) continue;
      const i = pairs.from[pair] ?? 0;
      const j = pairs.to[pair] ?? 0;
      now[i] = (now[i] ?? 0) - price;
      if (pairs.implies(pair)) now[j] = (now[j] ?? 0) + price;
      else {
        now[j] = (now[j] ?? 0) - price;
        this.priced += price;
      }
    }
  }

  /**
   * Makes one subgradient step; returns false when the relaxed choice keeps every priced constraint tightly, so that the prices
   * are best.
   */
  private move(list: Int32Array, rows: Float64Array, gap: number, pace: number): boolean {
    const { core, nowTaken, state, slack } = this;
    let norm = 0;
    for (let k = 0; k < rows.length; k++) {
      const at = this.aim.rows[k] ?? 0;
      const row = core.rows[at] ?? this.now;
      let left = state.room[at] ?? 0;
      for (const i of list) if (nowTaken[i] === 1) left -= row[i] ?? 0;
      const g = left / this.size(k);
      slack[k] = g;
      if (g < 0 || (rows[k] ?? 0) > 0) norm += g * g;
    }
    const weight = 1 / Math.max(1, list.length);
    for (let a = 0; a < this.activeSize; a++) norm += weight * square(this.slackOf(this.active[a] ?? 0));
    if (norm === 0) return false;
    const length = (pace * Math.max(gap, 1e-9)) / norm;
    for (let k = 0; k < rows.length; k++) {
      rows[k] = Math.max(0, (rows[k] ?? 0) - (length * (slack[k] ?? 0)) / this.size(k));
    }
    for (let a = 0; a < this.activeSize; a++) {
      const pair = this.active[a] ?? 0;
      this.pairPrice[pair] = Math.max(0, (this.pairPrice[pair] ?? 0) - length * weight * this.slackOf(pair));
    }
    return true;
  }

  /** Returns the unit in which the slack of a row is measured. */
  private size(k: number): number {
    return Math.max(1, Math.abs(this.core.capacities[this.aim.rows[k] ?? 0] ?? 1));
  }

  private slackOf(pair: number): number {
    const a = this.nowTaken[this.pairs.from[pair] ?? 0] ?? 0;
    const b = this.nowTaken[this.pairs.to[pair] ?? 0] ?? 0;
    const slack = this.pairs.implies(pair) ? b - a : 1 - a - b;
    return slack > 0 && (this.pairPrice[pair] ?? 0) === 0 ? 0 : slack;
  }

  /** Computes the loss of the bound when each item is decided against the relaxation's choice. */
  private regrets(list: Int32Array): void {
    const { first, second, core } = this;
    this.operations += 3 * list.length;
    for (const i of list) {
      const g = core.group[i] ?? -1;
      if (g >= 0) first[g] = second[g] = 0;
    }
    for (const i of list) {
      const g = core.group[i] ?? -1;
      const gain = this.reduced[i] ?? 0;
      if (g < 0) continue;
      if (gain > (first[g] ?? 0)) {
        second[g] = first[g] ?? 0;
        first[g] = gain;
      } else if (gain > (second[g] ?? 0)) second[g] = gain;
    }
    for (const i of list) {
      const g = core.group[i] ?? -1;
      const gain = this.reduced[i] ?? 0;
      if (this.taken[i] === 1) this.regret[i] = gain - (g < 0 ? 0 : (second[g] ?? 0));
      else this.regret[i] = (g < 0 ? 0 : (first[g] ?? 0)) - gain;
    }
  }
}

/** More than the relative error of a sum over all items. */
const rounding = 1e-14;

const square = (x: number): number => x * x;
