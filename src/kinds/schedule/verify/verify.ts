/**
 * Re-checks a schedule result against its mission without the engine. Every number and text is recomputed or compared; only
 * `iterations` is merely bounded by the effort. A schedule in which an operation could start earlier in its machine's order is
 * refused too, because the engine never returns one.
 */
import { round12 } from '../../../base/decimal.js';
import { type Effort, endedText, type EngineInput, type Verification } from '../../../engines/engine.js';
import {
  iterationsPerEvaluation,
  iterationsText,
  limitsOf,
  methodText,
  price_periods_max,
  search_text,
  tree_units_max,
  treeCharsMax,
} from '../constants.js';
import { type CivilTimes, clockOf, withCivilTimes } from '../clock.js';
import { type ScheduleWork, timed, type TimedWork } from '../work.js';
import { boundOf, dispatch, totals } from './bounds.js';
import { pricedBound, type Prices } from './prices.js';
import { refutationFault } from './refutation.js';

// Reads an untrusted schedule result: exactly its fields, each of its type, every count and time a safe integer.

interface Row extends CivilTimes {
  readonly job: string;
  readonly operation: number;
  readonly machine: string;
  readonly start: number;
  readonly end: number;
}

interface Claim {
  readonly method: string;
  readonly rows: readonly Row[];
  readonly makespan: number;
  readonly tardiness: number;
  readonly lower_bound: number;
  readonly gap: number;
  readonly optimality_proven: unknown;
  readonly baseline: number;
  readonly improvement: number;
  readonly iterations: number;
  readonly utilisation: ReadonlyMap<string, number>;
  readonly unit: string;
  readonly limits: readonly string[];
  readonly iterations_max: number;
  readonly iterations_formula: string;
  readonly certificate: ClaimedCertificate | null;
}

/** The tree of a refutation, or prices of a machine's time. */
type ClaimedCertificate = { readonly refutation: string } | Prices;

class ShapeError extends Error {}

const resultKeys =
  'baseline certificate gap improvement iterations iterations_formula iterations_max limits lower_bound makespan method operations ' +
  'optimality_proven tardiness unit utilisation';
const rowKeys = 'end job machine operation start';
const civilRowKeys = 'end end_at job machine operation start start_at';

/** Returns the claim, or a description of what is wrong with its shape. */
function readClaim(value: unknown, isCivil: boolean): Claim | string {
  try {
    return claimOf(value, isCivil);
  } catch (error) {
    if (error instanceof ShapeError) return error.message;
    throw error;
  }
}

function claimOf(value: unknown, isCivil: boolean): Claim {
  const r = members(value, 'the result', resultKeys);
  return {
    method: text(r['method'], 'method'),
    rows: list(r['operations'], 'operations').map((row, i) => rowOf(row, i, isCivil)),
    makespan: integer(r['makespan'], 'makespan'),
    tardiness: integer(r['tardiness'], 'tardiness'),
    lower_bound: integer(r['lower_bound'], 'lower_bound'),
    gap: number(r['gap'], 'gap'),
    optimality_proven: r['optimality_proven'],
    baseline: integer(r['baseline'], 'baseline'),
    improvement: number(r['improvement'], 'improvement'),
    iterations: integer(r['iterations'], 'iterations'),
    utilisation: sharesOf(r['utilisation']),
    unit: text(r['unit'], 'unit'),
    limits: list(r['limits'], 'limits').map((one, i) => text(one, `limits[${i}]`)),
    iterations_max: integer(r['iterations_max'], 'iterations_max'),
    iterations_formula: text(r['iterations_formula'], 'iterations_formula'),
    certificate: r['certificate'] === null ? null : certificateOf(r['certificate']),
  };
}

