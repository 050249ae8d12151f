/**
 * Re-checks a schedule result against its mission without the engine. Every number and text is recomputed or compared; only
 * `iterations` is merely bounded by the effort. A schedule in which an operation could start earlier in its machine's order is
 * refused too, because the engine never returns one.
 */
import { round12 } from '../../../base/decimal.js';
import { type Effort, endedText } from '../../../engines/engine.js';
import {
  iterationsPerEvaluation,
  iterationsText,
  limitsOf,
  methodText,
  search_text,
  tree_units_max,
  treeCharsMax,
} from '../constants.js';
import { claimsVerifier, isSame, need, readClaim } from '../../claims.js';
import { clockOf, withCivilTimes } from '../clock.js';
import { type PriceCertificate, type ScheduledOperation, scheduleResult, type ScheduleResult } from '../result.js';
import { type ScheduleWork, timed, type TimedWork } from '../work.js';
import { boundOf, dispatch, totals } from './bounds.js';
import { refutationFault } from './refutation.js';

/** The verifier may visit machines in another order than the engine did, more often, and counts every visit in full. */
const allowance = 10;
/** The memory of the nodes above the current one of a certificate's tree. */
const tree_bytes_max = 268_435_456;

/** A check, and the first fault that it finds, or null. */
type Check = readonly [words: string, fault: (claim: ScheduleResult) => string | null];

export const verifySchedule = claimsVerifier<ScheduleWork>(({ work, effort }, result, passed) => {
  const claim = readClaim(scheduleResult, result);
  passed('the result has exactly the fields of a schedule');
  for (const [words, fault] of checksOf(work, timed(work), effort)) {
    const failure = fault(claim);
    need(failure === null, failure ?? '');
    passed(words);
  }
  if (claim.optimality_proven === 'search') passed(search_text);
});

const checksOf = (given: ScheduleWork, work: TimedWork, effort: Effort): readonly Check[] => [
  ['every operation is scheduled once, in order, on its machine, for its duration', (c) => rowsFault(given, c.operations)],
  ['release dates and the order within jobs hold', (c) => jobFault(given, work, c.operations)],
  ['no machine does two operations that take time at once, and none waits without need', (c) => machineFault(work, c.operations)],
  ['makespan and weighted tardiness are those of the operations', (c) => totalsFault(work, c)],
  ['the lower bound follows from single jobs and machines, or from the certificate', (c) => boundFault(work, c)],
  ['the baseline is what the dispatcher reaches', (c) => differs('baseline', c.baseline, objective(work, dispatch(work)))],
  ['gap, proof and improvement follow from these figures', (c) => derivedFault(work, c)],
  ['the utilisation of every machine follows from the operations', utilisationFault],
  ['method, unit and limits are those of this engine', (c) => wordsFault(given, c, effort.iterations_limit)],
  ['the iterations lie within the effort', (c) => effortFault(work, c, effort.max_evaluations)],
  ...(given.start === undefined ? [] : [civilCheck(given)]),
];

const differs = (name: string, claimed: unknown, expected: unknown): string | null =>
  claimed === expected ? null : `${name} is ${String(claimed)}, recomputed ${String(expected)}`;

/** A certificate must raise the bound; without one the bound is that of single jobs and machines. */
function boundFault(work: TimedWork, { lower_bound, certificate }: ScheduleResult): string | null {
  const simple = boundOf(work);
  if (certificate === null) return differs('lower_bound', lower_bound, simple);
  if (lower_bound <= simple) return `the certificate is for ${lower_bound}, single jobs and machines give ${simple}`;
  if ('prices' in certificate) {
    const bound = pricedBound(work, certificate);
    return typeof bound === 'string' ? bound : differs('lower_bound', lower_bound, bound);
  }
  const { refutation } = certificate;
  if (refutation.length > treeCharsMax(operationsOf(work))) return 'the certificate is too long';
  return refutationFault(work, lower_bound - 1, refutation, { units: allowance * tree_units_max, bytes: tree_bytes_max });
}

const operationsOf = (work: TimedWork): number => work.jobs.reduce((sum, job) => sum + job.operations.length, 0);

