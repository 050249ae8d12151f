/**
 * The best exchange of up to two chosen items for up to two others, under two rows: the pairs to add enter a Fenwick tree by their use
 * of the second row in the order of their use of the first, and each pair to drop asks it for the most valuable pair that then fits. The
 * work is of the order p log p for p pairs, in place of p².
 */
import type { Core } from './model.js';
import type { Portfolio } from './portfolio.js';

/** A Fenwick tree of the greatest value among the entries up to a key, for keys that are known beforehand. */
class MaxTree {
  private keys = new Float64Array(0);
  private values = new Float64Array(0);
  private owners = new Int32Array(0);

  /** Empties the tree for these keys. */
  reset(keys: Float64Array): void {
    this.keys = keys.slice().sort();
    if (this.values.length <= keys.length) {
      this.values = new Float64Array(keys.length + 1);
      this.owners = new Int32Array(keys.length + 1);
    }
    this.values.fill(-Infinity);
    this.owners.fill(-1);
  }

  /** Enters a value with its owner; of equal values the first stays. */
  enter(key: number, value: number, owner: number): void {
    for (let at = this.rank(key); at <= this.keys.length; at += at & -at) {
      if (value <= (this.values[at] ?? 0)) continue;
      this.values[at] = value;
      this.owners[at] = owner;
    }
  }

  /** Returns the owner of the greatest value among the entries whose key is at most `limit`, or −1. */
  best(limit: number): number {
    let value = -Infinity;
    let owner = -1;
    for (let at = this.rank(limit); at > 0; at -= at & -at) {
      if ((this.values[at] ?? 0) <= value) continue;
      value = this.values[at] ?? 0;
      owner = this.owners[at] ?? -1;
    }
    return owner;
  }

  /** Returns the number of keys that are at most `limit`. */
  private rank(limit: number): number {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.keys[middle] ?? 0) <= limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface Exchange {
  readonly add: readonly number[];
  readonly drop: readonly number[];
}

const adds_max = 64;
const drops_max = 48;
/** The number of exchanges that are tried before the search for one ends: a link or a group may forbid the best. */
const tries_max = 6;

/** Pairs of moves as columns: their use of both rows, their value, and the moves. */
class Pairs {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly value: Float64Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  size = 0;

  constructor(moves_max: number) {
    const room = (moves_max * (moves_max + 1)) / 2 + 1;
    this.first = new Float64Array(room);
    this.second = new Float64Array(room);
    this.value = new Float64Array(room);
    this.a = new Int32Array(room);
    this.b = new Int32Array(room);
  }

  push(first: number, second: number, value: number, a: number, b: number): void {
    const at = this.size++;
    this.first[at] = first;
    this.second[at] = second;
    this.value[at] = value;
    this.a[at] = a;
    this.b[at] = b;
  }

  /** Returns the indices by ascending use of the first row. */
  order(): Int32Array {
    const { first } = this;
    return Int32Array.from({ length: this.size }, (_, k) => k).sort((p, q) => (first[p] ?? 0) - (first[q] ?? 0) || p - q);
  }
}

export class PairExchange {
  private readonly adds = new Pairs(adds_max);
  private readonly drops = new Pairs(drops_max);
  private readonly tree = new MaxTree();

  constructor(private readonly core: Core) {}

  /** Makes the best exchange among these items, from the one at `start` on; returns false when none gains. */
  improve(now: Portfolio, items: Int32Array, start: number): boolean {
    this.collect(now, items, start);
    for (const { add, drop } of this.candidates(now)) if (now.exchange(add, drop)) return true;
    return false;
  }

  private collect(now: Portfolio, items: Int32Array, start: number): void {
    const adds: number[] = [];
    const drops: number[] = [];
    for (let at = 0; at < items.length; at++) {
      const i = items[(start + at) % items.length] ?? 0;
      if (now.chosen[i] === 1) {
        if (drops.length < drops_max && !now.needed(i)) drops.push(i);
      } else if (adds.length < adds_max && now.open(i)) adds.push(i);
      now.operations++;
    }
    this.pair(this.adds, adds, (i) => now.rival(i));
    this.pair(this.drops, drops, () => -1);
    now.operations += 40 * (this.adds.size + this.drops.size);
  }

  /** Fills in all pairs of these items, each with the member of its group that it replaces, and single items; −1 stands for none. */
  private pair(to: Pairs, items: readonly number[], rival: (i: number) => number): void {
    const { core } = this;
    const use = (k: number, i: number): number => (i < 0 || k >= core.hard ? 0 : (core.rows[k]?.[i] ?? 0));
    const value = (i: number): number => (i < 0 ? 0 : (core.values[i] ?? 0));
    const moves = items.map((i) => {
      const r = rival(i);
      return {
        i,
        group: core.group[i] ?? -1,
        first: use(0, i) - use(0, r),
        second: use(1, i) - use(1, r),
        value: value(i) - value(r),
      };
    });
    to.size = 0;
    to.push(0, 0, 0, -1, -1);
    for (const [at, a] of moves.entries()) {
      to.push(a.first, a.second, a.value, a.i, -1);
      for (let next = at + 1; next < moves.length; next++) {
        const b = moves[next] ?? a;
        if (to === this.adds && a.group >= 0 && a.group === b.group) continue;
        to.push(a.first + b.first, a.second + b.second, a.value + b.value, a.i, b.i);
      }
    }
  }

  /** Returns the exchanges that gain most, the best first. */
  private candidates(now: Portfolio): Exchange[] {
    const { adds, drops, tree } = this;
    const found: { readonly gain: number; readonly add: number; readonly drop: number }[] = [];
    const order = adds.order();
    tree.reset(adds.second.subarray(0, adds.size));
    let entered = 0;
    for (const drop of drops.order()) {
      const room = now.room(0) + (drops.first[drop] ?? 0);
      for (; entered < order.length; entered++) {
        const add = order[entered] ?? 0;
        if ((adds.first[add] ?? 0) > room) break;
        tree.enter(adds.second[add] ?? 0, adds.value[add] ?? 0, add);
      }
      const add = tree.best(now.room(1) + (drops.second[drop] ?? 0));
      const gain = (adds.value[add] ?? 0) - (drops.value[drop] ?? 0);
      if (add < 0 || gain <= 0) continue;
      const at = found.findIndex((other) => other.gain < gain);
      if (at < 0 && found.length >= tries_max) continue;
      found.splice(at < 0 ? found.length : at, 0, { gain, add, drop });
      if (found.length > tries_max) found.pop();
    }
    const items = (pairs: Pairs, k: number): number[] => [pairs.a[k] ?? -1, pairs.b[k] ?? -1].filter((i) => i >= 0);
    return found.map(({ add, drop }) => ({ add: items(adds, add), drop: items(drops, drop) }));
  }
}
