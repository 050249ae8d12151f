/** Runs as the journal has them and as commands and routes show them: requests, outcomes, results. */
import { sha256Hex, utf8 } from '../../../base/bytes.js';
import { Recent } from '../../../base/recent.js';
import { invalid, RefusalError, unwrap } from '../../../base/refusal.js';
import type { Draws, Results, Run, RunOutcome, RunPage } from '../../../codec/api-simulation.js';
import type { Documents } from '../../../codec/event.js';
import { decode } from '../../../codec/kit.js';
import { type Individual, outcomeCodec, type SimulationOutcome } from '../../../codec/simulation-results.js';
import { decodeSettled, isRunId, type SimulationRequest } from '../../../codec/simulation.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import { pace_sigma, slope_sigma } from '../../../engines/simulation/draws.js';
import { endOf } from '../../../engines/simulation/engine.js';
import { blobLength, integrityFailure, readBlob, requireEntry } from '../../../journal/reader.js';
import type { Db } from '../../../store/database.js';
import { runsOfSweep } from '../../../tables/simulations.js';
import { isInterrupted, requireRun, type RunListOptions, runPage } from './runs.js';

/** Ends of forecasts that are kept for lists of runs: one of 1,000 sectors over 200 years takes milliseconds, and a page has up to 500. */
const run_outcomes_max = 1_000;

const notSucceeded = ({ id, state, error }: SimulationRun): RefusalError =>
  new RefusalError(
    'wrong_state',
    `run ${id} is ${state}${error === null ? '' : ` (${error.code}: ${error.message})`}; it has no results`,
    { facts: { run: id, state, error } },
  );

/** Returns the bytes of a blob of a run. @throws RefusalError `integrity` */
function storedBytes(db: Db, blob: string | undefined, sequence: number): Buffer {
  const bytes = blob === undefined ? null : readBlob(db, blob);
  if (bytes === null) throw integrityFailure('a blob of the run is missing', sequence);
  return bytes;
}

function completionOf(db: Db, run: SimulationRun): Documents['simulation.completed'] {
  if (run.result_seq === 0) throw notSucceeded(run);
  const { event } = requireEntry(db, run.result_seq);
  if (event?.type === 'simulation.completed') return event.document;
  throw integrityFailure('the outcome is not where the run says', run.result_seq);
}

/**
 * Returns the outcome of a run that succeeded as it was signed, not decoded; null for one in a blob of more than `bytes_max`. One in its entry was
 * verified with the entry.
 * @throws RefusalError `wrong_state` or `integrity`
 */
export function signedOutcome(db: Db, run: SimulationRun): SimulationOutcome;
export function signedOutcome(db: Db, run: SimulationRun, bytes_max: number): SimulationOutcome | null;
export function signedOutcome(db: Db, run: SimulationRun, bytes_max = Number.POSITIVE_INFINITY): unknown {
  const { outcome, result_blob, outcome_hash } = completionOf(db, run);
  if (outcome !== undefined) return outcome;
  if (result_blob !== undefined && (blobLength(db, result_blob) ?? 0) > bytes_max) return null;
  const bytes = storedBytes(db, result_blob, run.result_seq);
  if (sha256Hex(bytes) === outcome_hash) return JSON.parse(bytes.toString('utf8')) as unknown;
  throw integrityFailure('the outcome does not match its hash', run.result_seq);
}

function requestedOf(db: Db, run: SimulationRun): Documents['simulation.requested'] {
  const { event } = requireEntry(db, run.request_seq);
  if (event?.type === 'simulation.requested') return event.document;
  throw integrityFailure('the request is not where the run says', run.request_seq);
}

/** Returns the settled request and the islands' names as recorded, and which run it stands for. @throws RefusalError `integrity` */
export function storedRun(
  db: Db,
  run: SimulationRun,
): { readonly request: SimulationRequest; readonly islands: readonly string[]; readonly replaces?: string } {
  const { request, request_blob, islands, replaces } = requestedOf(db, run);
  const value: unknown = request ?? JSON.parse(storedBytes(db, request_blob, run.request_seq).toString('utf8'));
  return { request: unwrap(decodeSettled(value)), islands, ...(replaces === undefined ? {} : { replaces }) };
}

export function storedOutcome(db: Db, run: SimulationRun): SimulationOutcome {
  const { request, ...outcome } = unwrap(decode(outcomeCodec, signedOutcome(db, run)));
  return { ...outcome, request: unwrap(decodeSettled(request)) };
}

/** Returns the members of a run's results besides those of the outcome. They never change: the run's name, which may, is not among them. */
function resultsFrame(db: Db, run: SimulationRun) {
  const { request } = storedRun(db, run);
  const draws = drawsOf(request);
  return {
    id: run.id,
    ...(draws === null ? {} : { draws }),
    outcome_hash: run.outcome_hash ?? '',
    created_at: run.created_at,
    completed_at: run.finished_at ?? run.created_at,
    journal: { seq: run.result_seq, hash: requireEntry(db, run.result_seq).hash },
  };
}

