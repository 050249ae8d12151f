/** Converts the mission's items to the core: decimals to integers, ids to indices, and refusals with their paths. */
import * as E from 'fp-ts/lib/Either.js';
import { invalid } from '../../../base/refusal.js';
import { ok, refuse, type Result } from '../../../base/result.js';
import type { AllocationWork } from '../work.js';
import { floorScaled, places, places_max, safe_max, shown } from './decimal-grid.js';
import { makeCore, total, withCapacities, type Choice, type Core } from './model.js';
import type { Totals } from '../result.js';

export interface Problem {
  readonly work: AllocationWork;
  /** Rows: cost, then risk when there is a limit on it. */
  readonly core: Core;
  readonly risks: Float64Array;
  /** Decimal places of the grids of values, costs and risks. */
  readonly valuePlaces: number;
  readonly costPlaces: number;
  readonly riskPlaces: number;
}

type Member = 'cost' | 'value' | 'risk';

interface Scaled {
  readonly numbers: Float64Array;
  readonly places: number;
}

export function makeProblem(work: AllocationWork): Result<Problem> {
  const costs = scale(work, 'cost');
  if (E.isLeft(costs)) return costs;
  const values = scale(work, 'value');
  if (E.isLeft(values)) return values;
  const risks = scale(work, 'risk');
  if (E.isLeft(risks)) return risks;
  const rows = [costs.right.numbers];
  const capacities = [capacity(work.budget, costs.right)];
  if (work.max_risk !== undefined) {
    rows.push(risks.right.numbers);
    capacities.push(capacity(work.max_risk, risks.right));
  }
  return ok({
    work,
    core: makeCore(values.right.numbers, rows, capacities, links(work)),
    risks: risks.right.numbers,
    valuePlaces: values.right.places,
    costPlaces: costs.right.places,
    riskPlaces: risks.right.places,
  });
}

/** Returns the budget changed by tenths, such as ten per cent less or more, to the nearest double. */
export const changedBudget = (budget: number, tenths: number): number => (budget * tenths) / 10;

export function withBudget(problem: Problem, budget: number): Core {
  const costs = { numbers: problem.core.rows[0] ?? new Float64Array(0), places: problem.costPlaces };
  return withCapacities(problem.core, [capacity(budget, costs), ...problem.core.capacities.slice(1)]);
}

export function totals(problem: Problem, choice: Choice): Totals {
  return {
    value: shown(total(problem.core.values, choice), problem.valuePlaces),
    cost: shown(total(problem.core.rows[0] ?? problem.risks, choice), problem.costPlaces),
    risk: shown(total(problem.risks, choice), problem.riskPlaces),
  };
}

function scale(work: AllocationWork, member: Member): Result<Scaled> {
  let k = 0;
  for (const [i, item] of work.items.entries()) {
    const p = places(item[member]);
    if (p > places_max)
      return refuse(invalid(`work.items[${i}].${member}`, `has ${p} decimal places, at most ${places_max} are allowed`));
    k = Math.max(k, p);
  }
  let sum = 0n;
  const numbers = new Float64Array(work.items.length);
  for (const [i, item] of work.items.entries()) {
    const scaled = floorScaled(item[member], k);
    sum += scaled;
    if (sum > BigInt(safe_max)) {
      const message = `the total in steps of 10^-${k} exceeds 2^53 - 1: use fewer decimal places or smaller numbers`;
      return refuse(invalid(`work.items[${i}].${member}`, message));
    }
    numbers[i] = Number(scaled);
  }
  return ok({ numbers, places: k });
}

/** Returns the limit on the grid; never more than the sum of all amounts, so that it stays a safe integer. */
function capacity(limit: number, scaled: Scaled): number {
  const everything = scaled.numbers.reduce((sum, x) => sum + x, 0);
  const exact = floorScaled(limit, scaled.places);
  return exact > BigInt(everything) ? everything : Number(exact);
}

function links(work: AllocationWork): { group: Int32Array; requires: number[][]; excludes: number[][] } {
  const index = new Map(work.items.map((item, i) => [item.id, i]));
  const groups = new Map<string, number>();
  const group = new Int32Array(work.items.length).fill(-1);
  const indices = (ids: readonly string[] | undefined): number[] => {
    const found = new Set<number>();
    for (const id of ids ?? []) {
      const at = index.get(id);
      if (at !== undefined) found.add(at);
    }
    return [...found].sort((a, b) => a - b);
  };
  for (const [i, item] of work.items.entries()) {
    if (item.group === undefined) continue;
    const number = groups.get(item.group) ?? groups.size;
    groups.set(item.group, number);
    group[i] = number;
  }
  return {
    group,
    requires: work.items.map((item) => indices(item.requires)),
    excludes: work.items.map((item) => indices(item.excludes)),
  };
}
