/**
 * Allocation: the 0/1 portfolio of greatest value under a budget, a risk limit, groups, requirements and exclusions, solved
 * exactly. `effort.ts` says what one unit of `max_evaluations` pays for. The answer may spend 60 %, the budgets of the sensitivity
 * up to 75 % and 90 %, the pareto points a tenth. `seed` starts the local search; `population` and `generations` are unused.
 */
import { canonicalJson } from '../../../base/canonical-json.js';
import { decimalDifference, round12, round15 } from '../../../base/decimal.js';
import { sha256Hex } from '../../../base/bytes.js';
import { ok, type Result } from '../../../base/refusal.js';
import type { AllocationWork } from '../work.js';
import { type Answer, type Checkpoint, endedText, type Engine, type EngineInput } from '../../../engines/engine.js';
import { shown } from '../decimal-grid.js';
import { fits } from './bound.js';
import { Meter, type Stage } from './effort.js';
import { filled, greedyByRatio } from './greedy.js';
import { type Choice, type Core, feasible, total, withCapacities } from './model.js';
import { changedBudget, makeProblem, type Problem, totals, whole, withBudget } from './problem.js';
import { baseline_text, engine_id, limitsText, method_text, nodes_per_evaluation, pareto_points_max } from '../constants.js';
import type * as R from '../result.js';
import { pricedLinks, proofOf, type PricedLinks, type Proof } from './certificate.js';
import { type Found, search } from './solve.js';

// The reason why each item was left out: the first obstacle to adding it to the choice.

function reasons(problem: Problem, choice: Choice): { id: string; reason: R.Reason }[] {
  const { core, work, places } = problem;
  const room = core.rows.map((row, k) => {
    let left = core.capacities[k] ?? 0;
    for (let i = 0; i < core.n; i++) if (choice[i] === 1) left -= row[i] ?? 0;
    return left;
  });
  const taken = new Set<number>();
  for (let i = 0; i < core.n; i++) if (choice[i] === 1) taken.add(core.group[i] ?? -1);
  const at = new Map(places.map((i, k) => [i, k]));
  const all = whole(problem, choice);
  return work.items.flatMap(({ id }, i): { id: string; reason: R.Reason }[] => {
    const k = at.get(i);
    if (all[i] === 1) return [];
    return [{ id, reason: k === undefined ? 'impossible' : reason(core, choice, k, taken, room) }];
  });
}

function reason(core: Core, choice: Choice, i: number, taken: ReadonlySet<number>, room: readonly number[]): R.Reason {
  if (!fits(core, i) && core.rows.every((row, k) => (row[i] ?? 0) <= (core.capacities[k] ?? 0))) return 'impossible';
  if (core.values[i] === 0) return 'zero value';
  const over = limit(core.rows, i, core.capacities);
  if (over !== null) return over;
  if (core.requires[i]?.some((j) => choice[j] !== 1) === true) return 'requires';
  if (core.excludes[i]?.some((j) => choice[j] === 1) === true) return 'excludes';
  const g = core.group[i] ?? -1;
  if (g >= 0 && taken.has(g)) return 'group';
  return limit(core.rows, i, room) ?? 'lower value';
}

/** Returns the limit of which less is left than an item takes, or null. */
function limit(rows: readonly Float64Array[], i: number, left: readonly number[]): 'budget' | 'risk' | null {
  if ((rows[0]?.[i] ?? 0) > (left[0] ?? 0)) return 'budget';
  return (rows[1]?.[i] ?? 0) > (left[1] ?? Infinity) ? 'risk' : null;
}

export const allocationEngine: Engine<AllocationWork, R.AllocationResult> = {
  ...engine_id,
  run,
};

