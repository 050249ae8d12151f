/**
 * The bound of a node of the branch and bound: a few subgradient steps from the parent's prices, and, when they do not close the node, the
 * exact prices of the rows beside those of the links. These come with a solution of the linear relaxation, which says where to branch.
 */
import type { BranchState } from './branch-state.js';
import type { DualRow } from './dual-choice.js';
import { dualVertex } from './dual-vertex.js';
import { LinkPairs } from './links.js';
import type { Core } from './model.js';
import { Relaxation } from './relaxation.js';

const first_steps = 2;
/** The steps where there are links, or many rows. */
const steps = 12;
const vertex_steps = 60;
/** With more rows the exact prices take longer than they save. */
const vertex_rows_max = 4;
const integral = 1e-6;

export class NodeBound {
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
