/**
 * One knapsack row without links: dynamic programming over an expanding core (Pisinger, "A minimal algorithm for the 0–1 knapsack
 * problem", Operations Research 45, 1997), with the cardinality cuts in the bound of each state.
 *
 * It starts from the relaxation's choice and flips items in the order of the cost of a flip there, |v − λc − σ|. A state (weight,
 * value, count) is dropped when a lighter one has at least the same value, or when its bound is not above the incumbent. Once a
 * flip costs more than bound − incumbent, no better choice exists: the search is exact.
 */
import { countAbove, countBelow, countVertices, cutRows, dualItems } from './cuts.js';
import { dualVertex } from './dual-vertex.js';
import { type Choice, makeCore, noLinks } from './model.js';

// The columns and the history of the states of the dynamic programme.

/** States by ascending weight and value: column arrays. */
type States = ReturnType<typeof makeStates>;

const makeStates = (capacity: number) => ({
  weight: new Float64Array(capacity),
  value: new Float64Array(capacity),
  count: new Int32Array(capacity),
  /** The index into the history. */
  mark: new Int32Array(capacity),
  size: 0,
});

/** The origin of each state: its parent and the flipped item; grows by doubling. */
class History {
  private parents = new Int32Array(4096);
  private items = new Int32Array(4096);
  size = 1;

  add(parent: number, item: number): number {
    if (this.size === this.parents.length) {
      this.parents = grown(this.parents);
      this.items = grown(this.items);
    }
    this.parents[this.size] = parent;
    this.items[this.size] = item;
    return this.size++;
  }

  flips(mark: number): number[] {
    const out: number[] = [];
    for (let at = mark; at > 0; at = this.parents[at] ?? 0) out.push(this.items[at] ?? 0);
    return out;
  }
}

function grown(old: Int32Array): Int32Array<ArrayBuffer> {
  const out = new Int32Array(old.length * 2);
  out.set(old);
  return out;
}

export interface CoreItems {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  readonly capacity: number;
  /** A divisor of every value total. */
  readonly grid: number;
}

/** The bound on the value of a choice: λ per unit of weight and σ per item, with `constant` from the counts of the cuts. */
export type LineDual = NonNullable<ReturnType<typeof lineDual>>;

const vertex_steps = 300;

/** Returns the best multipliers for choices worth at least `target`; null where the cardinality cuts leave none. */
export function lineDual(items: CoreItems, target: number, spend: (operations: number) => void) {
  const { values, weights, capacity } = items;
  const core = makeCore(values, [weights], [capacity], noLinks(values.length));
  const counts = countVertices(core, target, spend);
  const [most, least] = [countAbove(counts.most), countBelow(counts.least)];
  if (most < least) return null;
  const rows = [{ weights, capacity }, ...cutRows(core, most, least)];
  const { prices, bound } = dualVertex(dualItems(core, values), rows, vertex_steps, spend);
  const [lambda = 0, above = 0, below = 0] = prices;
  return { lambda, sigma: above - below, constant: above * most - below * least, bound };
}

/**
 * Returns a better choice than the incumbent, or null, and whether the search is complete.
 * @param states_max the number of states that may be made before the search gives up
 * @param tick called with the number of states made so far after each item
 */
export const searchCore = (
  items: CoreItems,
  dual: LineDual,
  incumbent: Choice,
  states_max: number,
  tick: (states: number) => void,
) => new CoreSearch(items, dual, incumbent).run(states_max, tick);

class CoreSearch {
  private readonly n: number;
  private readonly start: Choice;
  private readonly cost: Float64Array;
  private readonly order: readonly number[];
  private readonly addRatio: Float64Array;
  private readonly dropRatio: Float64Array;
  private readonly addValue: Float64Array;
  private readonly dropWeight: Float64Array;
  private readonly history = new History();
  private readonly slack: number;
  private best: number;
  private bestMark = -1;
  private made = 0;

  constructor(
    private readonly items: CoreItems,
    private readonly dual: LineDual,
    incumbent: Choice,
  ) {
    this.n = items.values.length;
    this.start = new Uint8Array(this.n);
    this.cost = new Float64Array(this.n);
    let value = 0;
    let error = Math.max(items.grid * 1e-6, dual.bound * 1e-12);
    for (let i = 0; i < this.n; i++) {
      const v = items.values[i] ?? 0;
      const reduced = v - dual.lambda * (items.weights[i] ?? 0) - dual.sigma;
      // Where the relaxation is indifferent, the incumbent is the better starting point.
      const open = Math.abs(reduced) <= v * 1e-11;
      this.start[i] = open ? (incumbent[i] ?? 0) : reduced > 0 ? 1 : 0;
      this.cost[i] = open ? 0 : Math.abs(reduced);
      if (open) error += Math.abs(reduced);
      if (incumbent[i] === 1) value += v;
    }
    this.best = value;
    this.slack = items.grid - error;
    this.order = this.flipOrder();
    this.addRatio = new Float64Array(this.n + 1);
    this.dropRatio = new Float64Array(this.n + 1).fill(Infinity);
    this.addValue = new Float64Array(this.n + 1);
    this.dropWeight = new Float64Array(this.n + 1);
    for (let k = this.n - 1; k >= 0; k--) this.remains(k);
  }

