/**
 * Search by branch and bound: a first tree with little effort settles easy problems. Otherwise local searches improve the incumbent, each
 * followed by a tree with more effort, whose cuts the better incumbent makes tighter.
 */
import { Work, type Effort } from './effort.js';
import type { LinkPairs } from './links.js';
import { localSearch } from './local-search.js';
import { total, type Choice, type Core } from './model.js';
import { Tree } from './tree.js';

export interface BranchOutcome {
  readonly choice: Choice;
  readonly value: number;
  readonly complete: boolean;
  readonly nodes: number;
  /** The links with their prices at the root. */
  readonly links: LinkPairs;
}

/** The share of the effort of the first tree; with little effort it may use more, up to half. */
const first_share = 0.02;
const first_operations = 2_000_000;
/** The parts of what is then left, of the local searches and of the trees after them. */
const rounds = [
  { local: 0.03, tree: 0.15 },
  { local: 0.25, tree: 1 },
] as const;

export function branchAndBound(core: Core, incumbent: Choice, { nodes_max, tick, random, cuts }: Effort): BranchOutcome {
  const work = new Work(nodes_max, tick);
  let tree = new Tree(core, incumbent, work, cuts);
  let complete = tree.run(Math.max(Math.floor(work.left * first_share), Math.min(Math.floor(work.left / 2), first_operations)));
  for (const { local, tree: part } of rounds) {
    const around = complete ? null : tree.area();
    if (around === null || work.left <= 0) break;
    const operations_max = Math.floor(work.left * local);
    const better = localSearch(core, tree.best, around.area, random, work, operations_max, around.bound);
    tree = new Tree(core, better, work, cuts);
    complete = tree.run(Math.floor(work.left * part));
  }
  const { best: choice, links } = tree;
  return { choice, value: total(core.values, choice), complete, nodes: work.nodes, links };
}
