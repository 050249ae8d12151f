/**
 * A test of a node by the number of items: computes the most, or the fewest, items of a choice of the node that keeps the rows and
 * is worth the target. When a better choice must hold more (or fewer), the node is closed; and items are decided whose opposite
 * decision would leave too few (or too many).
 */
import type { BranchState } from './branch-state.js';
import { LinkPairs } from './links.js';
import type { Core } from './model.js';
import { Relaxation } from './relaxation.js';

export interface CountAim {
  /** 1 for the most items, −1 for the fewest. */
  readonly sign: 1 | -1;
  /** The priced rows, and their prices at the root. */
  readonly rows: readonly number[];
  readonly prices: Float64Array;
}

const steps = 4;
const margin = 1e-6;

export class CountTest {
  /** The prices at the root. */
  readonly start: Float64Array;
  private readonly relaxation: Relaxation;
  /** A bound that does not exceed this closes the node. */
  private target = 0;

  constructor(
    core: Core,
    private readonly state: BranchState,
    private readonly aim: CountAim,
  ) {
    this.start = aim.prices;
    this.relaxation = new Relaxation(core, state, new LinkPairs(core, false), {
      objective: new Float64Array(core.n).fill(aim.sign),
      rows: aim.rows,
      sofar: () => aim.sign * state.count,
    });
  }

  /** Sets the number of items that the choices of the tree must hold. */
  require(count: number): void {
    this.target = this.aim.sign * count - 1 + margin;
  }

  /** Returns false when the node can be closed; otherwise decides what the test settles. */
  pass(list: Int32Array, prices: Float64Array): boolean {
    const open = list.filter((i) => this.state.status[i] === 2);
    this.relaxation.solve(open, prices, steps, this.target);
    const { bound, regret, taken } = this.relaxation;
    if (bound <= this.target) return false;
    const allowance = bound - this.target;
    const settled = open.filter((i) => (regret[i] ?? 0) >= allowance);
    return settled.every((i) => this.state.decide(i, taken[i] === 1 ? 1 : 0));
  }

  takeOperations(): number {
    const { operations } = this.relaxation;
    this.relaxation.operations = 0;
    return operations;
  }
}
