/** Sweeps: requested with all their runs in one transaction, completed with the last of them, or cancelled; and their record. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../../../base/canonical-json.js';
import { type AskedPage, pageOf } from '../../../base/page.js';
import { invalid, RefusalError, unwrap } from '../../../base/refusal.js';
import { Recent } from '../../../base/recent.js';
import type { Documents } from '../../../codec/event.js';
import { decode } from '../../../codec/kit.js';
import { canonicalRequest, isRunId, runStates, type SimulationRequest } from '../../../codec/simulation.js';
import {
  sweepBody,
  type SweepBody,
  type SweepMeasure,
  type SweepPage,
  type SweepPoint,
  type SweepRecord,
  type SweepRun,
  type SweepSummary,
} from '../../../codec/sweep.js';
import { decideRunCancelled, isFinished, type SimulationRun } from '../../../domain/simulation.js';
import {
  decideSweep,
  decideSweepCancelled,
  pointOf,
  type Range,
  seedsFrom,
  sensitivityOf,
  type Sweep,
  sweepFault,
  sweepStream,
  valuesIn,
} from '../../../domain/sweep.js';
import { recordEvents } from '../../../journal/stream.js';
import { integrityFailure, requireEntry } from '../../../journal/reader.js';
import type { Db } from '../../../store/database.js';
import { runsOfSweep } from '../../../tables/simulations.js';
import { listSweeps, readSweepState, runningSweeps } from '../../../tables/sweeps.js';
import type { Home } from '../../home/home.js';
import {
  completeIfEnded,
  isInterrupted,
  islandNamesFor,
  newRunId,
  type NewRun,
  recordRequest,
  recordRun,
  standingRun,
} from './runs.js';
import type { RunOutput } from './results-text.js';
import { settledRequest } from './simulate.js';
import { replacedIn, storedRun } from './stored.js';

/** The genes of all populations of a sweep, and the size of its requests, which the journal holds for ever. */
const sweep_genes_max = 20_000_000;
const sweep_bytes_max = 16_777_216;

export type NewSweep = Readonly<ReturnType<typeof sweepOf>>;

/** Returns the sweep that a body describes. @throws RefusalError `invalid` */
export function sweepOf(document: unknown) {
  const { name, request, field, seeds: count, ...range } = unwrap(decode(sweepBody, document));
  const values = valuesOf(range);
  if (Object.hasOwn(request, field)) throw new RefusalError(invalid(`request.${field}`, 'is the field that the sweep varies'));
  const fault = sweepFault(field, values, count, request);
  if (fault !== null) throw new RefusalError(invalid('field', fault));
  const drawn = settledOf({ ...request, [field]: values[0] }, field).seed;
  const seeds = seedsFrom(drawn, count);
  // Those of the first value with each seed, then those of the next.
  const requests = values.flatMap((value) => seeds.map((seed) => settledOf({ ...request, [field]: value, seed }, field)));
  const genes = requests.reduce((sum, request) => sum + request.pop_size * (request.sectors?.length ?? request.num_sectors), 0);
  if (genes > sweep_genes_max)
    throw new RefusalError(
      invalid('values', `make ${genes} genes (individuals × sectors of all runs); the most is ${sweep_genes_max}`),
    );
  const [first] = requests;
  const bytes = first === undefined ? 0 : Buffer.byteLength(canonicalJson(canonicalRequest(first))) * requests.length;
  if (bytes > sweep_bytes_max)
    throw new RefusalError(invalid('request', `makes requests of ${bytes} bytes together; the most is ${sweep_bytes_max}`));
  return { name, field, values, seeds, requests };
}

/** Returns the values of a list or of a range. */
function valuesOf({ values, from, to, step }: Partial<Range> & Pick<SweepBody, 'values'>): readonly number[] {
  const isRange = from !== undefined && to !== undefined && step !== undefined;
  if (values !== undefined && from === undefined && to === undefined && step === undefined) return values;
  if (values === undefined && isRange) return unwrap(valuesIn({ from, to, step }));
  throw new RefusalError(invalid('values', 'must be given, or else from, to and step'));
}

