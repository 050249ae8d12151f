/**
 * Points between the empty choice and the chosen one: short solves under smaller budgets and risk limits, and the dominance among
 * the points.
 */
import type { Stage } from './effort.js';
import { greedyByRatio } from './greedy.js';
import { total, withCapacities, type Choice, type Core } from './model.js';
import type { Problem } from './problem.js';
import { pareto_points_max } from '../constants.js';
import { search } from './solve.js';

export interface Point {
  readonly choice: Choice;
  /** In grid units. */
  readonly value: number;
  readonly cost: number;
  readonly risk: number;
}

export function point(problem: Problem, choice: Choice): Point {
  return {
    choice,
    value: total(problem.core.values, choice),
    cost: total(problem.core.rows[0] ?? problem.risks, choice),
    risk: total(problem.risks, choice),
  };
}

/** Returns whether a is at least as good as b in all three, and not the same. */
export const dominates = (a: Point, b: Point): boolean =>
  a.value >= b.value && a.cost <= b.cost && a.risk <= b.risk && (a.value > b.value || a.cost < b.cost || a.risk < b.risk);

const byValue = (a: Point, b: Point): number => b.value - a.value || a.cost - b.cost || a.risk - b.risk;

const same = (a: Point, b: Point): boolean => a.value === b.value && a.cost === b.cost && a.risk === b.risk;

const level_stride = 37;

/**
 * Searches for points under shares of the chosen point's cost and risk.
 * @returns points in the order found
 */
export function explore(problem: Problem, best: Point, stage: Stage): Point[] {
  const nodes_max = stage.part_max;
  const risky = best.risk > 0;
  const costSteps = risky ? 10 : 60;
  const riskSteps = risky ? 8 : 1;
  const base: Core = risky
    ? { ...problem.core, rows: [problem.core.rows[0] ?? problem.risks, problem.risks], hard: 2 }
    : problem.core;
  const points: Point[] = [];
  const all = costSteps * riskSteps;
  let nodes = 0;
  for (let k = 0; k < all && nodes < nodes_max; k++) {
    // A stride that shares no factor with the number of levels, so that the levels that fit into the effort are spread evenly.
    const level = (k * level_stride) % all;
    const cost = Math.floor((best.cost * (costSteps - Math.floor(level / riskSteps))) / costSteps);
    const risk = Math.floor((best.risk * (riskSteps - (level % riskSteps))) / riskSteps);
    const core = withCapacities(base, risky ? [cost, risk] : [cost, ...problem.core.capacities.slice(1)]);
    const before = nodes;
    const found = search(core, greedyByRatio(problem.items, core), {
      nodes_max: Math.floor(nodes_max / all),
      tick: (spent) => stage.tick(before + spent),
      random: stage.random,
      cuts: false,
    });
    nodes += found.nodes;
    points.push(point(problem, found.choice));
  }
  stage.end(nodes);
  return points;
}

/** Returns the non-dominated points, each once, by descending value; thinned evenly to the limit, with `kept` always included. */
export function front(points: readonly Point[], kept: Point): Point[] {
  const out: Point[] = [kept];
  for (const p of points) {
    if (out.some((q) => same(p, q)) || points.some((q) => dominates(q, p)) || dominates(kept, p)) continue;
    out.push(p);
  }
  out.sort(byValue);
  if (out.length <= pareto_points_max) return out;
  const step = (out.length - 1) / (pareto_points_max - 1);
  const thin = Array.from({ length: pareto_points_max }, (_, k) => out[Math.round(k * step)] ?? kept);
  return thin.includes(kept) ? thin : [kept, ...thin.slice(1)].sort(byValue);
}
