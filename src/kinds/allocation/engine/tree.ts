/**
 * Depth-first branch and bound on the core. Every node lowers the Lagrangian bound from its parent's prices, decides the items
 * whose opposite decision could not improve on the incumbent (reduced-cost fixing), and branches on the item to which the
 * relaxation is most indifferent. Where the number of items in a better choice is nearly known, the node is also closed when its
 * choices can hold only more or only fewer. Of choices that differ only by identical or dominated items one is visited.
 */
import { BranchState, free } from './branch-state.js';
import { CountTest } from './count-test.js';
import { dominanceOf } from './dominance.js';
import type { Work } from './effort.js';
import { LinkPairs } from './links.js';
import type { SearchArea } from './local-search.js';
import { feasible, total, type Choice, type Core } from './model.js';
import { Relaxation } from './relaxation.js';
import { rootCuts, rootPrices, withoutCuts, type RootCuts } from './root.js';
import type { DualRow } from './dual-choice.js';
import { dualVertex } from './dual-vertex.js';

// The bound of a node of the branch and bound: a few subgradient steps from the parent's prices, and, when they do not
// close the node, the exact prices of the rows beside those of the links. These come with a solution of the linear
// relaxation, which says where to branch.

const first_steps = 2;
/** The steps where there are links, or many rows. */
const steps = 12;
const vertex_steps = 60;
/** With more rows the exact prices take longer than they save. */
const vertex_rows_max = 4;
const integral = 1e-6;

class NodeBound {
  readonly links: LinkPairs;
  readonly relaxation: Relaxation;
  /** The part of each item that the linear relaxation chooses. */
  private readonly fraction: Float64Array;

  /** @param rows the indices of the priced rows */
  constructor(
    private readonly core: Core,
    private readonly state: BranchState,
    private readonly rows: readonly number[],
  ) {
    this.links = new LinkPairs(core);
    this.relaxation = new Relaxation(core, state, this.links, { objective: core.values, rows, sofar: () => state.value });
    this.fraction = new Float64Array(core.n);
  }

  get value(): number {
    return this.relaxation.bound;
  }

  /** Lowers the bound over the items of `list`, or until it does not exceed `target`; `prices` are the start, and the best afterwards. */
  lower(list: Int32Array, prices: Float64Array, target: number, spend: (operations: number) => void): void {
    const exactly = this.rows.length <= vertex_rows_max;
    this.relaxation.solve(list, prices, exactly && this.links.size === 0 ? first_steps : steps, target);
    if (this.value <= target || !exactly) return;
    const { group, members } = this.core;
    const items = { gains: this.links.gains(this.core.values), group, groups: members.length, usable: list };
    const { prices: exact, mix } = dualVertex(items, this.dualRows(), vertex_steps, spend);
    for (const i of list) this.fraction[i] = 0;
    for (const { share, chosen } of mix) for (const i of chosen) this.fraction[i] = (this.fraction[i] ?? 0) + share;
    const before = this.value;
    const kept = prices.slice();
    prices.set(exact);
    this.relaxation.solve(list, prices, 1, target);
    if (this.value <= before) return;
    prices.set(kept);
    this.relaxation.solve(list, prices, 1, target);
  }

  private dualRows(): DualRow[] {
    return this.rows.map((k) => ({ weights: this.core.rows[k] ?? this.core.values, capacity: this.state.room[k] ?? 0 }));
  }

  /** Returns the item that the linear relaxation splits most evenly; when it splits none, the one to which the prices are most indifferent. */
  branchItem(list: Int32Array): number {
    let item = -1;
    let most = integral;
    let indifferent = list[0] ?? 0;
    const { regret } = this.relaxation;
    for (const i of list) {
      const part = this.fraction[i] ?? 0;
      const split = Math.min(part, 1 - part);
      if (split > most) {
        most = split;
        item = i;
      }
      if ((regret[i] ?? 0) < (regret[indifferent] ?? 0)) indifferent = i;
    }
    return item >= 0 ? item : indifferent;
  }
}

/** The number of items among which a local search moves. */
const area_max = 256;