function certificateOf(value: unknown): ClaimedCertificate {
  if (Object.hasOwn(record(value, 'certificate'), 'refutation')) {
    return { refutation: text(members(value, 'certificate', 'refutation')['refutation'], 'certificate.refutation') };
  }
  const r = members(value, 'certificate', 'from machine prices scale width');
  return {
    machine: text(r['machine'], 'certificate.machine'),
    from: integer(r['from'], 'certificate.from'),
    width: integer(r['width'], 'certificate.width'),
    scale: integer(r['scale'], 'certificate.scale'),
    prices: list(r['prices'], 'certificate.prices').map((price, i) => integer(price, `certificate.prices[${i}]`)),
  };
}

function rowOf(value: unknown, i: number, isCivil: boolean): Row {
  const path = `operations[${i}]`;
  const r = members(value, path, isCivil ? civilRowKeys : rowKeys);
  return {
    job: text(r['job'], `${path}.job`),
    operation: integer(r['operation'], `${path}.operation`),
    machine: text(r['machine'], `${path}.machine`),
    start: integer(r['start'], `${path}.start`),
    end: integer(r['end'], `${path}.end`),
    ...(isCivil ? { start_at: text(r['start_at'], `${path}.start_at`), end_at: text(r['end_at'], `${path}.end_at`) } : {}),
  };
}

const sharesOf = (value: unknown): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(record(value, 'utilisation')).map(([machine, share]) => [machine, number(share, `utilisation.${machine}`)]),
  );

function members(value: unknown, path: string, keys: string): Record<string, unknown> {
  const object = record(value, path);
  if (Object.keys(object).sort().join(' ') !== keys) throw new ShapeError(`${path} must have exactly the members ${keys}`);
  return object;
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(`${path} is not an object`);
  return value as Record<string, unknown>;
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`${path} is not a list`);
  return value as readonly unknown[];
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new ShapeError(`${path} is not a text`);
  return value;
}

function number(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(`${path} is not a number`);
  return value;
}

function integer(value: unknown, path: string): number {
  const n = number(value, path);
  if (!Number.isSafeInteger(n)) throw new ShapeError(`${path} is not an integer`);
  return n;
}

/** The verifier may visit machines in another order than the engine did, more often, and counts every visit in full. */
const allowance = 10;
/** The memory of the nodes above the current one of a certificate's tree. */
const tree_bytes_max = 268_435_456;

/** A check, and the first fault that it finds, or null. */
type Check = readonly [words: string, fault: (claim: Claim) => string | null];

/** Makes the checks in turn, up to the first that fails. */
export function verifySchedule({ work: given, effort }: EngineInput<ScheduleWork>, result: unknown): Verification {
  const claim = readClaim(result, given.start !== undefined);
  const checks: string[] = ['the result has exactly the fields of a schedule'];
  if (typeof claim === 'string') return { passed: false, checks, failure: claim };
  for (const [words, fault] of checksOf(given, timed(given), effort)) {
    checks.push(words);
    const failure = fault(claim);
    if (failure !== null) return { passed: false, checks, failure };
  }
  if (claim.optimality_proven === 'search') checks.push(search_text);
  return { passed: true, checks, failure: null };
}