function run(input: EngineInput<AllocationWork>, checkpoint: Checkpoint): Result<Answer<R.AllocationResult>> {
  const problem = makeProblem(input.work);
  const { core } = problem;
  const { max_evaluations, iterations_limit: limit } = input.effort;
  const meter = new Meter(Math.max(1, max_evaluations) * nodes_per_evaluation, input.seed, checkpoint, limit);
  const greedy = greedyByRatio(problem.items, core);
  const main = stage(core, incumbent(core, greedy, warmStart(problem, input.warm_start)), meter.stage(0, 0.6));
  const less = scenario(problem, 9, main.choice, meter.stage(0.6, 0.75));
  const more = scenario(problem, 11, main.choice, meter.stage(0.75, 0.9));
  const others = [point(problem, greedy), ...(less === null ? [] : [point(problem, less.choice)])];
  const candidates = explore(problem, point(problem, main.choice), others, meter.stage(0.9, 1));
  const chosen = first(point(problem, main.choice), candidates);
  const proven = prove(problem, { ...main, core, choice: chosen.choice }, pricedLinks(problem, main.links));
  const scenarios: Scenarios = [less && settled(problem, less, proven), more && settled(problem, more, proven)];
  const { limit: iterations_limit } = meter;
  const limits = limitsText(iterations_limit === undefined ? null : endedText(iterations_limit, meter.nodes_max));
  const result = { ...assemble(problem, proven, scenarios, front(candidates, chosen), greedy), limits };
  checkpoint(1);
  const solution = { selected: result.selected };
  return ok({ result, iterations: meter.spent, ...(iterations_limit === undefined ? {} : { iterations_limit }), solution });
}

function stage(core: Core, start: Choice, effort: Stage): Found {
  const found = search(core, start, effort);
  effort.end(found.nodes);
  return { ...found, choice: filled(core, found.choice) };
}

interface Chosen {
  readonly core: Core;
  readonly choice: Choice;
  /** Whether an exact search ended. */
  readonly complete: boolean;
}

/** A choice with its value in grid units, the multipliers of its certificate, and the bound that they prove. */
interface Proven extends Chosen, Proof {
  readonly value: number;
}

function prove(problem: Problem, { core, choice, complete }: Chosen, links: readonly PricedLinks[]): Proven {
  const value = total(core.values, choice);
  return { core, choice, complete, value, ...proofOf(problem, core, value, links) };
}

/** Returns the best feasible choice as a start. */
function incumbent(core: Core, ...choices: readonly Choice[]): Choice {
  let best: Choice = new Uint8Array(core.n);
  for (const choice of choices) {
    if (!feasible(core, choice)) continue;
    const full = filled(core, choice);
    if (total(core.values, full) > total(core.values, best)) best = full;
  }
  return best;
}

/** Reads an earlier solution `{selected: [ids]}`; anything else, or an id that cannot be chosen, gives the empty choice. */
function warmStart({ work, items, must }: Problem, start: unknown): Choice {
  const choice = new Uint8Array(items.length);
  const chosen = new Set<unknown>(must.map((i) => work.items[i]?.id));
  if (typeof start !== 'object' || start === null || !('selected' in start) || !Array.isArray(start.selected)) return choice;
  const index = new Map<unknown, number>(items.map((item, i) => [item.id, i]));
  for (const id of start.selected as readonly unknown[]) {
    const i = index.get(id);
    if (i === undefined && chosen.has(id)) continue;
    if (i === undefined) return new Uint8Array(items.length);
    choice[i] = 1;
  }
  return choice;
}

interface Scenario extends Chosen {
  readonly budget: number;
}

/** The scenarios of less and of more budget; null for a budget that what must be chosen exceeds. */
type Scenarios = readonly [(Scenario & Proven) | null, (Scenario & Proven) | null];

function scenario(problem: Problem, tenths: number, choice: Choice, effort: Stage): Scenario | null {
  const budget = round15(changedBudget(problem.work.budget, tenths));
  const core = withBudget(problem, budget);
  if (core === null) return null;
  return { budget, core, ...stage(core, incumbent(core, greedyByRatio(problem.items, core), choice), effort) };
}

/** Returns a scenario with the chosen point where that is better, and with its bound beside the main prices of links. */
function settled(problem: Problem, found: Scenario, main: Proven): Scenario & Proven {
  const { core } = found;
  const better = main.value > total(core.values, found.choice) && feasible(core, main.choice);
  const choice = better ? main.choice : found.choice;
  return { ...found, ...prove(problem, { ...found, choice }, [main.prices]) };
}

/** Returns the first of these points by value, of equal ones that of less cost, then of less risk. */
const first = (start: Point, points: readonly Point[]): Point =>
  points.reduce((chosen, p) => (byValue(p, chosen) < 0 ? p : chosen), start);

function proofKind({ bound, value, complete }: Proven): R.Proof {
  if (bound === value) return 'bound';
  return complete ? 'search' : false;
}

