/** The result of a schedule mission, and its size in bytes. */
import { round12 } from '../../../base/decimal.js';
import type { ScheduleWork } from '../work.js';
import { dispatchOrder } from './construct.js';
import { at } from './ints.js';
import { loadOrder, makespanOf, newPlan, type Plan, tardinessOf, valueOf } from './plan.js';
import type { Shop } from './shop.js';

export interface ScheduledOperation {
  readonly job: string;
  /** Position in the job, from 0. */
  readonly operation: number;
  readonly machine: string;
  /** In the mission's unit, `end` exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface ScheduleResult {
  readonly method: string;
  /** In the input's order of jobs, then of operations. */
  readonly operations: readonly ScheduledOperation[];
  readonly makespan: number;
  /** Σ weight · max(0, completion − due). */
  readonly tardiness: number;
  /** A bound on the objective from single jobs and single machines. */
  readonly lower_bound: number;
  /** (value − lower_bound) / value, 0 when they are equal. */
  readonly gap: number;
  readonly optimality_proven: 'bound' | 'search' | false;
  /** The objective of the non-delay dispatcher (`dispatchOrder`). */
  readonly baseline: number;
  /** (baseline − value) / baseline, 0 for a baseline of 0. */
  readonly improvement: number;
  /** Tabu iterations; a walk that finds nothing to move counts as one that stalled. */
  readonly iterations: number;
  /** Share of the makespan during which each machine works. */
  readonly utilisation: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly limits: readonly string[];
}

const method = (work: ScheduleWork): string =>
  `Giffler-Thompson schedules, tabu search on critical blocks, path relinking; objective ${work.objective}`;

const limits: readonly string[] = [
  'Durations are taken as certain; set-up, transport and breaks are not modelled.',
  'A gap above the lower bound does not mean that a better schedule exists.',
];

/** What a search hands over. */
export interface Found {
  /** All operations in an order that respects jobs and machines. */
  readonly order: Int32Array;
  /** `lowerBound` of the shop. */
  readonly bound: number;
  readonly iterations: number;
}

/** The result for an order of the operations, each as early as its machine's order allows. */
export function resultOf(work: ScheduleWork, shop: Shop, found: Found): ScheduleResult {
  const { order, bound, iterations } = found;
  const plan = newPlan(shop);
  loadOrder(plan, dispatchOrder(shop));
  const baseline = valueOf(plan);
  loadOrder(plan, order);
  const value = valueOf(plan);
  return {
    method: method(work),
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
    limits,
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

/** No number of a result prints longer: 12 digits, sign, point, zeros or exponent; or an integer below 2^53. */
const number_bytes_max = 24;
/** An escaped UTF-16 unit prints as `\uXXXX` at worst. */
const char_bytes_max = 6;
/** Member names, punctuation and fixed numbers of the result's top level. */
const frame =
  '{"baseline":,"gap":,"improvement":,"iterations":,"limits":,"lower_bound":,"makespan":,"method":,"operations":[],"optimality_proven":"search","tardiness":,"unit":"","utilisation":{}}';
const operationFrame = '{"end":,"job":"","machine":"","operation":,"start":},';

/** An upper bound on the canonical JSON of any result for this work, in bytes. Ids are ASCII and need no escape. */
export function resultBytesBound(work: ScheduleWork): number {
  const digits = String(horizon(work)).length;
  const machines = new Set<string>();
  let bytes = frame.length + 8 * number_bytes_max + char_bytes_max * work.unit.length;
  bytes += JSON.stringify([...limits, method(work)]).length;
  for (const job of work.jobs) {
    const index = String(job.operations.length).length;
    for (const operation of job.operations) {
      bytes += operationFrame.length + job.id.length + operation.machine.length + 2 * digits + index;
      machines.add(operation.machine);
    }
  }
  for (const machine of machines) bytes += machine.length + '"":,'.length + number_bytes_max;
  return bytes;
}

/** No operation of a schedule without needless waiting ends later: the last release and all durations in a row. */
function horizon(work: ScheduleWork): number {
  const work_units = work.jobs.flatMap((job) => job.operations).reduce((sum, operation) => sum + operation.duration, 0);
  return work_units + work.jobs.reduce((latest, job) => Math.max(latest, job.release), 0);
}
