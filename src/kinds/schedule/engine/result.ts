/** Builds the result of a schedule mission from an order of its operations. */
import { round12 } from '../../../base/decimal.js';
import { iterationsText, limit_texts, methodText } from '../constants.js';
import type { ScheduledOperation, ScheduleResult } from '../result.js';
import type { ScheduleWork } from '../work.js';
import { dispatchOrder } from './construct.js';
import { at } from './ints.js';
import { loadOrder, makespanOf, newPlan, type Plan, tardinessOf, valueOf } from './plan.js';
import type { Prover } from './prover.js';
import type { Shop } from './shop.js';

/** What is known of the least value that any schedule has. */
export type Proof = Pick<Prover, 'bound' | 'certificate' | 'isProven'>;

export type Effort = Pick<ScheduleResult, 'iterations' | 'iterations_max'>;

/** Returns the result for a plan, each operation as early as its machine's order allows. */
export function resultOf(
  work: ScheduleWork,
  plan: Plan,
  { bound, certificate, isProven }: Proof,
  effort: Effort,
): ScheduleResult {
  const baseline = baselineOf(plan.shop);
  const value = valueOf(plan);
  return {
    method: methodText(work.objective),
    operations: operationsOf(plan),
    makespan: makespanOf(plan),
    tardiness: tardinessOf(plan),
    lower_bound: bound,
    gap: value === bound ? 0 : round12((value - bound) / value),
    optimality_proven: value === bound ? 'bound' : isProven ? 'search' : false,
    certificate,
    baseline,
    improvement: baseline === 0 ? 0 : round12((baseline - value) / baseline),
    ...effort,
    iterations_formula: iterationsText(work.objective),
    utilisation: utilisationOf(plan),
    unit: work.unit,
    limits: limit_texts,
  };
}

function baselineOf(shop: Shop): number {
  const plan = newPlan(shop);
  loadOrder(plan, dispatchOrder(shop));
  return valueOf(plan);
}

function operationsOf(plan: Plan): ScheduledOperation[] {
  const { shop } = plan;
  return Array.from({ length: shop.operations }, (_, x) => {
    const job = at(shop.jobOf, x);
    const end = at(plan.end, x);
    return {
      job: shop.jobIds[job] ?? '',
      operation: x - at(shop.first, job),
      machine: shop.machineIds[at(shop.machineOf, x)] ?? '',
      start: end - at(shop.duration, x),
      end,
    };
  });
}

function utilisationOf(plan: Plan): Record<string, number> {
  const { shop } = plan;
  const busy = new Float64Array(shop.machines);
  for (let x = 0; x < shop.operations; x++) {
    const m = at(shop.machineOf, x);
    busy[m] = (busy[m] ?? 0) + at(shop.duration, x);
  }
  const makespan = makespanOf(plan);
  return Object.fromEntries(shop.machineIds.map((id, m) => [id, round12((busy[m] ?? 0) / makespan)]));
}