function assemble(
  problem: Problem,
  main: Proven,
  scenarios: Scenarios,
  points: readonly Point[],
  greedy: Choice,
): Omit<R.AllocationResult, 'limits'> {
  const { work } = problem;
  const sum = totals(problem, main.choice);
  const bound = shown(problem.taken.value + main.bound, problem.valuePlaces);
  const chosen = whole(problem, main.choice);
  const baseline = totals(problem, greedy);
  return {
    method: method_text,
    selected: work.items.filter((_, i) => chosen[i] === 1).map((item) => item.id),
    ...sum,
    bound,
    gap: bound === 0 ? 0 : round12((bound - sum.value) / bound),
    optimality_proven: proofKind(main),
    certificate: certificate(problem, main, scenarios, points),
    baseline: { method: baseline_text, ...baseline },
    improvement: decimalDifference(sum.value, baseline.value),
    unit: work.unit,
    pareto: points.map((p) => totals(problem, p.choice)),
    excluded_because: reasons(problem, main.choice),
    sensitivity: {
      budget_minus_10: sensitivity(problem, scenarios[0]),
      budget_plus_10: sensitivity(problem, scenarios[1]),
    },
  };
}

function sensitivity(problem: Problem, scenario: (Scenario & Proven) | null): R.Sensitivity | null {
  if (scenario === null) return null;
  return {
    budget: scenario.budget,
    ...totals(problem, scenario.choice),
    bound: shown(problem.taken.value + scenario.bound, problem.valuePlaces),
    optimality_proven: proofKind(scenario),
  };
}

function certificate(problem: Problem, main: Proven, scenarios: Scenarios, points: readonly Point[]): R.Certificate {
  const places = (links: readonly R.LinkPrice[]): R.LinkPrice[] =>
    links.map(([i, j, price]) => [problem.places[i] ?? 0, problem.places[j] ?? 0, price]);
  const scenario = (proven: Proven | null): R.Scenario | null =>
    proven && {
      selection: bitmap(whole(problem, proven.choice)),
      ...multipliers(proven),
      counts: proven.counts,
    };
  const body = {
    ...multipliers(main),
    counts: main.counts,
    requires: places(main.prices.requires),
    excludes: places(main.prices.excludes),
    budget_minus_10: scenario(scenarios[0]),
    budget_plus_10: scenario(scenarios[1]),
    pareto: points.map((p) => bitmap(whole(problem, p.choice))),
  };
  return { ...body, digest: sha256Hex(canonicalJson(body)) };
}

const multipliers = ({ prices: { budget, risk, at_most, at_least }, choices }: Proof) => ({
  budget,
  risk,
  at_most,
  at_least,
  ...(choices === null ? {} : { choices }),
});

function bitmap(choice: Choice): string {
  let out = '';
  for (let i = 0; i < choice.length; i += 4) {
    const digit = 8 * (choice[i] ?? 0) + 4 * (choice[i + 1] ?? 0) + 2 * (choice[i + 2] ?? 0) + (choice[i + 3] ?? 0);
    out += digit.toString(16);
  }
  return out;
}

// Points between the empty choice and the chosen one: short solves under smaller budgets and risk limits, and the dominance among
// the points.

export type Point = Readonly<ReturnType<typeof point>>;

export const point = (problem: Problem, choice: Choice) => ({
  choice,
  /** In grid units. */
  value: total(problem.core.values, choice),
  cost: total(problem.core.rows[0] ?? problem.risks, choice),
  risk: total(problem.risks, choice),
});

/** Returns whether a is at least as good as b in all three, and not the same. */
export const dominates = (a: Point, b: Point): boolean =>
  a.value >= b.value && a.cost <= b.cost && a.risk <= b.risk && (a.value > b.value || a.cost < b.cost || a.risk < b.risk);

const byValue = (a: Point, b: Point): number => b.value - a.value || a.cost - b.cost || a.risk - b.risk;

const same = (a: Point, b: Point): boolean => a.value === b.value && a.cost === b.cost && a.risk === b.risk;

const level_stride = 37;
/** So many nodes are never too many for the points that dominate others: those of small missions are all found. */
const better_nodes_min = 1_000;
/** All points of at most so many items are sought, with half of the effort and so many searches. */
const few_items_max = 20;
const few_searches_max = 4 * pareto_points_max;

interface Limits {
  readonly cost: number;
  readonly risk: number;
}

