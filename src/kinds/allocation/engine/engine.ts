/**
 * Allocation: the 0/1 portfolio of greatest value under a budget, a risk limit, groups, requirements and exclusions, solved
 * exactly. One unit of `max_evaluations` buys 100 nodes of branch and bound (or 20 states of the dynamic programme for each
 * node). The answer may spend 60 %, the budgets of the sensitivity up to 75 % and 90 %, the pareto points a tenth. `seed`,
 * `population` and `generations` are unused.
 */
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../../base/canonical-json.js';
import { round12 } from '../../../base/decimal.js';
import { sha256Hex } from '../../../base/hash.js';
import { ok, type Result } from '../../../base/result.js';
import type { AllocationWork } from '../work.js';
import type { Answer, Checkpoint, Engine, EngineInput } from '../../../engines/engine.js';
import { shown } from './decimal-grid.js';
import { filled, greedyByRatio } from './greedy.js';
import { feasible, total, type Choice, type Core } from './model.js';
import { dominates, explore, front, point, type Point } from './pareto.js';
import { changedBudget, makeProblem, totals, withBudget, type Problem } from './problem.js';
import { reasons } from './reasons.js';
import { baseline_text, limits_text, method_text } from '../constants.js';
import type * as R from '../result.js';
import { boundOf, solve, type Solved } from './solve.js';

const nodes_per_evaluation = 100;

export const allocationEngine: Engine<AllocationWork, R.AllocationResult> = {
  name: 'allocation',
  version: '1.0.0',
  run,
};

/** Calls the checkpoint after every 256 nodes. */
class Meter {
  spent = 0;
  private next = 0;
  constructor(
    private readonly nodes_max: number,
    private readonly checkpoint: Checkpoint,
  ) {}

  readonly tick = (nodes: number): void => {
    if (this.spent + nodes < this.next) return;
    this.next = this.spent + nodes + 256;
    this.checkpoint(Math.min(1, (this.spent + nodes) / this.nodes_max));
  };

  part(share: number): number {
    return Math.floor(this.nodes_max * share);
  }

  /** Returns the nodes left until this part of the total is spent: nodes saved by an earlier stage go to the next one. */
  until(part: number): number {
    return Math.max(1, Math.floor(this.nodes_max * part) - this.spent);
  }
}

function run(input: EngineInput<AllocationWork>, checkpoint: Checkpoint): Result<Answer<R.AllocationResult>> {
  const made = makeProblem(input.work);
  if (E.isLeft(made)) return made;
  const problem = made.right;
  const meter = new Meter(Math.max(1, input.effort.max_evaluations) * nodes_per_evaluation, checkpoint);
  const greedy = greedyByRatio(input.work, problem.core);
  const main = stage(problem, problem.core, incumbent(problem.core, greedy, warmStart(input)), meter, 0.6);
  const less = scenario(problem, 9, main.choice, meter, 0.75);
  const more = scenario(problem, 11, main.choice, meter, 0.9);
  const extra = explore(problem, point(problem, main.choice), meter.part(0.1), meter.tick);
  meter.spent += extra.nodes;
  const candidates = [point(problem, greedy), point(problem, less.solved.choice), ...extra.points];
  const chosen = undominated(point(problem, main.choice), candidates);
  const scenarios = [settled(problem, less, main, chosen), settled(problem, more, main, chosen)] as const;
  const result = assemble(problem, main, chosen, scenarios, front(candidates, chosen), greedy);
  checkpoint(1);
  return ok({ result, iterations: meter.spent, solution: { selected: result.selected } });
}

function stage(problem: Problem, core: Core, start: Choice, meter: Meter, part: number): Solved {
  const solved = solve(problem, core, start, meter.until(part), meter.tick);
  meter.spent += solved.nodes;
  return withChoice(problem, core, solved, filled(core, solved.choice));
}

