/**
 * Depth-first branch and bound on the core. Every node lowers the Lagrangian bound from its parent's prices, decides the items
 * whose opposite decision could not improve on the incumbent (reduced-cost fixing), and branches on the item to which the
 * relaxation is most indifferent.
 */
import { BranchState, free } from './branch-state.js';
import { feasible, total, type Choice, type Core } from './model.js';
import { noPrices, Relaxation, type Prices } from './relaxation.js';

export interface BranchOutcome {
  readonly choice: Choice;
  readonly value: number;
  readonly complete: boolean;
  readonly nodes: number;
  readonly prices: Prices;
}

/** The work that counts as one node: item visits of the relaxation. A larger node counts as several. */
const visits_per_node = 2_000;
const root_steps = 300;
const node_steps = 12;

export function branchAndBound(core: Core, incumbent: Choice, nodes_max: number, tick: (nodes: number) => void): BranchOutcome {
  return new Search(core, incumbent, nodes_max, tick).run();
}

class Search {
  private readonly state: BranchState;
  private readonly relaxation: Relaxation;
  private readonly order: Int32Array;
  private best: Choice;
  private bestValue: number;
  private nodes = 0;
  private stopped = false;

  constructor(
    private readonly core: Core,
    incumbent: Choice,
    private readonly nodes_max: number,
    private readonly tick: (nodes: number) => void,
  ) {
    this.state = new BranchState(core);
    this.relaxation = new Relaxation(core, this.state);
    this.order = new Int32Array(core.n);
    this.best = incumbent;
    this.bestValue = total(core.values, incumbent);
  }

  run(): BranchOutcome {
    const prices = noPrices(this.core);
    const list = this.open(Int32Array.from({ length: this.core.n }, (_, i) => i));
    this.relaxation.solve(list, prices, root_steps, this.target());
    this.count(0);
    this.rank(list, prices);
    this.complete();
    const root: Prices = { rows: prices.rows.slice(), requires: new Map(prices.requires), excludes: new Map(prices.excludes) };
    if (this.relaxation.bound > this.target())
      this.node(this.open(this.order.filter((i) => this.state.status[i] === free)), prices);
    return { choice: this.best, value: this.bestValue, complete: !this.stopped, nodes: this.nodes, prices: root };
  }

  /** Counts work: a node costs one, plus its share of the relaxation's visits. */
  private count(nodes: number): void {
    this.nodes += nodes + Math.floor(this.relaxation.visits / visits_per_node);
    this.relaxation.visits %= visits_per_node;
    this.tick(this.nodes);
  }

  /** Returns the target: a bound that does not exceed it cannot lead to a better choice, because totals are on a grid. */
  private target(): number {
    const bound = this.bestValue + this.core.grid;
    return bound - Math.max(this.core.grid * 1e-6, bound * 1e-12);
  }

  /** Returns the items of `list` that are still free and fit; the others are left out for the whole subtree. */
  private open(list: Int32Array): Int32Array {
    for (const i of list) if (this.state.status[i] === free && !this.state.fits(i)) this.state.decide(i, 0);
    return list.filter((i) => this.state.status[i] === free);
  }

  /** Sorts the items into the order of completion: the highest value left after prices, per unit of what the prices charge. */
  private rank(list: Int32Array, prices: Prices): void {
    const key = new Float64Array(this.core.n);
    for (let i = 0; i < this.core.n; i++) {
      let charge = 1e-300;
      for (const [k, row] of this.core.rows.entries()) {
        charge += ((prices.rows[k] ?? 0) + 1e-9 / Math.max(1, this.core.capacities[k] ?? 1)) * (row[i] ?? 0);
      }
      key[i] = (this.core.values[i] ?? 0) / charge;
    }
    this.order.set(list.slice().sort((a, b) => (key[b] ?? 0) - (key[a] ?? 0) || a - b));
    this.order.fill(-1, list.length);
  }

  private node(list: Int32Array, inherited: Prices): void {
    if (this.nodes >= this.nodes_max) {
      this.stopped = true;
      return;
    }
    const prices: Prices = { ...inherited, rows: inherited.rows.slice() };
    this.relaxation.solve(list, prices, node_steps, this.target());
    this.count(1);
    if (this.relaxation.bound <= this.target()) return;
    this.tryRelaxed(list);
    const mark = this.state.mark();
    if (this.fix(list)) {
      const open = this.open(list);
      this.completeFrom(this.preferred(open));
      if (open.length > 0) this.branch(open, prices);
    }
    this.state.undo(mark);
  }

  private branch(list: Int32Array, prices: Prices): void {
    const item = this.leastRegret(list);
    for (const to of [1, 0] as const) {
      const mark = this.state.mark();
      if (this.state.decide(item, to)) {
        this.record();
        const rest = this.open(list);
        if (rest.length > 0) this.node(rest, prices);
      }
      this.state.undo(mark);
      if (this.stopped) return;
    }
  }

  /** Returns first the items that the relaxation takes, the surest first; then those it does not take, the closest first. */
  private preferred(list: Int32Array): Int32Array {
    const { taken, regret } = this.relaxation;
    const key = (i: number): number => (taken[i] === 1 ? (regret[i] ?? 0) : -(regret[i] ?? 0));
    return list.slice().sort((a, b) => key(b) - key(a) || a - b);
  }

  private leastRegret(list: Int32Array): number {
    let item = list[0] ?? 0;
    for (const i of list) if ((this.relaxation.regret[i] ?? 0) < (this.relaxation.regret[item] ?? 0)) item = i;
    return item;
  }

  /** Decides the items that the bound settles; returns false if these decisions are infeasible together. */
  private fix(list: Int32Array): boolean {
    const allowance = this.relaxation.bound - this.target();
    const settled: [number, 0 | 1][] = [];
    for (const i of list) {
      if ((this.relaxation.regret[i] ?? 0) >= allowance) settled.push([i, this.relaxation.taken[i] === 1 ? 1 : 0]);
    }
    for (const [i, to] of settled) if (!this.state.decide(i, to)) return false;
    return true;
  }

  private tryRelaxed(list: Int32Array): void {
    const choice = this.state.choice();
    for (const i of list) choice[i] = this.relaxation.taken[i] ?? 0;
    this.offer(choice);
  }

  private offer(choice: Choice): void {
    const value = total(this.core.values, choice);
    if (value > this.bestValue && feasible(this.core, choice)) {
      this.bestValue = value;
      this.best = choice;
    }
  }

  private record(): void {
    if (this.state.value <= this.bestValue) return;
    this.bestValue = this.state.value;
    this.best = this.state.choice();
  }

  private complete(): void {
    this.completeFrom(this.order.filter((i) => i >= 0));
  }

  /** Completes the decisions made so far greedily, in the order of the root's prices. */
  private completeFrom(list: Int32Array): void {
    const mark = this.state.mark();
    for (const i of list) {
      if (this.state.status[i] !== free || !this.state.fits(i)) continue;
      const before = this.state.mark();
      if (!this.state.decide(i, 1)) this.state.undo(before);
    }
    this.record();
    this.state.undo(mark);
  }
}
