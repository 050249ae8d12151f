/** Requests, ends and finds simulation runs. Their execution is in execute.ts. */
import { invalid, messageOf, RefusalError, type Result } from '../../../base/refusal.js';
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../../../base/canonical-json.js';
import { inline_value_bytes_max } from '../../../base/limits.js';
import { type AskedPage, type Page, pageOf, placeOfPage } from '../../../base/page.js';
import { formatTime } from '../../../base/time.js';
import type { Documents } from '../../../codec/event.js';
import type { RunError } from '../../../codec/events/simulation.js';
import { canonicalRequest, isRunId, type Runner, type SimulationRequest } from '../../../codec/simulation.js';
import {
  decideRenamed,
  decideRequest,
  decideRunCancelled,
  decideRunFailed,
  isDead,
  isFinished,
  type SimulationEvent,
  type SimulationRun,
  simulationStream,
} from '../../../domain/simulation.js';
import { decideSweepCompleted, sweepStream } from '../../../domain/sweep.js';
import { island_size_min } from '../../../engines/simulation/islands.js';
import { recordEvents } from '../../../journal/stream.js';
import type { Transaction } from '../../../journal/writer.js';
import {
  readRun,
  type RunFilter,
  runsOfSweep,
  runsWithPrefix,
  runWithKey,
  searchRuns,
  unfinishedRuns,
} from '../../../tables/simulations.js';
import { readSweepState } from '../../../tables/sweeps.js';
import type { Db } from '../../../store/database.js';
import type { Raise } from '../../alerts/alerts.js';
import type { Home } from '../../home/home.js';
import { type IdKind, idNamed } from '../../../base/id-prefix.js';

/** A started run counts as dead when this time and the two below have passed. */
const simulation_lease_ms = 660_000;
/** Adds a millisecond to the lease for this many units of work: a tenth of the usual speed. */
const simulation_lease_work_per_ms = 1_000;
/** Adds a millisecond to the lease for this many individuals of all generations, whose ranking takes time for any genome length: a tenth of the usual speed. */
const simulation_lease_individuals_per_ms = 30;

const default_islands: readonly string[] = ['main'];
const id_bytes = 8;

export interface NewRun {
  readonly request: SimulationRequest;
  /** The run's name. */
  readonly name?: string | undefined;
  /** Names of the islands; sorted here by code point. */
  readonly islands?: readonly string[] | undefined;
  readonly runner: Runner;
  readonly actor: string;
  /** A client's key, and the SHA-256 of the canonical form of its request body. */
  readonly idempotency?: { readonly key: string; readonly body_sha256: string } | undefined;
}

/** Records the decided events and returns the updated run. */
export function recordRun(tx: Transaction, id: string, events: Result<readonly SimulationEvent[]>): SimulationRun {
  recordEvents(tx, simulationStream, id, events);
  return requireRun(tx.db, id);
}

/** Returns the lease of a run from its start, in ms: long enough for the largest run on a slow machine. */
export function leaseMs({ horizon, pop_size, generations, sectors, num_sectors }: SimulationRequest): number {
  const individuals = pop_size * generations;
  const work = individuals * horizon * (sectors?.length ?? num_sectors);
  return (
    simulation_lease_ms +
    Math.ceil(work / simulation_lease_work_per_ms) +
    Math.ceil(individuals / simulation_lease_individuals_per_ms)
  );
}

/**
 * Queues a run. The same key with the same body returns the existing run, or a new one if that was interrupted; with another body it is refused.
 */
export async function requestRun(
  home: Home,
  { request, name, islands, runner, actor, idempotency }: NewRun,
): Promise<SimulationRun> {
  const names = islandNamesFor(request, islands ?? default_islands);
  return home.transact((tx) => {
    const standing = standingRun(tx.db, idempotency);
    if (standing !== null && !isInterrupted(standing)) return standing;
    const replaces = standing === null ? {} : { replaces: standing.id };
    const more = { ...(name === undefined ? {} : { name }), ...replaces, ...(idempotency === undefined ? {} : { idempotency }) };
    return recordRequest(tx, request, { ...more, islands: names, runner, actor });
  });
}