const checksOf = (given: ScheduleWork, work: TimedWork, effort: Effort): readonly Check[] => [
  ['every operation is scheduled once, in order, on its machine, for its duration', (c) => rowsFault(given, c.rows)],
  ['release dates and the order within jobs hold', (c) => jobFault(given, work, c.rows)],
  ['no machine does two operations that take time at once, and none waits without need', (c) => machineFault(work, c.rows)],
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
function boundFault(work: TimedWork, { lower_bound, certificate }: Claim): string | null {
  const simple = boundOf(work);
  if (certificate === null) return differs('lower_bound', lower_bound, simple);
  if (lower_bound <= simple) return `the certificate is for ${lower_bound}, single jobs and machines give ${simple}`;
  if ('prices' in certificate) {
    if (certificate.prices.length > price_periods_max) return 'the certificate has too many prices';
    const bound = pricedBound(work, certificate);
    return typeof bound === 'string' ? bound : differs('lower_bound', lower_bound, bound);
  }
  const { refutation } = certificate;
  if (refutation.length > treeCharsMax(operationsOf(work))) return 'the certificate is too long';
  return refutationFault(work, lower_bound - 1, refutation, { units: allowance * tree_units_max, bytes: tree_bytes_max });
}

const operationsOf = (work: TimedWork): number => work.jobs.reduce((sum, job) => sum + job.operations.length, 0);

/** A search that ended can only be repeated; it is claimed where the bound does not show the same. */
function proofFault(proof: unknown, isTight: boolean): string | null {
  if (isTight) return differs('optimality_proven', proof, 'bound');
  return proof === 'search' || proof === false ? null : 'optimality_proven must be "search" or false above the lower bound';
}

function effortFault(work: TimedWork, claim: Claim, evaluationsMax: number): string | null {
  const most = evaluationsMax * iterationsPerEvaluation(work.objective, operationsOf(work));
  if (claim.iterations < 0 || claim.iterations > most) return `iterations is ${claim.iterations}, the effort buys ${most}`;
  return (
    differs('iterations_max', claim.iterations_max, most) ??
    differs('iterations_formula', claim.iterations_formula, iterationsText(work.objective))
  );
}

const objective = (work: TimedWork, of: { readonly makespan: number; readonly tardiness: number }): number =>
  work.objective === 'makespan' ? of.makespan : of.tardiness;

function rowsFault(work: ScheduleWork, rows: readonly Row[]): string | null {
  let i = 0;
  for (const job of work.jobs) {
    for (const [k, operation] of job.operations.entries()) {
      const row = rows[i];
      const path = `operations[${i++}]`;
      if (row === undefined) return `${path} is missing`;
      if (row.job !== job.id || row.operation !== k) return `${path} is not operation ${k} of job ${job.id}`;
      if (row.machine !== operation.machine) return `${path} is not on machine ${operation.machine}`;
      if (row.end - row.start !== operation.duration) return `${path} does not last ${operation.duration}`;
    }
  }
  return i === rows.length ? null : `operations has ${rows.length - i} too many`;
}

function jobFault(given: ScheduleWork, work: TimedWork, rows: readonly Row[]): string | null {
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
function machineFault(work: TimedWork, rows: readonly Row[]): string | null {
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
  ({ rows }) => {
    const expected = withCivilTimes(rows, clockOf(work));
    const i = rows.findIndex(({ start_at, end_at }, k) => start_at !== expected[k]?.start_at || end_at !== expected[k]?.end_at);
    return i < 0 ? null : `operations[${i}] is from ${expected[i]?.start_at ?? ''} to ${expected[i]?.end_at ?? ''}`;
  },
];

function totalsFault(work: TimedWork, claim: Claim): string | null {
  const ends = new Map(claim.rows.map((row) => [row.job, row.end]));
  const real = totals(
    work.jobs,
    work.jobs.map((job) => ends.get(job.id) ?? 0),
  );
  return differs('makespan', claim.makespan, real.makespan) ?? differs('tardiness', claim.tardiness, real.tardiness);
}

function derivedFault(work: TimedWork, claim: Claim): string | null {
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

function utilisationFault(claim: Claim): string | null {
  const busy = new Map<string, number>();
  for (const row of claim.rows) busy.set(row.machine, (busy.get(row.machine) ?? 0) + row.end - row.start);
  if (claim.utilisation.size !== busy.size) return 'utilisation does not name exactly the machines';
  for (const [machine, time] of busy) {
    const fault = differs(
      `utilisation.${machine}`,
      claim.utilisation.get(machine),
      time === 0 ? 0 : round12(time / claim.makespan),
    );
    if (fault !== null) return fault;
  }
  return null;
}

function wordsFault(work: ScheduleWork, claim: Claim, limit: number | undefined): string | null {
  const texts = limitsOf(work, limit === undefined ? null : endedText(limit, claim.iterations_max));
  if (claim.limits.length !== texts.length) return 'limits are not those of this engine';
  if (claim.limits.some((text, i) => text !== texts[i])) return 'limits are not those of this engine';
  return differs('method', claim.method, methodText(work.objective)) ?? differs('unit', claim.unit, work.unit);
}