/** A search that ended can only be repeated; it is claimed where the bound does not show the same. */
const proofFault = (proof: ScheduleResult['optimality_proven'], isTight: boolean): string | null =>
  (proof === 'bound') === isTight ? null : `optimality_proven must be ${isTight ? '' : '"search" or false, not '}"bound"`;

function effortFault(work: TimedWork, claim: ScheduleResult, evaluationsMax: number): string | null {
  const most = evaluationsMax * iterationsPerEvaluation(work.objective, operationsOf(work));
  if (claim.iterations < 0 || claim.iterations > most) return `iterations is ${claim.iterations}, the effort buys ${most}`;
  return (
    differs('iterations_max', claim.iterations_max, most) ??
    differs('iterations_formula', claim.iterations_formula, iterationsText(work.objective))
  );
}

const objective = (work: TimedWork, of: { readonly makespan: number; readonly tardiness: number }): number =>
  work.objective === 'makespan' ? of.makespan : of.tardiness;

function rowsFault(work: ScheduleWork, rows: readonly ScheduledOperation[]): string | null {
  let i = 0;
  for (const job of work.jobs) {
    for (const [k, operation] of job.operations.entries()) {
      const row = rows[i];
      const path = `operations[${i++}]`;
      if (row === undefined) return `${path} is missing`;
      if (row.job !== job.id || row.operation !== k) return `${path} is not operation ${k} of job ${job.id}`;
      if (row.machine !== operation.machine) return `${path} is not on machine ${operation.machine}`;
      if (row.end - row.start !== operation.duration) return `${path} does not last ${operation.duration}`;
      const isCivil = [row.start_at, row.end_at].every((at) => (at === undefined) === (work.start === undefined));
      if (!isCivil) return `${path} must have clock times if and only if the mission has a start`;
    }
  }
  return i === rows.length ? null : `operations has ${rows.length - i} too many`;
}

function jobFault(given: ScheduleWork, work: TimedWork, rows: readonly ScheduledOperation[]): string | null {
  let i = 0;
  for (const [j, job] of work.jobs.entries()) {
    let ready = job.release;
    for (let k = given.jobs[j]?.operations.length ?? 0; k > 0; k--) {
      const row = rows[i++];
      if (row === undefined || row.start < ready) return `operations[${i - 1}] starts before ${ready}`;
      ready = row.end;
    }
  }
  return null;
}

/** Checks the operations by start: each begins exactly when its job is free, and its machine too if the operation takes time. */
function machineFault(work: TimedWork, rows: readonly ScheduledOperation[]): string | null {
  const jobReady = new Map(work.jobs.map((job) => [job.id, job.release]));
  const machineFree = new Map<string, number>();
  for (const row of [...rows].sort((a, b) => a.start - b.start)) {
    const takesTime = row.end > row.start;
    const free = takesTime ? (machineFree.get(row.machine) ?? 0) : 0;
    const earliest = Math.max(jobReady.get(row.job) ?? 0, free);
    const name = `operation ${row.operation} of job ${row.job}`;
    if (row.start < free) return `${name} overlaps another on machine ${row.machine}`;
    if (row.start !== earliest) return `${name} could start at ${earliest}`;
    jobReady.set(row.job, row.end);
    if (takesTime) machineFree.set(row.machine, row.end);
  }
  return null;
}

const civilCheck = (work: ScheduleWork): Check => [
  'the clock times are those of the working times in the calendar',
  ({ operations: rows }) => {
    const expected = withCivilTimes(rows, clockOf(work));
    const i = rows.findIndex(({ start_at, end_at }, k) => start_at !== expected[k]?.start_at || end_at !== expected[k]?.end_at);
    return i < 0 ? null : `operations[${i}] is from ${expected[i]?.start_at ?? ''} to ${expected[i]?.end_at ?? ''}`;
  },
];

function totalsFault(work: TimedWork, claim: ScheduleResult): string | null {
  const ends = new Map(claim.operations.map((row) => [row.job, row.end]));
  const real = totals(
    work.jobs,
    work.jobs.map((job) => ends.get(job.id) ?? 0),
  );
  return differs('makespan', claim.makespan, real.makespan) ?? differs('tardiness', claim.tardiness, real.tardiness);
}

