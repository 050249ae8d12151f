/** The choice of the search by the form of the problem. */
import { type Effort, operations_per_node, states_per_node, Work } from './effort.js';
import type { LinkPairs } from './links.js';
import { TimeUp } from '../../../engines/engine.js';
import { hasLinks, type Choice, type Core, total } from './model.js';
import { fits } from './bound.js';
import { lineDual, searchCore, type CoreItems, type LineDual } from './core-dp.js';
import { localSearch } from './local-search.js';
import { Tree } from './tree.js';

// Search by branch and bound: a first tree with little effort settles easy problems. Otherwise local searches improve
// the incumbent, each followed by a tree with more effort, whose cuts the better incumbent makes tighter.

export interface Found {
  readonly choice: Choice;
  readonly complete: boolean;
  readonly nodes: number;
  /** The links with their prices at the root; null for a search without them, and when time ended it before. */
  readonly links: LinkPairs | null;
}

/** The share of the effort of the first tree; with little effort it may use more, up to half. */
const first_share = 0.02;
const first_operations = 2_000_000;
/** The parts of what is then left, of the local searches and of the trees after them. */
const rounds = [
  { local: 0.03, tree: 0.15 },
  { local: 0.25, tree: 1 },
] as const;

export function branchAndBound(core: Core, incumbent: Choice, { nodes_max, tick, random, cuts }: Effort) {
  const work = new Work(nodes_max, tick);
  let best = incumbent;
  let tree: Tree | null = null;
  const complete = untilTimeUp(() => {
    tree = new Tree(core, incumbent, work, cuts);
    let ended = tree.run(Math.max(Math.floor(work.left * first_share), Math.min(Math.floor(work.left / 2), first_operations)));
    for (const { local, tree: part } of rounds) {
      const around = ended ? null : tree.area();
      if (around === null || work.left <= 0) break;
      const operations_max = Math.floor(work.left * local);
      best = localSearch(core, tree.best, around.area, random, work, operations_max, around.bound);
      tree = new Tree(core, best, work, cuts);
      ended = tree.run(Math.floor(work.left * part));
    }
    return ended;
  });
  return { ...bestOf(core, best, tree), complete, nodes: work.nodes };
}

/** Returns the better of a choice and of what the newest tree has found. */
function bestOf(core: Core, best: Choice, tree: Tree | null) {
  const [value, found] = [total(core.values, best), tree === null ? -1 : total(core.values, tree.best)];
  const links = tree?.links ?? null;
  return tree !== null && found >= value ? { choice: tree.best, value: found, links } : { choice: best, value, links };
}

/** Returns whether a search is complete; one that time ends is not. */
function untilTimeUp(run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    if (error instanceof TimeUp) return false;
    throw error;
  }
}

// The search of problems in which only the budget can bind, without links: the dynamic programme over an expanding
// core, with little effort first; then a local search, which often reaches the bound where many items are alike; then
// the dynamic programme with the rest.

const states_max = 8_000_000;
const first_states_max = 400_000;
const local_share = 0.1;
const area_max = 256;

class LineSearch {
  private readonly items: CoreItems;
  /** The core's index of each item of the line. */
  private readonly index: Int32Array;
  private readonly work: Work;
  private best: Choice;

  constructor(
    private readonly core: Core,
    incumbent: Choice,
    private readonly effort: Effort,
  ) {
    const all = Int32Array.from({ length: core.n }, (_, i) => i);
    const weights = core.rows[0];
    this.index = all.filter((i) => fits(core, i) && (core.values[i] ?? 0) > 0 && (weights?.[i] ?? 0) > 0);
    const pick = (numbers: Float64Array | undefined): Float64Array => Float64Array.from(this.index, (i) => numbers?.[i] ?? 0);
    this.items = { values: pick(core.values), weights: pick(weights), capacity: core.capacities[0] ?? 0, grid: core.grid };
    this.best = Uint8Array.from(this.index, (i) => incumbent[i] ?? 0);
    this.work = new Work(effort.nodes_max, effort.tick);
  }

  run(): Found {
    const complete = untilTimeUp(() => this.byStates(first_states_max) || this.byLocalSearch() || this.byStates(states_max));
    // Items of value that weigh nothing are in every best choice, and not on the line.
    const choice = this.core.values.map((value, i) => (value > 0 && this.core.rows[0]?.[i] === 0 ? 1 : 0));
    for (const [k, i] of this.index.entries()) choice[i] = this.best[k] ?? 0;
    return { choice: Uint8Array.from(choice), complete, nodes: this.work.nodes, links: null };
  }

  private get value(): number {
    return total(this.items.values, this.best);
  }

  /** Returns the best multipliers for choices that are better than the best one; null where there is no such choice. */
  private dual(): LineDual | null {
    return lineDual(this.items, this.value + this.items.grid, (operations) => this.work.spend(operations));
  }

  /** Returns whether the dynamic programme ends with at most this many states. */
  private byStates(limit: number): boolean {
    const dual = this.dual();
    if (dual === null) return true;
    const room = Math.floor((this.work.left / operations_per_node) * states_per_node);
    const per_state = operations_per_node / states_per_node;
    let counted = 0;
    const outcome = searchCore(this.items, dual, this.best, Math.min(limit, room), (states) => {
      this.work.spend((states - counted) * per_state);
      counted = states;
    });
    this.best = outcome.choice ?? this.best;
    return outcome.complete;
  }

  /** Returns whether the local search reaches the bound. */
  private byLocalSearch(): boolean {
    if (this.work.left <= 0) return false;
    const dual = this.dual();
    if (dual === null) return true;
    const { lambda, sigma, bound } = dual;
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
    const area = { items: ids(items), near: ids(near) };
    const operations_max = Math.floor(this.work.left * local_share);
    const choice = localSearch(this.core, start, area, this.effort.random, this.work, operations_max, target);
    this.best = Uint8Array.from(this.index, (i) => choice[i] ?? 0);
    return this.value >= target;
  }
}

/** Searches for the best choice, from a feasible one. */
export function search(core: Core, incumbent: Choice, effort: Effort): Found {
  if (!oneRow(core)) return branchAndBound(core, incumbent, effort);
  const line = new LineSearch(core, incumbent, effort).run();
  const left = effort.nodes_max - line.nodes;
  if (line.complete || left <= 0) return line;
  // Where the prices of one row do not tell items apart, the bounds on their number may still decide about most of them.
  const tree = branchAndBound(core, line.choice, {
    ...effort,
    nodes_max: left,
    tick: (nodes) => effort.tick(line.nodes + nodes),
  });
  return { ...tree, nodes: line.nodes + tree.nodes };
}

/** Returns whether only the budget can bind: the dynamic programme over an expanding core then applies. */
function oneRow(core: Core): boolean {
  if (hasLinks(core)) return false;
  return core.rows.slice(1).every((row, k) => row.reduce((sum, w) => sum + w, 0) <= (core.capacities[k + 1] ?? 0));
}