function withChoice(problem: Problem, core: Core, solved: Solved, choice: Choice): Solved {
  const value = total(core.values, choice);
  return { ...solved, choice, value, bound: boundOf(problem, core, solved.prices, value) };
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

/** Reads an earlier solution `{selected: [ids]}`; anything else, or an unknown id, gives the empty choice. */
function warmStart(input: EngineInput<AllocationWork>): Choice {
  const { items } = input.work;
  const choice = new Uint8Array(items.length);
  const start: unknown = input.warm_start;
  if (typeof start !== 'object' || start === null || !('selected' in start) || !Array.isArray(start.selected)) return choice;
  const index = new Map<unknown, number>(items.map((item, i) => [item.id, i]));
  for (const id of start.selected as readonly unknown[]) {
    const i = index.get(id);
    if (i === undefined) return new Uint8Array(items.length);
    choice[i] = 1;
  }
  return choice;
}

interface ScenarioSolved {
  readonly budget: number;
  readonly core: Core;
  readonly solved: Solved;
}

function scenario(problem: Problem, tenths: number, choice: Choice, meter: Meter, part: number): ScenarioSolved {
  const budget = round12(changedBudget(problem.work.budget, tenths));
  const core = withBudget(problem, budget);
  return { budget, core, solved: stage(problem, core, incumbent(core, greedyByRatio(problem.work, core), choice), meter, part) };
}

/**
 * Returns a scenario with the chosen point where that is better, and with the lower bound of its own and the main multipliers.
 */
function settled(problem: Problem, { budget, core, solved }: ScenarioSolved, main: Solved, chosen: Point): ScenarioSolved {
  const better = chosen.value > solved.value && feasible(core, chosen.choice);
  const choice = better ? chosen.choice : solved.choice;
  const { requires, excludes } = main.prices;
  // The certificate holds one set of link prices, so that it stays small.
  const own = withChoice(problem, core, { ...solved, prices: { ...solved.prices, requires, excludes } }, choice);
  const shared = withChoice(problem, core, { ...solved, prices: main.prices }, choice);
  return { budget, core, solved: shared.bound < own.bound ? shared : own };
}

/**
 * Returns the Pareto-optimal point for ties in value, which go to less cost, then less risk: the chosen point is replaced while
 * another dominates it.
 */
function undominated(start: Point, points: readonly Point[]): Point {
  let chosen = start;
  for (const p of points) if (dominates(p, chosen) || p.value > chosen.value) chosen = p;
  for (const p of points) if (dominates(p, chosen)) chosen = p;
  return chosen;
}

const proof = (bound: number, value: number, complete: boolean): R.Proof => {
  if (bound === value) return 'bound';
  return complete ? 'search' : false;
};

function assemble(
  problem: Problem,
  main: Solved,
  chosen: Point,
  scenarios: readonly [ScenarioSolved, ScenarioSolved],
  points: readonly Point[],
  greedy: Choice,
): R.AllocationResult {
  const { work } = problem;
  const sum = totals(problem, chosen.choice);
  const grid = boundOf(problem, problem.core, main.prices, chosen.value);
  const bound = shown(grid, problem.valuePlaces);
  const baseline = totals(problem, greedy);
  return {
    method: method_text,
    selected: work.items.filter((_, i) => chosen.choice[i] === 1).map((item) => item.id),
    ...sum,
    bound,
    gap: bound === 0 ? 0 : round12((bound - sum.value) / bound),
    optimality_proven: proof(grid, chosen.value, main.complete),
    certificate: certificate(main, scenarios, points),
    baseline: { method: baseline_text, ...baseline },
    improvement: round12(sum.value - baseline.value),
    unit: work.unit,
    pareto: points.map((p) => totals(problem, p.choice)),
    excluded_because: reasons(problem, chosen.choice),
    sensitivity: {
      budget_minus_10: sensitivity(problem, scenarios[0]),
      budget_plus_10: sensitivity(problem, scenarios[1]),
    },
    limits: limits_text,
  };
}

function sensitivity(problem: Problem, { budget, solved }: ScenarioSolved): R.Sensitivity {
  return {
    budget,
    ...totals(problem, solved.choice),
    bound: shown(solved.bound, problem.valuePlaces),
    optimality_proven: proof(solved.bound, solved.value, solved.complete),
  };
}

function certificate(
  main: Solved,
  scenarios: readonly [ScenarioSolved, ScenarioSolved],
  points: readonly Point[],
): R.Certificate {
  const scenario = ({ solved: { choice, prices } }: ScenarioSolved): R.Scenario => ({
    selection: bitmap(choice),
    ...multipliers(prices),
  });
  const body = {
    ...multipliers(main.prices),
    requires: main.prices.requires,
    excludes: main.prices.excludes,
    budget_minus_10: scenario(scenarios[0]),
    budget_plus_10: scenario(scenarios[1]),
    pareto: points.map((p) => bitmap(p.choice)),
  };
  return { ...body, digest: sha256Hex(canonicalJson(body)) };
}

const multipliers = ({ budget, risk, at_most, at_least }: R.Multipliers): R.Multipliers => ({ budget, risk, at_most, at_least });

function bitmap(choice: Choice): string {
  let out = '';
  for (let i = 0; i < choice.length; i += 4) {
    const digit = 8 * (choice[i] ?? 0) + 4 * (choice[i + 1] ?? 0) + 2 * (choice[i + 2] ?? 0) + (choice[i + 3] ?? 0);
    out += digit.toString(16);
  }
  return out;
}