/** The prices of a node: of the rows, and of each count test. */
interface NodePrices {
  readonly rows: Float64Array;
  readonly tests: readonly Float64Array[];
}

export class Tree {
  private readonly core: Core;
  private readonly state: BranchState;
  private readonly relaxation: Relaxation;
  private readonly bound: NodeBound;
  private readonly tests: readonly CountTest[];
  private readonly cuts: RootCuts;
  /** The links with their prices at the root, once the tree has run. */
  readonly links: LinkPairs;
  best: Choice;
  private bestValue: number;
  private stopped = false;
  /** The operations at which the tree stops. */
  private end = 0;
  private root: { readonly list: Int32Array; readonly prices: NodePrices } | null = null;

  constructor(
    plain: Core,
    incumbent: Choice,
    private readonly work: Work,
    withCuts: boolean,
  ) {
    this.best = incumbent;
    this.bestValue = total(plain.values, incumbent);
    const cuts = withCuts ? rootCuts(plain, this.bestValue + plain.grid, work) : withoutCuts(plain);
    this.cuts = cuts;
    this.core = cuts.core;
    this.state = new BranchState(this.core);
    this.state.dominance = dominanceOf(plain);
    const rows = cuts.core.rows.map((_, k) => k).filter((k) => cuts.first < 0 || k < cuts.first + 2);
    this.bound = new NodeBound(this.core, this.state, rows);
    this.relaxation = this.bound.relaxation;
    this.links = this.bound.links;
    this.tests = cuts.tests.map((test) => new CountTest(this.core, this.state, test));
  }

  /** Searches within a number of operations; returns whether the search ended, so that `best` is a best choice. */
  run(operations_max: number): boolean {
    this.end = this.work.operations + operations_max;
    if (this.cuts.most < this.cuts.least) return true;
    const all = this.open(Int32Array.from({ length: this.core.n }, (_, i) => i));
    const rows = rootPrices(this.core, this.relaxation, this.links, all, this.target(), this.work);
    const links = this.links.price.slice();
    const list = this.preferred(all);
    const prices = { rows, tests: this.tests.map(({ start }) => start) };
    this.root = { list, prices };
    this.count();
    this.tryRelaxed(list);
    this.complete(list);
    if (this.tests.length === 0) this.node(list, prices);
    else for (let count = this.cuts.most; count >= this.cuts.least && !this.stopped; count--) this.withCount(count, list, prices);
    this.links.price.set(links);
    return !this.stopped;
  }

  /** Searches the choices with exactly this many items. */
  private withCount(count: number, list: Int32Array, prices: NodePrices): void {
    const { first, most, least } = this.cuts;
    const { room } = this.state;
    room[first] = (room[first] ?? 0) - (most - count);
    room[first + 1] = (room[first + 1] ?? 0) - (count - least);
    for (const test of this.tests) test.require(count);
    this.node(list, prices);
    room[first] = (room[first] ?? 0) + (most - count);
    room[first + 1] = (room[first + 1] ?? 0) + (count - least);
  }

  /** Returns where a local search may move, and the value that it cannot exceed; null when the tree has not run. */
  area(): { readonly area: SearchArea; readonly bound: number } | null {
    if (this.root === null) return null;
    const { list, prices } = this.root;
    this.relaxation.solve(list, prices.rows, 1, 0);
    const { bound, regret } = this.relaxation;
    const items = list.filter((i) => (this.core.values[i] ?? 0) > 0);
    const near = items
      .slice()
      .sort((a, b) => (regret[a] ?? 0) - (regret[b] ?? 0) || a - b)
      .subarray(0, area_max);
    return {
      area: { items: this.preferred(near), near },
      bound: Math.floor(bound / this.core.grid) * this.core.grid,
    };
  }

  /** Counts the work done since the last count. */
  private count(): void {
    let operations = this.relaxation.operations + this.state.operations;
    for (const test of this.tests) operations += test.takeOperations();
    this.work.spend(operations);
    this.relaxation.operations = 0;
    this.state.operations = 0;
  }

