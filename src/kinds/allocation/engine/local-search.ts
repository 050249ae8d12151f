/**
 * Iterated local search from the best known choice: a few random items are exchanged, the rows repaired by dropping the items of the lowest
 * value after prices, the room filled again, and now and then pairs of items exchanged while that gains. Requirements, exclusions and groups
 * are kept by every step. Deterministic: the random numbers come from the mission's seed.
 */
import type { Prng } from '../../../base/prng.js';
import type { Work } from './effort.js';
import { PairExchange } from './pair-exchange.js';
import { Portfolio } from './portfolio.js';
import type { Choice, Core } from './model.js';

export interface SearchArea {
  /** Items by falling value after prices per priced weight; the moves are among them. */
  readonly items: Int32Array;
  /** The same items, those first to which the relaxation is most indifferent. */
  readonly near: Int32Array;
}

const kick_max = 4;
/** The rounds without a better choice after which the search goes back to the best one. */
const patience = 60;
/** One round in this many ends with exchanges of pairs, besides those that come close to the best choice. */
const pair_rounds = 8;

/**
 * @param operations_max the operations that the search may use
 * @param target a value at which the search ends: nothing better exists
 */
export const localSearch = (
  core: Core,
  start: Choice,
  area: SearchArea,
  random: Prng,
  work: Work,
  operations_max: number,
  target: number,
): Choice => new LocalSearch(core, start, area, random).run(work, operations_max, target);

class LocalSearch {
  private readonly now: Portfolio;
  private best: Choice;
  private bestValue: number;
  private readonly tabu: Uint8Array;
  private readonly kicked: number[] = [];
  private readonly pairs: PairExchange;

  constructor(
    private readonly core: Core,
    start: Choice,
    private readonly area: SearchArea,
    private readonly random: Prng,
  ) {
    this.now = new Portfolio(core, start);
    this.best = start.slice();
    this.bestValue = this.now.value;
    this.tabu = new Uint8Array(core.n);
    this.pairs = new PairExchange(core);
  }

  run(work: Work, operations_max: number, target: number): Choice {
    const end = work.operations + operations_max;
    let idle = 0;
    let reference = this.bestValue;
    if (this.area.items.length > 0) {
      this.fill();
      this.exchangePairs();
    }
    this.record();
    this.spend(work);
    while (work.operations < end && this.bestValue < target && this.area.items.length > 1) {
      const mark = this.now.mark();
      this.kick();
      if (this.repair()) {
        this.fill();
        if (this.now.value > 2 * this.bestValue - target || this.random.below(pair_rounds) === 0) this.exchangePairs();
      } else this.now.undo(mark);
      const gained = this.record();
      idle = gained ? 0 : idle + 1;
      const allowed = this.random.below(4) === 0 ? this.tolerance(target) : 0;
      if (this.now.value >= reference - allowed) {
        this.now.keep();
        reference = this.now.value;
      } else this.now.undo(mark);
      if (idle >= patience) {
        this.now.load(this.best);
        reference = this.bestValue;
        idle = 0;
      }
      this.spend(work);
    }
    return this.best;
  }

  private spend(work: Work): void {
    work.spend(this.now.operations);
    this.now.operations = 0;
  }

  /** Returns by how much a round may end below the last one: a random part of the distance to the bound. */
  private tolerance(target: number): number {
    return Math.max(this.core.grid, target - this.bestValue) * this.random.unit();
  }

  private record(): boolean {
    if (this.now.value <= this.bestValue) return false;
    this.bestValue = this.now.value;
    this.best = this.now.choice();
    return true;
  }

  /** Changes a few random items, with all consequences; they keep their new state until the round ends. */
  private kick(): void {
    const { items } = this.area;
    for (const i of this.kicked) this.tabu[i] = 0;
    this.kicked.length = 0;
    const changes = 1 + this.random.below(kick_max);
    for (let k = 0; k < changes; k++) {
      const i = items[this.random.below(items.length)] ?? 0;
      if (this.tabu[i] === 1) continue;
      if (this.now.chosen[i] === 1) this.now.drop(i);
      else if (!this.now.force(i)) continue;
      this.tabu[i] = 1;
      this.kicked.push(i);
    }
  }

  /** Drops items, the least worth keeping first, until every row is kept. */
  private repair(): boolean {
    const { items } = this.area;
    const { now } = this;
    for (const protect of [true, false]) {
      for (let at = items.length - 1; at >= 0 && now.exceeds(); at--) {
        const i = items[at] ?? 0;
        now.operations++;
        if (now.chosen[i] === 1 && !(protect && this.tabu[i] === 1) && now.relieves(i)) now.drop(i);
      }
    }
    return !now.exceeds();
  }

  /** Exchanges pairs of items while that gains, every other time from the most indifferent item on. */
  private exchangePairs(): void {
    const { near } = this.area;
    const start = this.random.below(2) === 0 ? 0 : this.random.below(near.length);
    while (this.pairs.improve(this.now, near, start)) this.fill();
  }

  private fill(): void {
    const { now } = this;
    for (const i of this.area.items) {
      now.operations++;
      if (now.chosen[i] === 0 && this.tabu[i] === 0 && now.canAdd(i)) now.add(i);
    }
  }
}