/** Records a request as a new run. */
export function recordRequest(
  tx: Transaction,
  request: SimulationRequest,
  more: Omit<Documents['simulation.requested'], 'request' | 'request_blob' | 'lease_expires_at'>,
): SimulationRun {
  const id = newRunId();
  const recorded = canonicalRequest(request);
  const text = canonicalJson(recorded);
  const isLarge = Buffer.byteLength(text) > inline_value_bytes_max;
  const document: Documents['simulation.requested'] = {
    ...(isLarge ? { request_blob: tx.putBlob(Buffer.from(text)) } : { request: recorded }),
    ...more,
    lease_expires_at: more.runner === 'daemon' ? null : formatTime(tx.now + leaseMs(request)),
  };
  return recordRun(tx, id, decideRequest(readRun(tx.db, id), document));
}

/** Returns a random id for a run or a sweep. */
export const newRunId = (): string => randomBytes(id_bytes).toString('hex');

/** Returns the names of islands, sorted by code point. @throws RefusalError `invalid` for a population that they cannot share */
export function islandNamesFor({ pop_size }: Pick<SimulationRequest, 'pop_size'>, islands: readonly string[]): readonly string[] {
  const names = [...new Set(islands)].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (pop_size >= island_size_min * names.length) return names;
  throw new RefusalError(invalid('pop_size', `must be at least ${island_size_min} for each of ${names.length} islands`));
}

/** Returns the run that was requested last with this key and body, or null. @throws RefusalError `request_id_reused` for another body */
export function standingRun(db: Db, idempotency: NewRun['idempotency']): SimulationRun | null {
  const run = idempotency === undefined ? null : runWithKey(db, idempotency.key);
  if (run === null || run.body_sha256 === idempotency?.body_sha256) return run;
  const { id, sweep } = run;
  const which = sweep === null ? `run ${id}` : `sweep ${sweep}`;
  throw new RefusalError('request_id_reused', `the key was used for another request, which is ${which}`);
}

/** Returns the run. @throws RefusalError `invalid`, `not_found` */
export function requireRun(db: Db, id: string): SimulationRun {
  if (!isRunId(id)) throw new RefusalError(invalid('run', 'must be 16 hexadecimal digits in lower case'));
  const run = readRun(db, id);
  if (run === null) throw new RefusalError('not_found', `there is no run ${id}`, { hint: 'agent-cli runs' });
  return run;
}

export const cancelRun = (home: Home, id: string, actor: string): Promise<SimulationRun> =>
  home.transact((tx) => recordRun(tx, id, decideRunCancelled(requireRun(tx.db, id), actor)));

/** Gives a run another name, or none for null. */
export const renameRun = (home: Home, id: string, name: string | null, actor: string): Promise<SimulationRun> =>
  home.transact((tx) => recordRun(tx, id, decideRenamed(requireRun(tx.db, id), name, actor)));

export const failRun = (home: Home, id: string, error: RunError, actor: string): Promise<SimulationRun> =>
  home.transact((tx) => recordRun(tx, id, decideRunFailed(requireRun(tx.db, id), error, actor)));

/** Completes a sweep whose runs have all ended; one that was cancelled stays so. */
export function completeIfEnded(tx: Transaction, id: string, actor: string): void {
  const sweep = readSweepState(tx.db, id);
  const runs = runsOfSweep(tx.db, id);
  if (sweep === null || !runs.every(isFinished)) return;
  const succeeded = runs.filter(({ state }) => state === 'succeeded').length;
  recordEvents(tx, sweepStream, id, decideSweepCompleted(sweep, { succeeded, actor }));
}

/** The code of the error of a run that did not end by itself. */
const interrupted = 'interrupted';
export const isInterrupted = ({ error }: SimulationRun): boolean => error?.code === interrupted;

/** Returns whether a refusal is temporary (another process writes, no space, this process stops). Any other refusal is final. */
export const isPassing = ({ refusal: { code } }: RefusalError): boolean =>
  code === 'in_use' || code === 'storage_full' || code === 'interrupted';

/** Fails the run; if that is refused, returns its current state, because it may have ended meanwhile. */
export async function endRun(home: Home, id: string, error: RunError, actor: string): Promise<SimulationRun> {
  try {
    return await failRun(home, id, error, actor);
  } catch (refused) {
    if (!(refused instanceof RefusalError) || isPassing(refused)) throw refused;
    return requireRun(home.db, id);
  }
}

/** Returns the start time of this process, in milliseconds since the epoch, to tell runs that an earlier process began. */
const processBegan = (): number => Math.floor(performance.timeOrigin);

