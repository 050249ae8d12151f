/**
 * Raises the lower bound by destructive tests: a ceiling that no schedule keeps is exceeded by one at least (Carlier and Pinson 1989;
 * Martin and Shmoys 1996). What the rules refute by themselves costs little; the branch and bound refutes more, and ends in a proof that
 * a schedule is optimal, or in a better one, where the shop is small enough.
 */
import { tree_units_max, treeCharsMax } from '../constants.js';
import type { Certificate } from '../result.js';
import { Propagator } from './propagator.js';
import { type Plan, valueOf } from './plan.js';
import { priceBound } from './price-bound.js';
import { type Limits, Refuter } from './refuter.js';
import type { Shop } from './shop.js';

/** The shares of the work that one test may take: by the rules only, by prices, against the best value, and below it. */
const rules_share = 0.01;
const prices_share = 0.2;
const best_share = 0.4;
const step_share = 0.15;
/** Larger shops are seldom proven optimal: all their work goes to bounds. */
const operations_max = 150;
/** The bytes that the windows of all open branches may take. */
const branches_bytes_max = 67_108_864;

export class Prover {
  /** Whether the last value given to `improve` was shown to be optimal. */
  isProven = false;
  /** What shows `bound`; null for the bound that was given. */
  certificate: Certificate | null = null;
  /** The work done on prices. */
  private priced = 0;
  /** The work done on first prices, which no limit counts. */
  private free = 0;
  private readonly propagator: Propagator;
  private readonly refuter: Refuter;

  /** `units` is the work that all tests together may take; `beat` is called with the work done. */
  constructor(
    private readonly shop: Shop,
    public bound: number,
    private readonly units: number,
    private readonly beat: (units: number) => void,
  ) {
    this.propagator = new Propagator(shop, (units) => beat(units + this.priced + this.free));
    this.refuter = new Refuter(this.propagator);
  }

  /** Raises the bound as far as the rules do by themselves, at most to `value`, which a schedule reaches. */
  tighten(value: number): void {
    let high = value;
    while (this.bound < high && this.left > 0) {
      const ceiling = this.bound + Math.floor((high - 1 - this.bound) / 2);
      const { verdict, tree } = this.refuter.attempt(ceiling, this.limits(rules_share, 0));
      if (verdict === 'refuted' && tree !== null) this.take(ceiling + 1, { refutation: tree });
      else high = ceiling;
    }
  }

  /** Seeks a schedule better than `value`, or a proof that there is none, in small shops; returns its operations by start, or null. */
  improve(value: number): Int32Array | null {
    if (value <= this.bound || this.shop.operations > operations_max) return null;
    const { verdict, tree, order } = this.refuter.attempt(value - 1, this.limits(best_share));
    if (verdict === 'refuted') {
      this.isProven = true;
      if (tree !== null) this.take(value, { refutation: tree });
    }
    return order;
  }

  /** Raises the bound, at most to `value`, with the work that is left; returns the operations of a better schedule if it finds one. */
  raise(value: number): Int32Array | null {
    let high = value;
    while (this.bound < high && this.left > 0 && this.depth() > 0) {
      const ceiling = this.bound + Math.floor((high - 1 - this.bound) / 2);
      const { verdict, tree, order } = this.refuter.attempt(ceiling, this.limits(step_share));
      if (order !== null) return order;
      if (verdict === 'refuted' && tree !== null) this.take(ceiling + 1, { refutation: tree });
      else high = ceiling;
    }
    return null;
  }

  /** Raises the bound on weighted tardiness by the price of a machine's time; `plan` is the best schedule known. */
  price(plan: Plan): void {
    if (this.shop.objective === 'makespan' || valueOf(plan) <= this.bound) return;
    const units = Math.floor(this.units * prices_share);
    const prices = priceBound(plan, units, (spent, free) => {
      this.priced = spent;
      this.free = free;
      this.beat(this.propagator.units + spent + free);
    });
    if (prices !== null && prices.bound > this.bound) this.take(prices.bound, prices.certificate);
  }

  private get left(): number {
    return this.units - this.propagator.units - this.priced;
  }

  private take(bound: number, certificate: Certificate): void {
    this.bound = bound;
    this.certificate = certificate;
  }

  private limits(share: number, depth = this.depth()): Limits {
    const search_units = Math.max(0, Math.min(this.left, Math.floor(this.units * share)));
    return { chars: treeCharsMax(this.shop.operations), units: tree_units_max, search_units, depth };
  }

  private depth(): number {
    if (treeCharsMax(this.shop.operations) === 1) return 0;
    const bytes = 8 * this.shop.operations + this.propagator.now.known.length;
    return Math.floor(branches_bytes_max / bytes);
  }
}