function derivedFault(work: TimedWork, claim: ScheduleResult): string | null {
  const value = objective(work, claim);
  const isTight = value === claim.lower_bound;
  const gap = isTight ? 0 : round12((value - claim.lower_bound) / value);
  const improvement = claim.baseline === 0 ? 0 : round12((claim.baseline - value) / claim.baseline);
  return (
    differs('gap', claim.gap, gap) ??
    proofFault(claim.optimality_proven, isTight) ??
    differs('improvement', claim.improvement, improvement)
  );
}

function utilisationFault(claim: ScheduleResult): string | null {
  const busy = new Map<string, number>();
  for (const row of claim.operations) busy.set(row.machine, (busy.get(row.machine) ?? 0) + row.end - row.start);
  if (Object.keys(claim.utilisation).length !== busy.size) return 'utilisation does not name exactly the machines';
  for (const [machine, time] of busy) {
    const fault = differs(`utilisation.${machine}`, claim.utilisation[machine], time === 0 ? 0 : round12(time / claim.makespan));
    if (fault !== null) return fault;
  }
  return null;
}

function wordsFault(work: ScheduleWork, claim: ScheduleResult, limit: number | undefined): string | null {
  const texts = limitsOf(work, limit === undefined ? null : endedText(limit, claim.iterations_max));
  if (!isSame(claim.limits, texts)) return 'limits are not those of this engine';
  return differs('method', claim.method, methodText(work.objective)) ?? differs('unit', claim.unit, work.unit);
}

// The verifier's own reading of a certificate of prices. Any prices of at least 0 give a bound: a job pays no less than in its cheapest
// place, and the places of a schedule, which do not overlap, never pay more than the price of all time. A job's cost is linear between
// the times at which its work begins or ends a period or its tardiness begins, so its least is found at one of those.

type Job = TimedWork['jobs'][number];

/** Returns the bound on weighted tardiness that the prices show, or why they show none. */
export function pricedBound(work: TimedWork, { machine, from, width, scale, prices }: PriceCertificate): number | string {
  if (work.objective !== 'weighted_tardiness') return 'prices bound weighted tardiness only';
  const isInRange = width >= 1 && scale >= 1 && from >= 0 && Number.isSafeInteger(from + prices.length * width);
  if (!isInRange || prices.some((price) => price < 0)) return 'the prices are out of range';
  const edges = Array.from({ length: prices.length + 1 }, (_, i) => from + i * width);
  const paid = [0];
  for (const [i, price] of prices.entries()) paid.push((paid[i] ?? 0) + price * width);
  const before = (time: number): number => {
    const i = Math.min(prices.length, Math.max(0, Math.floor((time - from) / width)));
    return time <= from ? 0 : (paid[i] ?? 0) + (prices[i] ?? 0) * (time - (edges[i] ?? 0));
  };
  let total = -(paid.at(-1) ?? 0);
  let largest = -total;
  for (const job of work.jobs) {
    const cost = leastCost(job, machine, scale, edges, before);
    total += cost;
    largest += cost;
  }
  if (!Number.isSafeInteger(largest)) return 'the prices are too large to be added exactly';
  return Math.ceil(total / scale);
}

function leastCost(job: Job, machine: string, scale: number, edges: readonly number[], before: (time: number) => number): number {
  const { due, weight, release, operations } = job;
  if (due === undefined || weight === 0) return 0;
  const last = operations.findLastIndex((operation) => operation.machine === machine);
  const sum = (from: number, to: number): number => operations.slice(from, to).reduce((all, { duration }) => all + duration, 0);
  const cost = (lateness: number): number => Math.max(0, lateness) * weight * scale;
  if (last < 0) return cost(release + sum(0, operations.length) - due);
  const head = release + sum(0, last);
  const length = operations[last]?.duration ?? 0;
  const rest = sum(last + 1, operations.length);
  const starts = [head, due - rest - length, ...edges, ...edges.map((edge) => edge - length)].filter((start) => start >= head);
  return starts.reduce((least, start) => {
    const end = start + length;
    return Math.min(least, cost(end + rest - due) + before(end) - before(start));
  }, Number.POSITIVE_INFINITY);
}