/**
 * Fails every run whose process is gone, with `interrupted`, and returns their ids. The daemon calls this at its start with
 * `isDaemon`, and each simulation command calls it too. A command's run is dead when its lease has ended. A daemon's run that has started is dead
 * when another daemon starts, because that one holds the only daemon lock. Any run that has started, and a command's, is dead when this process
 * opened the home alone after an unclean stop.
 * In a home that cannot be written nothing is recorded.
 * @throws RefusalError when that cannot be recorded now
 */
export async function failDeadRuns(
  home: Home,
  {
    actor,
    isDaemon = false,
    began = processBegan(),
  }: { readonly actor: string; readonly isDaemon?: boolean; readonly began?: number },
): Promise<readonly string[]> {
  if (home.unwritable !== null) return [];
  const aloneSince = home.uncleanStop ? formatTime(began) : null;
  const dead = (db: Db, now: number): SimulationRun[] =>
    unfinishedRuns(db).filter((run) => isDead(run, { now: formatTime(now), isDaemon, aloneSince }));
  if (dead(home.db, home.world.clock()).length === 0) return [];
  const error = { code: interrupted, message: 'its process ended before the run did' };
  return home.transact((tx) => {
    const runs = dead(tx.db, tx.now);
    for (const run of runs) recordRun(tx, run.id, decideRunFailed(run, error, actor));
    // A daemon continues the sweeps of the one before it; nobody continues that of a command.
    const sweeps = runs.flatMap(({ runner, sweep }) => (runner === 'command' && sweep !== null ? [sweep] : []));
    for (const sweep of new Set(sweeps)) completeIfEnded(tx, sweep, actor);
    return runs.map(({ id }) => id);
  });
}

export type RunListOptions = AskedPage & Omit<RunFilter, 'before' | 'limit'>;

/** Runs that are read before others are served. */
const part_runs = 250;

/** Returns a page of runs, the most recently requested first. Others are served while it reads many. */
export async function runPage(db: Db, { cursor, limit: most, ...filter }: RunListOptions): Promise<Page<SimulationRun>> {
  const { place, limit } = placeOfPage({ cursor, limit: most });
  const found: SimulationRun[] = [];
  let before = place;
  for (;;) {
    const { runs, next } = searchRuns(db, { ...filter, before, limit: limit + 1 - found.length }, part_runs);
    found.push(...runs);
    if (next === null) break;
    before = next;
    await nextTurn();
  }
  return pageOf(
    { cursor, limit },
    () => found,
    ({ request_seq }) => request_seq,
  );
}

/**
 * Fails the runs whose process has ended, and reports each; warns when nothing can be recorded now.
 * @param isDaemon whether a daemon has just started, whether or not it serves the simulation
 */
export async function reportDeadRuns(
  home: Home,
  isDaemon: boolean,
  { onWarning, onFailed }: { readonly onWarning: (message: string) => void; readonly onFailed: (id: string) => void },
): Promise<void> {
  try {
    for (const id of await failDeadRuns(home, { actor: 'daemon', isDaemon })) onFailed(id);
  } catch (error) {
    const which = isDaemon ? 'unfinished' : 'dead';
    onWarning(`${which} simulation runs could not be failed (${messageOf(error)})`);
  }
}

/** Fails the runs that a killed daemon left unfinished, with a warning of each. */
export const failRunsOfEarlierDaemon = (home: Home, onWarning: (message: string) => void, raise?: Raise): Promise<void> =>
  reportDeadRuns(home, true, {
    onWarning,
    onFailed: (id) => {
      onWarning(`simulation run ${id} failed: its process ended before the run did`);
      raise?.({ type: 'run_failed', id, code: interrupted });
    },
  });

const runIds: IdKind = {
  noun: 'run',
  full: /^[0-9a-f]{16}$/,
  part: /^[0-9a-f]+$/,
  form: '16 hexadecimal digits',
  hint: 'agent-cli runs',
};

/** Returns the id of the only run that begins with `given`. @throws RefusalError `invalid`, `not_found` */
export const runNamed = (db: Db, given: string): string =>
  idNamed(runIds, given, (prefix, limit) =>
    runsWithPrefix(db, prefix, limit).map(({ id, state, created_at }) => ({ id, text: `${state}, requested ${created_at}` })),
  );
