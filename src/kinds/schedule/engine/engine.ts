/**
 * Job-shop scheduling: minimise the makespan or the weighted tardiness of jobs whose operations visit machines in a fixed
 * order, one at a time on each machine, without interruption; with release and due dates, weights and repeated visits.
 * One evaluation of effort buys tabu iterations by the formula of `iterationsPerEvaluation`, and a fixed amount of work for lower
 * bounds; `population` is the size of the elite, `generations` is not used.
 */
import { ok, type Result } from '../../../base/refusal.js';
import { clockOf, withCivilTimes } from '../clock.js';
import { type ScheduleWork, timed } from '../work.js';
import {
  type Answer,
  type Checkpoint,
  type Effort as EngineEffort,
  endedText,
  type Engine,
  type EngineInput,
  TimeUp,
} from '../../../engines/engine.js';
import { engine_id, iterationsPerEvaluation, iterationsText, limitsOf, methodText } from '../constants.js';
import { lowerBound } from './bounds.js';
import { dispatchOrder } from './construct.js';
import { loadOrder, newPlan, type Plan, valueOf, makespanOf, tardinessOf } from './plan.js';
import { Prover } from './prover.js';
import type { ScheduleResult, ScheduledOperation } from '../result.js';
import { search } from './search.js';
import { type Shop, shopOf } from './shop.js';
import type { Meter } from './tabu.js';
import { at } from './ints.js';
import { round12 } from '../../../base/decimal.js';

// Builds the result of a schedule mission from an order of its operations.

/** What is known of the least value that any schedule has. */
type Proof = Pick<Prover, 'bound' | 'certificate' | 'isProven'>;

type Effort = Pick<ScheduleResult, 'iterations' | 'iterations_max'>;

/** Returns the result for a plan, each operation as early as its machine's order allows. */
function resultOf(
  work: ScheduleWork,
  plan: Plan,
  { bound, certificate, isProven }: Proof,
  effort: Effort,
  iterations_limit: number | undefined,
): ScheduleResult {
  const baseline = baselineOf(plan.shop);
  const value = valueOf(plan);
  return {
    method: methodText(work.objective),
    operations: withCivilTimes(operationsOf(work, plan), clockOf(work)),
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
    utilisation: utilisationOf(work, makespanOf(plan)),
    unit: work.unit,
    limits: limitsOf(work, iterations_limit === undefined ? null : endedText(iterations_limit, effort.iterations_max)),
  };
}

function baselineOf(shop: Shop): number {
  const plan = newPlan(shop);
  loadOrder(plan, dispatchOrder(shop));
  return valueOf(plan);
}

/** Returns the operations of the mission: those that take no time as soon as the one before them ends. */
const operationsOf = ({ jobs }: ScheduleWork, { shop, end }: Plan): ScheduledOperation[] =>
  jobs.flatMap((job, j) => {
    let x = at(shop.first, j);
    let ready = at(shop.release, j);
    return job.operations.map(({ machine, duration }, operation) => {
      if (duration > 0) ready = at(end, x++);
      return { job: job.id, operation, machine, start: ready - duration, end: ready };
    });
  });

function utilisationOf({ jobs }: ScheduleWork, makespan: number): Record<string, number> {
  const busy = new Map<string, number>();
  for (const { machine, duration } of jobs.flatMap(({ operations }) => operations))
    busy.set(machine, (busy.get(machine) ?? 0) + duration);
  return Object.fromEntries([...busy].map(([id, time]) => [id, time === 0 ? 0 : round12(time / makespan)]));
}

// The compact form of a schedule: job indices in the order in which operations start, the k-th mention of a job being
// its k-th operation (Bierwirth 1995). Every such list decodes to a feasible schedule.

/** Returns the operations by start, then by job. */
export function encode({ shop, end }: Plan): { readonly sequence: readonly number[] } {
  const start = (x: number): number => at(end, x) - at(shop.duration, x);
  const byStart = Array.from({ length: shop.operations }, (_, x) => x).sort((a, b) => start(a) - start(b) || a - b);
  return { sequence: byStart.map((x) => at(shop.jobOf, x)) };
}

/** Returns the linear order of an untrusted warm start, or null when it is not one for this shop. */
export function decode(shop: Shop, value: unknown): Int32Array | null {
  if (typeof value !== 'object' || value === null || !('sequence' in value)) return null;
  const list: unknown = value.sequence;
  if (!Array.isArray(list) || list.length !== shop.operations) return null;
  const upcoming = shop.first.slice(0, shop.jobs);
  const order = new Int32Array(shop.operations);
  for (const [i, job] of list.entries()) {
    if (typeof job !== 'number' || !Number.isInteger(job) || job < 0 || job >= shop.jobs) return null;
    const x = at(upcoming, job);
    if (x === at(shop.first, job + 1)) return null;
    order[i] = x;
    upcoming[job] = x + 1;
  }
  return order;
}

