/**
 * The search of problems in which only the budget can bind, without links: the dynamic programme over an expanding core, with little effort
 * first; then a local search, which often reaches the bound where many items are alike; then the dynamic programme with the
 * rest, and the full table where it is small enough.
 */
import { fitsAlone } from './bound.js';
import { searchCore, type CoreItems } from './core-dp.js';
import { lineDual, type Line, type LineDual } from './dual-line.js';
import { cells_per_node, operations_per_node, states_per_node, Work, type Effort } from './effort.js';
import { localSearch } from './local-search.js';
import { total, type Choice, type Core } from './model.js';
import { searchTable } from './table-dp.js';

const states_max = 8_000_000;
const first_states_max = 400_000;
/** The cells of a full table: 40 MB of bits. */
const cells_limit = 320_000_000;
const local_share = 0.1;
const area_max = 256;

export interface LineOutcome {
  readonly choice: Choice;
  readonly complete: boolean;
  readonly nodes: number;
  readonly links: null;
}

/** @param rounded rounds a multiplier to what a certificate can hold */
export function searchLine(core: Core, incumbent: Choice, rounded: (x: number) => number, effort: Effort): LineOutcome {
  return new LineSearch(core, incumbent, rounded, effort).run();
}

class LineSearch {
  private readonly items: CoreItems;
  /** The core's index of each item of the line. */
  private readonly index: Int32Array;
  private readonly work: Work;
  private best: Choice;

  constructor(
    private readonly core: Core,
    incumbent: Choice,
    private readonly rounded: (x: number) => number,
    private readonly effort: Effort,
  ) {
    const all = Int32Array.from({ length: core.n }, (_, i) => i);
    this.index = all.filter((i) => fitsAlone(core, i) && (core.values[i] ?? 0) > 0);
    this.items = { ...this.line(), grid: core.grid };
    this.best = Uint8Array.from(this.index, (i) => incumbent[i] ?? 0);
    this.work = new Work(effort.nodes_max, effort.tick);
  }

  private line(): Line {
    const values = Float64Array.from(this.index, (i) => this.core.values[i] ?? 0);
    const weights = Float64Array.from(this.index, (i) => this.core.rows[0]?.[i] ?? 0);
    return { values, weights, capacity: this.core.capacities[0] ?? 0 };
  }

  run(): LineOutcome {
    const complete = this.byStates(first_states_max) || this.byLocalSearch() || this.byStates(states_max) || this.byTable();
    const choice = new Uint8Array(this.core.n);
    for (const [k, i] of this.index.entries()) choice[i] = this.best[k] ?? 0;
    return { choice, complete, nodes: this.work.nodes, links: null };
  }

  private get value(): number {
    return total(this.items.values, this.best);
  }

  /** Returns the best multipliers for choices that are better than the best one. */
  private dual(): LineDual {
    return lineDual(this.items, this.value + this.items.grid, this.rounded);
  }

  /** Returns whether the dynamic programme ends with at most this many states. */
  private byStates(limit: number): boolean {
    const room = Math.floor((this.work.left / operations_per_node) * states_per_node);
    const per_state = operations_per_node / states_per_node;
    let counted = 0;
    const outcome = searchCore(this.items, this.dual(), this.best, Math.min(limit, room), (states) => {
      this.work.spend((states - counted) * per_state);
      counted = states;
    });
    this.best = outcome.choice ?? this.best;
    return outcome.complete;
  }

  /** Returns whether the local search reaches the bound. */
  private byLocalSearch(): boolean {
    if (this.work.left <= 0) return false;
    const { lambda, sigma, bound } = this.dual();
    const { values, weights, grid } = this.items;
    const ratio = (k: number): number => (values[k] ?? 0) / (weights[k] ?? 1);
    const reduced = (k: number): number => {
      const cost = Math.abs((values[k] ?? 0) - lambda * (weights[k] ?? 0) - sigma);
      return cost <= (values[k] ?? 0) * 1e-11 ? 0 : cost;
    };
    const all = this.index.map((_, k) => k);
    const near = all
      .slice()
      .sort((a, b) => reduced(a) - reduced(b) || a - b)
      .subarray(0, area_max);
    const items = near.slice().sort((a, b) => ratio(b) - ratio(a) || a - b);
    const ids = (list: Int32Array): Int32Array => list.map((k) => this.index[k] ?? 0);
    const start = new Uint8Array(this.core.n);
    for (const [k, i] of this.index.entries()) start[i] = this.best[k] ?? 0;
    const target = Math.floor((bound * (1 + 1e-12)) / grid) * grid;
    const area = { items: ids(items), near: ids(near), prices: Float64Array.of(lambda, 0) };
    const operations_max = Math.floor(this.work.left * local_share);
    const choice = localSearch(this.core, start, area, this.effort.random, this.work, operations_max, target);
    this.best = Uint8Array.from(this.index, (i) => choice[i] ?? 0);
    return this.value >= target;
  }

  private byTable(): boolean {
    const cells_max = Math.min(cells_limit, Math.floor((this.work.left / operations_per_node) * cells_per_node));
    let counted = 0;
    const table = searchTable(this.items, this.dual(), this.value, cells_max, (cells) => {
      this.work.spend(((cells - counted) * operations_per_node) / cells_per_node);
      counted = cells;
    });
    this.best = table?.choice ?? this.best;
    return table !== null;
  }
}