const isWithin = (a: Limits, b: Limits): boolean => a.cost <= b.cost && a.risk <= b.risk;

/**
 * Returns points among which are all Pareto-optimal ones: those of value and cost under the limit on risk, then under that which leaves out the
 * riskiest of them, and so on (the ε-constraint method, Haimes et al. 1971).
 * @param seek returns the best point under limits, null where the search does not end
 * @returns null where a search did not end, or after too many
 */
function allPoints({ cost, risk }: Limits, seek: (limits: Limits) => Point | null): Point[] | null {
  const found: { readonly under: Limits; readonly best: Point }[] = [];
  for (let [under, highest] = [{ cost, risk }, -1]; under.risk >= 0; ) {
    // The best point under wider limits is the best here if it keeps to these.
    const known = found.find((wider) => isWithin(under, wider.under) && isWithin(wider.best, under));
    const best = known?.best ?? (found.length < few_searches_max ? seek(under) : null);
    if (best === null) return null;
    if (known === undefined) found.push({ under, best });
    highest = Math.max(highest, best.risk);
    if (best.cost > 0) under = { ...under, cost: best.cost - 1 };
    else [under, highest] = [{ cost, risk: highest - 1 }, -1];
  }
  return found.map(({ best }) => best);
}

/**
 * Searches for all points of few items. Of more, or where there are too many, it searches for points under shares of the chosen point's cost and
 * risk; then, with as much effort again, for points that dominate those of the front: with less cost, or with less risk.
 * @param others points that the front may hold too
 * @returns all points in the order found, the others first
 */
export function explore(problem: Problem, best: Point, others: readonly Point[], stage: Stage): Point[] {
  const nodes_max = stage.part_max;
  const { core: whole, risks } = problem;
  const risky = risks.some((risk) => risk > 0);
  const costSteps = best.risk > 0 ? 10 : 60;
  const riskSteps = best.risk > 0 ? 8 : 1;
  const base: Core = risky ? { ...whole, rows: [whole.rows[0] ?? risks, risks], hard: 2 } : whole;
  const [cost_max = 0, risk_limit = risks.reduce((sum, risk) => sum + risk, 0)] = whole.capacities;
  const risk_max = best.risk > 0 ? best.risk : risk_limit;
  const points = [...others];
  const all = costSteps * riskSteps;
  let nodes = 0;
  let isExact = true;
  const isUnder = (most: number): boolean => nodes < most;
  const seek = (cost: number, risk: number): Point => {
    const core = withCapacities(base, risky ? [cost, risk] : [cost, ...whole.capacities.slice(1)]);
    const before = nodes;
    const found = search(core, greedyByRatio(problem.items, core), {
      nodes_max: Math.floor(nodes_max / all),
      tick: (spent) => stage.tick(before + spent),
      random: stage.random,
      cuts: false,
    });
    nodes += found.nodes;
    isExact &&= found.complete;
    return point(problem, found.choice);
  };
  const seekBest = ({ cost, risk }: Limits): Point | null => {
    const found = isUnder(nodes_max / 2) ? seek(cost, risk) : null;
    return isExact ? found : null;
  };
  const every = whole.n <= few_items_max ? allPoints({ cost: cost_max, risk: risk_limit }, seekBest) : null;
  if (every !== null) {
    stage.end(nodes);
    return [...points, ...every];
  }
  for (let k = 0; k < all && isUnder(nodes_max); k++) {
    // A stride that shares no factor with the number of levels, so that the levels that fit into the effort are spread evenly.
    const level = (k * level_stride) % all;
    const cost = Math.floor((best.cost * (costSteps - Math.floor(level / riskSteps))) / costSteps);
    points.push(seek(cost, Math.floor((risk_max * (riskSteps - (level % riskSteps))) / riskSteps)));
  }
  const open = front(points, best);
  const most = Math.min(nodes_max, nodes + Math.max(nodes, better_nodes_min));
  for (const p of open) {
    const cheaper = isUnder(most) && p.cost > 0 ? seek(p.cost - 1, p.risk) : p;
    const safer = isUnder(most) && risky && p.risk > 0 ? seek(p.cost, p.risk - 1) : p;
    open.push(...[cheaper, safer].filter((q) => dominates(q, p)));
  }
  stage.end(nodes);
  return [...points, ...open];
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