const population_min = 2;
/** The number of operations visited between two checkpoints: a few milliseconds of work. */
const checkpoint_operations = 65_536;
const stride_max = 2_048;
/** Weighted tardiness tries several moves in a step, each over a part of the shop. */
const trials_per_step = 8;
/** What one evaluation buys of work for lower bounds, in the prover's units. */
const prove_units_per_evaluation = 50_000;
/** The prover's work between two checkpoints: some ten milliseconds. */
const checkpoint_units = 40_000;
/** The number of the prover's units that take as long as one iteration: for the makespan, again for each share of operations. Measured. */
const units_per_iteration = 80;
const operations_per_share = 400;
const units_per_exact_iteration = 3_000;

export const scheduleEngine: Engine<ScheduleWork, ScheduleResult> = {
  ...engine_id,
  run,
};

function run(input: EngineInput<ScheduleWork>, checkpoint: Checkpoint): Result<Answer<ScheduleResult>> {
  const shop = shopOf(timed(input.work));
  const { meter, prove_units, beat } = meterOf(shop, input.effort, checkpoint);
  checkpoint(0);
  const prover = new Prover(shop, lowerBound(shop, meter.pulse), prove_units, beat);
  const plan = newPlan(shop);
  loadOrder(plan, dispatchOrder(shop, meter.pulse));
  prover.tighten(valueOf(plan));
  const found = search({
    shop,
    seed: input.seed,
    population: Math.max(population_min, input.population),
    meter,
    prover,
    warm: decode(shop, input.warm_start),
  });
  loadOrder(plan, found.order);
  const proof = proofFor(plan, prover, meter);
  checkpoint(1);
  const { done: iterations, most: iterations_max } = meter;
  const iterations_limit = meter.isCut() ? meter.limit : undefined;
  const result = resultOf(input.work, plan, proof, { iterations, iterations_max }, iterations_limit);
  return ok({ result, iterations, ...(iterations_limit === undefined ? {} : { iterations_limit }), solution: encode(plan) });
}

/** Returns what is proven of the plan, which may become better meanwhile. A search that time ended, or ends here, keeps what it has. */
function proofFor(plan: Plan, prover: Prover, meter: OwnMeter): Proof {
  const { bound, certificate, isProven } = prover;
  const found = plan.order.slice();
  const isFinished = meter.isCut() ? null : meter.inTime(() => (finish(plan, prover), true));
  if (isFinished !== null) return prover;
  loadOrder(plan, found);
  return { bound, certificate, isProven };
}

/** Proves the plan optimal, or replaces it by better ones, or raises the bound, as far as the prover's work allows. */
function finish(plan: Plan, prover: Prover): void {
  prover.price(plan);
  for (;;) {
    const value = valueOf(plan);
    if (value <= prover.bound || prover.isProven) return;
    const better = prover.improve(value) ?? (prover.isProven ? null : prover.raise(value));
    if (better === null) return;
    loadOrder(plan, better);
  }
}

interface OwnMeter extends Meter {
  /** Whether time has ended the search. */
  readonly isCut: () => boolean;
}

/**
 * Returns the meter of the search, the work for lower bounds in the prover's units, and what is called with the prover's work so far. Both
 * report one progress: the share of the time that the whole effort takes.
 */
function meterOf(shop: Shop, { max_evaluations: evaluations, iterations_limit }: EngineEffort, checkpoint: Checkpoint) {
  const isMakespan = shop.objective === 'makespan';
  const trials = isMakespan ? 1 : trials_per_step;
  const stride = Math.min(stride_max, Math.max(1, Math.floor(checkpoint_operations / (shop.operations * trials))));
  const most = evaluations * iterationsPerEvaluation(shop.objective, shop.operations);
  const prove_units = evaluations * prove_units_per_evaluation;
  const iteration_units = isMakespan
    ? units_per_iteration * (1 + shop.operations / operations_per_share)
    : units_per_exact_iteration;
  const whole = most * iteration_units + prove_units;
  let left = 0;
  let proved = 0;
  let isCut = iterations_limit !== undefined;
  let isProving = false;
  const pulse = (): void => {
    left = stride - 1;
    const isLate = checkpoint(whole > 0 ? Math.min(1, (meter.done * iteration_units + proved) / whole) : 1) === true;
    if (!isLate || isCut) return;
    isCut = true;
    // No comparison was made with so many iterations yet, so that with this limit the same search ends in the same way.
    meter.limit = isProving ? meter.done : Math.min(most, meter.done + 1);
    if (isProving) throw new TimeUp();
  };
  const meter: OwnMeter = {
    done: 0,
    most,
    limit: iterations_limit ?? most,
    isCut: () => isCut,
    inTime: (work) => {
      isProving = true;
      try {
        return work();
      } catch (error) {
        if (error instanceof TimeUp) return null;
        throw error;
      } finally {
        isProving = false;
      }
    },
    tick: () => {
      if (left-- <= 0) pulse();
    },
    pulse,
  };
  const beat = (units: number): void => {
    if (units - proved < checkpoint_units) return;
    proved = units;
    pulse();
  };
  return { meter, prove_units, beat };
}
