/**
 * The effort of a search, counted in operations and never by the clock. One evaluation of the configuration pays for 100 nodes, and a node
 * for 2000 operations: visits of an item, a row of an item or a link by any part of the search. The constants bound the time of
 * every accepted mission: 10 000 evaluations are 2·10^9 operations, whatever the size of the mission.
 */
import { prng, type Prng } from '../../../base/prng.js';
import { type Checkpoint, TimeUp } from '../../../engines/engine.js';

export const operations_per_node = 2_000;
/** The number of states of the dynamic programme that count as one node. */
export const states_per_node = 20;

/** The number of nodes between two reports of progress. */
const report_nodes = 256;

/** The operations that a stage may use and those that it has used. */
export class Work {
  operations = 0;
  private next = 0;

  /** @param tick called with the nodes used so far, at bounded steps */
  constructor(
    readonly nodes_max: number,
    private readonly tick: (nodes: number) => void,
  ) {}

  spend(operations: number): void {
    this.operations += operations;
    if (this.operations < this.next) return;
    this.next = this.operations + report_nodes * operations_per_node;
    this.tick(this.nodes);
  }

  get nodes(): number {
    return Math.ceil(this.operations / operations_per_node);
  }

  /** The operations that are left; negative when the last step took more than there were. */
  get left(): number {
    return this.nodes_max * operations_per_node - this.operations;
  }
}

/** What one search may spend, and the random numbers of its local search. */
export interface Effort {
  readonly nodes_max: number;
  readonly tick: (nodes: number) => void;
  readonly random: Prng;
  /** Whether the cuts are worth their time: a quick search for a point of the Pareto front goes without. */
  readonly cuts: boolean;
}

/** What one stage of a mission may spend. */
export interface Stage extends Effort {
  /** The stage's own part of all nodes, without those that earlier stages left. */
  readonly part_max: number;
  /** Ends the stage with the nodes that it used. */
  readonly end: (nodes: number) => void;
}

/**
 * The nodes of a whole mission, shared by its stages in order: what a stage saves goes to the next. The progress of each stage is
 * its share of the whole, so that the time used so far lets a reader estimate the time that is left.
 */
export class Meter {
  spent = 0;
  private next = 0;
  private done = 0;

  constructor(
    readonly nodes_max: number,
    private readonly seed: number,
    private readonly checkpoint: Checkpoint,
    /** The nodes after which the search ends because of time; chosen by the clock when that was not done before. */
    public limit: number | undefined,
  ) {}

  /** Returns the stage between these shares of the whole. */
  stage(from: number, to: number): Stage {
    const nodes_max = Math.max(1, Math.floor(this.nodes_max * to) - this.spent);
    return {
      nodes_max,
      part_max: Math.floor(this.nodes_max * (to - from)),
      random: prng(this.seed, Math.round(from * 100)),
      cuts: true,
      tick: (nodes) => this.tick(from + (to - from) * Math.min(1, nodes / nodes_max), this.spent + nodes),
      end: (nodes) => {
        this.spent += nodes;
        this.report(to, this.spent);
      },
    };
  }

  /** @throws TimeUp from the first call on with as many nodes as the limit, which the clock chooses at such a call */
  private tick(done: number, nodes: number): void {
    if (this.report(done, nodes)) this.limit ??= nodes;
    if (nodes >= (this.limit ?? Infinity)) throw new TimeUp();
  }

  /** Returns whether time is up. */
  private report(done: number, nodes: number): boolean {
    if (nodes < this.next) return false;
    this.next = nodes + report_nodes;
    this.done = Math.max(this.done, Math.min(1, done));
    return this.checkpoint(this.done) === true;
  }
}
