/** The choice of the search by the form of the problem. */
import { branchAndBound } from './branch-and-bound.js';
import { lineRounding } from './certificate-prices.js';
import type { Effort } from './effort.js';
import type { LinkPairs } from './links.js';
import { searchLine } from './one-row.js';
import { hasLinks, type Choice, type Core } from './model.js';
import type { Problem } from './problem.js';

export interface Found {
  readonly choice: Choice;
  readonly complete: boolean;
  readonly nodes: number;
  /** The priced links of the relaxation, or null for a search without them. */
  readonly links: LinkPairs | null;
}

/** Searches for the best choice, from a feasible one. */
export function search(problem: Problem, core: Core, incumbent: Choice, effort: Effort): Found {
  if (!oneRow(core)) return branchAndBound(core, incumbent, effort);
  const line = searchLine(core, incumbent, lineRounding(problem), effort);
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
