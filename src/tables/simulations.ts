/** Simulation runs and the queries over them. */
import { folded } from '../base/text.js';
import { runStates, type RunState } from '../codec/simulation.js';
import { runCodec, type SimulationRun, simulationStream } from '../domain/simulation.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import {
  countStates,
  isProven,
  list,
  readByPrefix,
  readGroup,
  reading,
  readNewestOf,
  readOne,
  takeGroup,
  takeStates,
} from './read.js';

/** The groups of all runs, of those of no sweep, of those of one, and of those that were requested with an idempotency key. */
const every = 'every';
const inNoSweep = 'single';
const inSweep = (id: string): string => `sweep:${id}`;
const withKey = (key: string): string => `key:${key}`;

export const simulationTable = defineRowTable<SimulationRun>({
  stream: simulationStream,
  name: 'simulation',
  projection: 'simulations',
  version: 2,
  row: runCodec,
  unique: ['id'],
  key: 'id',
  codes: runStates,
  codeOf: ({ state }) => state,
  groupsOf: ({ idempotency_key, sweep }) => [
    every,
    sweep === null ? inNoSweep : inSweep(sweep),
    ...(idempotency_key === null ? [] : [withKey(idempotency_key)]),
  ],
});

export const readRun = (db: Db, id: string): SimulationRun | null => readOne(db, simulationTable, id);

/** Returns the run that a client requested last with this idempotency key, or null. */
export const runWithKey = (db: Db, key: string): SimulationRun | null => readNewestOf(db, simulationTable, withKey(key));

/** Returns the run that succeeded last, or null. The list is in the order of the newest entries, which may be those of a rename. */
export const newestSucceeded = (db: Db): SimulationRun | null =>
  reading(db, () => {
    let newest: SimulationRun | null = null;
    for (const { position, state } of list(db, simulationTable, { codes: ['succeeded'] })) {
      if (newest !== null && newest.result_seq > position) break;
      const run = state();
      if (run !== null && run.result_seq > (newest?.result_seq ?? 0)) newest = run;
    }
    return newest;
  });

export interface RunFilter {
  readonly state?: RunState | undefined;
  /** Only runs of this sweep; of `none`: only runs of no sweep. */
  readonly sweep?: string | undefined;
  /** Only runs whose name contains this text, in any case, or whose id begins with it. */
  readonly search?: string | undefined;
  /** The ids of runs to leave out. */
  readonly without?: ReadonlySet<string> | undefined;
  /** Only runs with a smaller request_seq: the page after the one that ended there. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns runs, the most recently requested first. */
export const listRuns = (db: Db, filter: RunFilter): SimulationRun[] => searchRuns(db, filter, Number.POSITIVE_INFINITY).runs;

/** Runs in one state that are all read to find those of a page. */
const read_by_state_max = 1_000;

/** Returns the runs among the next `scan_max`, and the `before` with which to go on: null when there are no more, or enough were found. */
export function searchRuns(db: Db, filter: RunFilter, scan_max: number) {
  const { state, sweep, before, limit } = filter;
  const group = sweep === undefined ? every : sweep === 'none' ? inNoSweep : inSweep(sweep);
  return reading(db, () => {
    const isFew = state !== undefined && isProven(db) && (countStates(db, simulationTable).get(state) ?? 0) <= read_by_state_max;
    const few = isFew
      ? takeStates(db, simulationTable, { codes: [state] }).toSorted((a, b) => b.request_seq - a.request_seq)
      : null;
    const runs: SimulationRun[] = [];
    let [scanned, next] = [0, 0];
    for (const run of few ?? readGroup(db, simulationTable, group, before)) {
      if (runs.length === limit) break;
      if (scanned++ === scan_max && few === null) return { runs, next };
      next = run.request_seq;
      if (isFound(run, filter)) runs.push(run);
    }
    return { runs, next: null };
  });
}

function isFound({ id, name, sweep, state, request_seq }: SimulationRun, filter: RunFilter): boolean {
  const { search, without, before = Number.POSITIVE_INFINITY } = filter;
  if (request_seq >= before || without?.has(id) || (filter.state ?? state) !== state) return false;
  if (filter.sweep !== undefined && filter.sweep !== (sweep ?? 'none')) return false;
  const text = folded(search ?? '');
  return id.startsWith(text) || folded(name ?? '').includes(text);
}

/** Returns the runs of a sweep, in the order in which they were requested. */
export const runsOfSweep = (db: Db, id: string): SimulationRun[] => takeGroup(db, simulationTable, inSweep(id)).toReversed();

/** Returns the runs whose ids begin with a prefix. The ids come from the table. */
export const runsWithPrefix = (db: Db, prefix: string, limit: number): SimulationRun[] =>
  readByPrefix(db, simulationTable, prefix, limit);

/** Returns the queued and running runs, the oldest first. */
export const unfinishedRuns = (db: Db): SimulationRun[] =>
  takeStates(db, simulationTable, { codes: ['queued', 'running'] }).toSorted((a, b) => a.request_seq - b.request_seq);

/** Returns the runs in the daemon's queue, the oldest first. */
export const queuedRuns = (db: Db): SimulationRun[] =>
  unfinishedRuns(db).filter(({ state, runner }) => state === 'queued' && runner === 'daemon');