  /**
   * Returns the flips by cost; among equals additions and removals alternate, so that the weights of the states stay around the
   * capacity.
   */
  private flipOrder(): number[] {
    const turn = new Int32Array(this.n);
    const seen = [0, 0];
    for (let i = 0; i < this.n; i++) {
      const side = this.start[i] ?? 0;
      turn[i] = seen[side] ?? 0;
      seen[side] = (turn[i] ?? 0) + 1;
    }
    const { cost } = this;
    const all = Array.from({ length: this.n }, (_, i) => i);
    return all.sort((a, b) => (cost[a] ?? 0) - (cost[b] ?? 0) || (turn[a] ?? 0) - (turn[b] ?? 0) || a - b);
  }

  /**
   * Computes the best ratio that can still be added, the worst that can still be removed, and the amount of each, from flip k on.
   */
  private remains(k: number): void {
    const i = this.order[k] ?? 0;
    const ratio = (this.items.values[i] ?? 0) / (this.items.weights[i] ?? 1);
    const adds = this.start[i] === 0;
    this.addValue[k] = (this.addValue[k + 1] ?? 0) + (adds ? (this.items.values[i] ?? 0) : 0);
    this.dropWeight[k] = (this.dropWeight[k + 1] ?? 0) + (adds ? 0 : (this.items.weights[i] ?? 0));
    const added = this.addRatio[k + 1] ?? 0;
    const dropped = this.dropRatio[k + 1] ?? Infinity;
    this.addRatio[k] = adds ? Math.max(added, ratio) : added;
    this.dropRatio[k] = adds ? dropped : Math.min(dropped, ratio);
  }

  run(states_max: number, tick: (states: number) => void) {
    let states = this.first();
    let complete = true;
    for (let k = 0; k < this.n && states.size > 0; k++) {
      const item = this.order[k] ?? 0;
      if (this.dual.bound - (this.cost[item] ?? 0) < this.best + this.slack) break;
      if (this.made + 2 * states.size > states_max) {
        complete = false;
        break;
      }
      states = this.flip(states, item, k + 1);
      tick(this.made);
    }
    return { choice: this.choice(), complete };
  }

  private first(): States {
    const states = makeStates(1);
    for (let i = 0; i < this.n; i++) {
      if (this.start[i] !== 1) continue;
      states.weight[0] = (states.weight[0] ?? 0) + (this.items.weights[i] ?? 0);
      states.value[0] = (states.value[0] ?? 0) + (this.items.values[i] ?? 0);
      states.count[0] = (states.count[0] ?? 0) + 1;
    }
    states.size = 1;
    if ((states.weight[0] ?? 0) <= this.items.capacity && (states.value[0] ?? 0) > this.best) {
      this.best = states.value[0] ?? 0;
      this.bestMark = 0;
    }
    return states;
  }

  /** Returns the states with and without a flip of `item`, merged by weight. `next` is the flip that comes after. */
  private flip(from: States, item: number, next: number): States {
    const sign = this.start[item] === 1 ? -1 : 1;
    const dw = sign * (this.items.weights[item] ?? 0);
    const dv = sign * (this.items.values[item] ?? 0);
    const to = makeStates(from.size * 2);
    const { weight, value, count, mark, size } = from;
    let worth = -Infinity;
    for (let a = 0, b = 0; a < size || b < size; ) {
      const kept = a < size ? (weight[a] ?? 0) : Infinity;
      const moved = b < size ? (weight[b] ?? 0) + dw : Infinity;
      const keep = kept < moved || (kept === moved && (value[a] ?? 0) >= (value[b] ?? 0) + dv);
      const at = keep ? a++ : b++;
      const v = (value[at] ?? 0) + (keep ? 0 : dv);
      if (v <= worth) continue;
      const w = keep ? kept : moved;
      const c = (count[at] ?? 0) + (keep ? 0 : sign);
      if (!keep && w <= this.items.capacity && v > this.best) {
        this.best = v;
        this.bestMark = this.history.add(mark[at] ?? 0, item);
      }
      if (this.bound(w, v, c, next) < this.best + this.slack) continue;
      worth = v;
      const s = to.size++;
      to.weight[s] = w;
      to.value[s] = v;
      to.count[s] = c;
      to.mark[s] = keep ? (mark[at] ?? 0) : this.history.add(mark[at] ?? 0, item);
    }
    this.made += to.size;
    return to;
  }

  private bound(w: number, v: number, c: number, next: number): number {
    const { lambda, sigma, constant } = this.dual;
    const room = this.items.capacity - w;
    if (room + (this.dropWeight[next] ?? 0) < 0) return -Infinity;
    const lagrangian = v + lambda * room + constant - sigma * c;
    const bound = Math.min(lagrangian, v + (this.addValue[next] ?? 0));
    const add = this.addRatio[next] ?? 0;
    const drop = this.dropRatio[next] ?? Infinity;
    if (drop < add) return bound;
    if (room >= 0) return Math.min(bound, v + room * add);
    return drop === Infinity ? -Infinity : Math.min(bound, v + room * drop);
  }

  private choice(): Choice | null {
    if (this.bestMark < 0) return null;
    const out = this.start.slice();
    for (const item of this.history.flips(this.bestMark)) out[item] = 1 - (out[item] ?? 0);
    return out;
  }
}
