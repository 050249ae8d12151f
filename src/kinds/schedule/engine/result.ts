/** Builds the result of a schedule mission from an order of its operations. */
import { round12 } from '../../../base/decimal.js';
import { limit_texts, methodText } from '../constants.js';
import type { ScheduledOperation, ScheduleResult } from '../result.js';
import type { ScheduleWork } from '../work.js';
import { dispatchOrder } from './construct.js';
import { at } from './ints.js';
import { loadOrder, makespanOf, newPlan, type Plan, tardinessOf, valueOf } from './plan.js';
import type { Shop } from './shop.js';

/** The result of a search. */
export interface Found {
  /** All operations in an order that respects jobs and machines. */
  readonly order: Int32Array;
  /** `lowerBound` of the shop. */
  readonly bound: number;
  readonly iterations: number;
}

/** Returns the result for an order of the operations, each as early as its machine's order allows. */
export function resultOf(work: ScheduleWork, shop: Shop, found: Found): ScheduleResult {
  const { order, bound, iterations } = found;
  const plan = newPlan(shop);
  loadOrder(plan, dispatchOrder(shop));
  const baseline = valueOf(plan);
  loadOrder(plan, order);
  const value = valueOf(plan);
  return {
    method: methodText(work.objective),
    operations: operationsOf(plan),
    makespan: makespanOf(plan),
    tardiness: tardinessOf(plan),
    lower_bound: bound,
    gap: value === bound ? 0 : round12((value - bound) / value),
    optimality_proven: value === bound ? 'bound' : false,
    baseline,
    improvement: baseline === 0 ? 0 : round12((baseline - value) / baseline),
    iterations,
    utilisation: utilisationOf(plan),
    unit: work.unit,
    limits: limit_texts,
  };
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