  /** Returns the target: a bound that does not exceed it cannot lead to a better choice, because totals are on a grid. */
  private target(): number {
    const bound = this.bestValue + this.core.grid;
    return bound - Math.max(this.core.grid * 1e-6, bound * 1e-12);
  }

  /** Returns the items of `list` that are still free and fit; the others are left out for the whole subtree. */
  private open(list: Int32Array): Int32Array {
    this.state.operations += 2 * list.length;
    for (const i of list) if (this.state.status[i] === free && !this.state.fits(i)) this.state.decide(i, 0);
    return list.filter((i) => this.state.status[i] === free);
  }

  /** Returns first the items that the relaxation takes, the surest first; then those it does not take, the closest first. */
  private preferred(list: Int32Array): Int32Array {
    const { taken, regret } = this.relaxation;
    const key = (i: number): number => (taken[i] === 1 ? (regret[i] ?? 0) : -(regret[i] ?? 0));
    return list.slice().sort((a, b) => key(b) - key(a) || a - b);
  }

  private node(list: Int32Array, inherited: NodePrices): void {
    if (this.work.operations >= this.end) {
      this.stopped = true;
      return;
    }
    const prices = { rows: inherited.rows.slice(), tests: inherited.tests.map((test) => test.slice()) };
    this.bound.lower(list, prices.rows, this.target(), (operations) => this.work.spend(operations));
    this.count();
    if (this.bound.value <= this.target()) return;
    this.tryRelaxed(list);
    const mark = this.state.mark();
    if (this.fix(list) && this.tests.every((test, k) => test.pass(list, prices.tests[k] ?? inherited.rows))) {
      const open = this.open(list);
      this.complete(open);
      if (open.length > 0) this.branch(open, prices);
    }
    this.state.undo(mark);
  }

  private branch(list: Int32Array, prices: NodePrices): void {
    const item = this.bound.branchItem(list);
    this.state.operations += 2 * list.length;
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

  /** Decides the items that the bound settles; returns false if these decisions are infeasible together. */
  private fix(list: Int32Array): boolean {
    const allowance = this.relaxation.bound - this.target();
    this.state.operations += 2 * list.length;
    const settled = list.filter((i) => (this.relaxation.regret[i] ?? 0) >= allowance);
    for (const i of settled) if (!this.state.decide(i, this.relaxation.taken[i] === 1 ? 1 : 0)) return false;
    return true;
  }

  /** Takes the relaxation's choice as the incumbent where it is better and feasible. */
  private tryRelaxed(list: Int32Array): void {
    const { taken } = this.relaxation;
    let { value } = this.state;
    for (const i of list) if (taken[i] === 1) value += this.core.values[i] ?? 0;
    if (value <= this.bestValue) return;
    for (let k = 0; k < this.core.hard; k++) {
      let left = this.state.room[k] ?? 0;
      for (const i of list) if (taken[i] === 1) left -= this.core.rows[k]?.[i] ?? 0;
      if (left < 0) return;
    }
    const choice = this.state.choice();
    for (const i of list) choice[i] = taken[i] ?? 0;
    this.state.operations += this.core.n;
    this.offer(choice);
  }

  private offer(choice: Choice): void {
    const value = total(this.core.values, choice);
    if (value > this.bestValue && feasible(this.core, choice)) this.improve(value, choice);
  }

  /** Takes a better choice; the target of the count tests rises with it. */
  private improve(value: number, choice: Choice): void {
    const row = this.cuts.first + 2;
    if (this.cuts.first >= 0) this.state.room[row] = (this.state.room[row] ?? 0) - (value - this.bestValue);
    this.bestValue = value;
    this.best = choice;
  }

  private record(): void {
    if (this.state.value > this.bestValue) this.improve(this.state.value, this.state.choice());
  }

  /** Completes the decisions made so far greedily, in the order of the list. */
  private complete(list: Int32Array): void {
    const mark = this.state.mark();
    this.state.operations += 2 * list.length;
    for (const i of list) if (this.state.status[i] === free && this.state.fits(i)) this.state.take(i);
    this.record();
    this.state.undo(mark);
  }
}