/** Returns the results object of a run that succeeded, with genomes only if requested. */
export const resultsOf = (db: Db, run: SimulationRun, { genome = false }: { readonly genome?: boolean } = {}): Results =>
  resultsWith(storedOutcome(db, run), db, run, genome);

function resultsWith(
  { forecast, population, ...outcome }: SimulationOutcome,
  db: Db,
  run: SimulationRun,
  genome: boolean,
): Results {
  const { id, ...frame } = resultsFrame(db, run);
  return { id, forecast, population: genome ? population : population.map(withoutGenome), ...outcome, ...frame };
}

const withoutGenome = ({ effectiveness, risk, complexity, rank }: Individual): Omit<Individual, 'genome'> => ({
  effectiveness,
  risk,
  complexity,
  rank,
});

function drawsOf({ samples, curve, spread = 1 }: SimulationRequest): Draws | null {
  if (samples === 0) return null;
  const lognormal = (sigma: number) => ({ distribution: 'lognormal', sigma: sigma * spread }) as const;
  return { samples, pace: lognormal(pace_sigma), steepness: curve === 'linear' ? null : lognormal(slope_sigma) };
}

/** A run as a command shows it, only from the journal. */
export interface RunRecord extends Omit<Run, 'progress' | 'queue_position' | 'remaining_s'> {
  /** From 0 to 1; null if only the run's own process knows it. */
  readonly progress: number | null;
}

export interface RunRecordPage extends Omit<RunPage, 'items'> {
  readonly items: readonly RunRecord[];
}

const known_progress = { queued: 0, running: null, succeeded: 1, failed: null, cancelled: null } as const;

export function runRecord(db: Db, run: SimulationRun): RunRecord {
  const { idempotency_key: _1, body_sha256: _2, request_seq: _3, result_seq: _4, name, sweep, ...shown } = run;
  const stored = storedRun(db, run);
  return {
    ...shown,
    ...(name === null ? {} : { name }),
    ...(sweep === null ? {} : { sweep }),
    progress: known_progress[run.state],
    outcome: outcomeOf(run, stored.request),
    ...stored,
  };
}

const outcomes = new Recent<string, RunOutcome>(run_outcomes_max);

/** Returns the end of a run's forecast, which follows from its request. The newest ones are kept: a list shows many. */
function outcomeOf({ state, outcome_hash }: SimulationRun, request: SimulationRequest): RunOutcome | null {
  if (state !== 'succeeded' || outcome_hash === null) return null;
  const outcome = outcomes.get(outcome_hash) ?? endOf(request);
  outcomes.set(outcome_hash, outcome);
  return outcome;
}

/** Returns the ids of a sweep's runs that another of its runs replaces. */
export const replacedIn = (db: Db, runs: readonly SimulationRun[]): ReadonlySet<string> =>
  new Set(runs.some(isInterrupted) ? runs.flatMap((run) => storedRun(db, run).replaces ?? []) : []);

/**
 * Returns a page of runs, and lets others be served while it reads many. The list of a sweep has one run for each value and seed.
 * @throws RefusalError `invalid`
 */
export async function runRecords(db: Db, options: RunListOptions): Promise<RunRecordPage> {
  const { sweep = 'none' } = options;
  if (sweep !== 'none' && !isRunId(sweep))
    throw new RefusalError(invalid('sweep', 'must be "none", or the 16 hexadecimal digits of a sweep\'s id'));
  const without = sweep === 'none' ? undefined : replacedIn(db, runsOfSweep(db, sweep));
  const { items, next_cursor } = await runPage(db, { ...options, without });
  return { items: items.map((run) => runRecord(db, run)), next_cursor };
}

export type RunWithResults = Readonly<ReturnType<typeof showRun>>;

/** Returns a run with its results, null unless it succeeded. @throws RefusalError `invalid`, `not_found` or `integrity` */
export function showRun(db: Db, id: string, genome: boolean) {
  const run = requireRun(db, id);
  return { ...runRecord(db, run), results: run.state === 'succeeded' ? resultsOf(db, run, { genome }) : null };
}

/** The results object, and its population alone, as UTF-8 JSON. */
export type ResultsJson = Readonly<ReturnType<typeof resultsJson>>;

/** Returns the object of `resultsOf` as it is served: the outcome is not decoded, since its bytes are those that were signed. */
export function resultsJson(db: Db, run: SimulationRun, genome: boolean, outcome = signedOutcome(db, run)) {
  const results = resultsWith(outcome, db, run, genome);
  return { results: utf8(JSON.stringify(results)), population: utf8(JSON.stringify(results.population)) };
}