/** Returns a run's request; a refusal names the member of the sweep's body. */
function settledOf(document: Readonly<Record<string, unknown>>, field: string): SimulationRequest {
  try {
    return settledRequest(document);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const [first] = error.refusal.errors ?? [];
    if (first === undefined) throw error;
    throw new RefusalError(invalid(first.path === field ? 'values' : `request.${first.path}`, first.message));
  }
}

/** Who executes the runs of a request, and for whom. */
export interface RecordOptions extends Pick<NewRun, 'runner' | 'actor' | 'idempotency'> {
  readonly islands: readonly string[];
}

/**
 * Records a sweep and its runs, which wait in the queue or for their command. The first run has the sweep's idempotency key: the same key with the
 * same body returns the sweep without its runs; with another body it is refused.
 */
export function requestSweep(
  home: Home,
  { name, field, values, seeds, requests }: NewSweep,
  { islands, runner, actor, idempotency }: RecordOptions,
): Promise<{ readonly sweep: Sweep; readonly runs: readonly SimulationRun[] }> {
  const names = requests.map((request) => islandNamesFor(request, islands));
  const id = newRunId();
  return home.transact((tx) => {
    const standing = standingRun(tx.db, idempotency);
    if (standing !== null && standing.sweep !== null) return { sweep: requireSweep(tx.db, standing.sweep), runs: [] };
    const document = { ...(name === undefined ? {} : { name }), field, values, seeds, actor };
    recordEvents(tx, sweepStream, id, decideSweep(readSweepState(tx.db, id), document));
    const runs = requests.map((request, i) => {
      const keyed = i === 0 && idempotency !== undefined ? { idempotency } : {};
      return recordRequest(tx, request, { ...keyed, sweep: id, islands: names[i] ?? [], runner, actor });
    });
    return { sweep: requireSweep(tx.db, id), runs };
  });
}

/** @throws RefusalError `not_found` */
export function requireSweep(db: Db, id: string): Sweep {
  const sweep = isRunId(id) ? readSweepState(db, id) : null;
  if (sweep === null) throw new RefusalError('not_found', 'there is no such sweep; an id is 16 hexadecimal digits in lower case');
  return sweep;
}

/** Cancels a sweep and its unfinished runs, which are returned. @throws RefusalError `not_found` or `wrong_state` */
export const cancelSweep = (home: Home, id: string, actor: string): Promise<readonly SimulationRun[]> =>
  home.transact((tx) => {
    recordEvents(tx, sweepStream, id, decideSweepCancelled(requireSweep(tx.db, id), actor));
    return runsOfSweep(tx.db, id)
      .filter((run) => !isFinished(run))
      .map((run) => recordRun(tx, run.id, decideRunCancelled(run, actor)));
  });

export const completeSweep = (home: Home, id: string, actor: string): Promise<void> =>
  home.transact((tx) => completeIfEnded(tx, id, actor));

/**
 * Continues the sweeps that an earlier daemon left: a run of it that was interrupted is requested again, once, and a sweep without unfinished runs is
 * completed. Returns the new runs.
 */
export async function resumeSweeps(home: Home, actor: string): Promise<readonly SimulationRun[]> {
  if (runningSweeps(home.db).length === 0) return [];
  return home.transact((tx) =>
    runningSweeps(tx.db).flatMap((sweep) => {
      const runs = runsOfSweep(tx.db, sweep.id);
      const stored = new Map(runs.filter(isInterrupted).map((run) => [run, storedRun(tx.db, run)]));
      const replaced = replacedIn(tx.db, runs);
      const again = [...stored].flatMap(([{ id, runner }, { request, islands, replaces }]) =>
        runner === 'command' || replaces !== undefined || replaced.has(id)
          ? []
          : [recordRequest(tx, request, { sweep: sweep.id, replaces: id, islands, runner, actor })],
      );
      if (again.length === 0) completeIfEnded(tx, sweep.id, actor);
      return again;
    }),
  );
}

// The record

type SweepRequest = Documents['sweep.requested'];

function requestedOf(db: Db, { request_seq }: Sweep): SweepRequest {
  const { event } = requireEntry(db, request_seq);
  if (event?.type === 'sweep.requested') return event.document;
  throw integrityFailure('the request is not where the sweep says', request_seq);
}

