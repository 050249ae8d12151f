/** The checks that results of every version of the engine share, and the order in which all checks are made. */
import { round12 } from '../../../base/decimal.js';
import type { Verification } from '../../../engines/engine.js';
import { limit_texts } from '../constants.js';
import type { ScheduleWork } from '../work.js';
import { dispatch, totals } from './bounds.js';
import type { FormerClaim, Row } from './shape.js';

/** One check: its description, and the first fault that it finds, or null. */
export interface Check<Claim> {
  readonly words: string;
  readonly fault: (claim: Claim) => string | null;
}

/** What one version of the engine claims in its own way. */
export interface Version<Claim> {
  readonly method: string;
  readonly bound: Check<Claim>;
  /** Checks `optimality_proven` of a value that equals the bound or exceeds it. */
  readonly proofFault: (proof: unknown, isTight: boolean) => string | null;
  readonly effortFault: (claim: Claim) => string | null;
}

/** Makes the checks in turn, up to the first that fails. `claim` is a text when the result has another shape. */
export function judge<Claim>(claim: Claim | string, all: readonly Check<Claim>[]): Verification {
  const checks: string[] = ['the result has exactly the fields of a schedule'];
  if (typeof claim === 'string') return { passed: false, checks, failure: claim };
  for (const check of all) {
    checks.push(check.words);
    const failure = check.fault(claim);
    if (failure !== null) return { passed: false, checks, failure };
  }
  return { passed: true, checks, failure: null };
}

export function checksOf<Claim extends FormerClaim>(work: ScheduleWork, version: Version<Claim>): readonly Check<Claim>[] {
  return [
    {
      words: 'every operation is scheduled once, in order, on its machine, for its duration',
      fault: (c) => rowsFault(work, c.rows),
    },
    { words: 'release dates and the order within jobs hold', fault: (c) => jobFault(work, c.rows) },
    { words: 'no machine does two operations at once and none waits without need', fault: (c) => machineFault(work, c.rows) },
    { words: 'makespan and weighted tardiness are those of the operations', fault: (c) => totalsFault(work, c) },
    version.bound,
    {
      words: 'the baseline is what the dispatcher reaches',
      fault: (c) => differs('baseline', c.baseline, objective(work, dispatch(work))),
    },
    {
      words: 'gap, proof and improvement follow from these figures',
      fault: (c) => derivedFault(work, c, version.proofFault),
    },
    { words: 'the utilisation of every machine follows from the operations', fault: (c) => utilisationFault(c) },
    { words: 'method, unit and limits are those of this engine', fault: (c) => wordsFault(work, c, version.method) },
    { words: 'the iterations lie within the effort', fault: (c) => version.effortFault(c) },
  ];
}

export const differs = (name: string, claimed: unknown, expected: unknown): string | null =>
  claimed === expected ? null : `${name} is ${String(claimed)}, recomputed ${String(expected)}`;

const objective = (work: ScheduleWork, of: { readonly makespan: number; readonly tardiness: number }): number =>
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

function jobFault(work: ScheduleWork, rows: readonly Row[]): string | null {
  let i = 0;
  for (const job of work.jobs) {
    let ready = job.release;
    for (let k = 0; k < job.operations.length; k++) {
      const row = rows[i++];
      if (row === undefined || row.start < ready) return `operations[${i - 1}] starts before ${ready}`;
      ready = row.end;
    }
  }
  return null;
}

/** Checks the operations by start: each begins exactly when its job and its machine are both free. */
function machineFault(work: ScheduleWork, rows: readonly Row[]): string | null {
  const jobReady = new Map(work.jobs.map((job) => [job.id, job.release]));
  const machineFree = new Map<string, number>();
  for (const row of [...rows].sort((a, b) => a.start - b.start)) {
    const free = machineFree.get(row.machine) ?? 0;
    const earliest = Math.max(jobReady.get(row.job) ?? 0, free);
    const name = `operation ${row.operation} of job ${row.job}`;
    if (row.start < free) return `${name} overlaps another on machine ${row.machine}`;
    if (row.start !== earliest) return `${name} could start at ${earliest}`;
    jobReady.set(row.job, row.end);
    machineFree.set(row.machine, row.end);
  }
  return null;
}

function totalsFault(work: ScheduleWork, claim: FormerClaim): string | null {
  const ends = new Map(claim.rows.map((row) => [row.job, row.end]));
  const real = totals(
    work.jobs,
    work.jobs.map((job) => ends.get(job.id) ?? 0),
  );
  return differs('makespan', claim.makespan, real.makespan) ?? differs('tardiness', claim.tardiness, real.tardiness);
}

function derivedFault(work: ScheduleWork, claim: FormerClaim, proofFault: Version<FormerClaim>['proofFault']): string | null {
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

function utilisationFault(claim: FormerClaim): string | null {
  const busy = new Map<string, number>();
  for (const row of claim.rows) busy.set(row.machine, (busy.get(row.machine) ?? 0) + row.end - row.start);
  if (claim.utilisation.size !== busy.size) return 'utilisation does not name exactly the machines';
  for (const [machine, time] of busy) {
    const fault = differs(`utilisation.${machine}`, claim.utilisation.get(machine), round12(time / claim.makespan));
    if (fault !== null) return fault;
  }
  return null;
}

function wordsFault(work: ScheduleWork, claim: FormerClaim, method: string): string | null {
  if (claim.limits.length !== limit_texts.length) return 'limits are not those of this engine';
  if (claim.limits.some((text, i) => text !== limit_texts[i])) return 'limits are not those of this engine';
  return differs('method', claim.method, method) ?? differs('unit', claim.unit, work.unit);
}