function summaryOf(db: Db, sweep: Sweep): SweepSummary {
  const { field, values, seeds } = requestedOf(db, sweep);
  const { id, name, state, created_at, finished_at } = sweep;
  return { id, ...(name === null ? {} : { name }), state, field, values, seeds, created_at, finished_at };
}

/** Returns a page of sweeps, those requested last first. */
export function sweepPageOf(db: Db, asked: AskedPage): SweepPage {
  const list = (before = Number.POSITIVE_INFINITY, limit: number): readonly Sweep[] => listSweeps(db, before, limit);
  const page = pageOf(asked, list, ({ request_seq }) => request_seq);
  return { ...page, items: page.items.map((sweep) => summaryOf(db, sweep)) };
}

/** What a sweep's record says of a run that succeeded. */
interface RunMeasures extends Readonly<Record<SweepMeasure, number | null>> {
  readonly forecast: SweepPoint['forecast'];
}

const measured_max = 4_000;
const measuredRuns = new Recent<string, RunMeasures>(measured_max);

interface Sources {
  /** Returns the outcome of a run that succeeded. */
  readonly outcomeOf: (run: SimulationRun) => Promise<RunOutput> | RunOutput;
  /** Returns the computed share of a run that has not ended. */
  readonly progressOf: (id: string) => number;
}

/** Returns the record of a sweep, with what its runs have given so far. */
export async function sweepRecordOf(db: Db, id: string, { outcomeOf, progressOf }: Sources): Promise<SweepRecord> {
  const sweep = requireSweep(db, id);
  const { values, seeds, field, ...summary } = summaryOf(db, sweep);
  const runs = placed(db, runsOfSweep(db, id), values.length * seeds.length);
  const points: SweepPoint[] = [];
  for (const [i, value] of values.entries()) {
    let forecast: SweepPoint['forecast'] = [];
    const shown: SweepRun[] = [];
    for (const [j, seed] of seeds.entries()) {
      const run = runs[i * seeds.length + j];
      if (run === undefined) continue;
      const measured = run.state === 'succeeded' ? await measure(run, outcomeOf) : null;
      if (measured !== null) forecast = measured.forecast;
      const { affected = null, effectiveness = null, hypervolume = null } = measured ?? {};
      shown.push({ id: run.id, seed, state: run.state, affected, effectiveness, hypervolume });
    }
    points.push(pointOf(value, forecast, shown));
    await nextTurn();
  }
  const [first] = runs;
  if (first === undefined) throw integrityFailure('a sweep without runs', sweep.request_seq);
  const shares = runs.map((run) => (isFinished(run) ? 1 : progressOf(run.id)));
  const counts = Object.fromEntries(runStates.map((state) => [state, runs.filter((run) => run.state === state).length]));
  return {
    ...summary,
    field,
    values,
    seeds,
    request: storedRun(db, first).request,
    progress: shares.reduce((sum, share) => sum + share, 0) / runs.length,
    counts: counts as SweepRecord['counts'],
    points,
    sensitivity: sensitivityOf(points),
  };
}

/** Returns the runs by their places: the first ones in order, each as the run that stands for it now. */
function placed(db: Db, runs: readonly SimulationRun[], count: number): readonly SimulationRun[] {
  const places = runs.slice(0, count);
  for (const run of runs.slice(count)) {
    const { replaces } = storedRun(db, run);
    const at = places.findIndex(({ id }) => id === replaces);
    if (at >= 0) places[at] = run;
  }
  return places;
}

async function measure(run: SimulationRun, outcomeOf: Sources['outcomeOf']): Promise<RunMeasures> {
  const key = `${run.id}:${run.outcome_hash ?? ''}`;
  const known = measuredRuns.get(key);
  if (known !== undefined) return known;
  const { forecast, population, hypervolume } = await outcomeOf(run);
  const measured = {
    forecast: forecast.map(({ year, capability, affected }) => ({ year, capability, affected })),
    affected: forecast.at(-1)?.affected ?? 0,
    effectiveness: population.reduce((best, { effectiveness }) => Math.max(best, effectiveness), -Infinity),
    hypervolume,
  };
  measuredRuns.set(key, measured);
  return measured;
}
