/** Simulation runs and the queries over them. Each run that is returned was compared with its signed entries. */
import { insight_forecasts_max } from '../base/limits.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { hash, sequence, time } from '../codec/scalars.js';
import { runId, runners, runState, type RunState } from '../codec/simulation.js';
import { isFinished, type SimulationEvent, type SimulationRun, simulationStream } from '../domain/simulation.js';
import { rowProjector } from './project.js';
import { decoded, named, type Table, valuesOf } from './table.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { connectionOf, isDamaged } from './connection.js';
import { readByEntries, readMany, readOne } from './read.js';

/**
 * One row a run, keyed by the entry that requested it, so that pages go from the newest. `result_seq` is the entry that completed
 * it, 0 until then.
 */
const ddl = `CREATE TABLE simulation(
  request_seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  runner TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  lease_expires_at TEXT,
  idempotency_key TEXT,
  body_sha256 TEXT,
  outcome_hash TEXT,
  result_seq INTEGER NOT NULL,
  error_code TEXT,
  error_message TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX simulation_state ON simulation(state, result_seq);
CREATE INDEX simulation_key ON simulation(idempotency_key) WHERE idempotency_key IS NOT NULL;
`;

const rowCodec = object('SimulationRow', {
  request_seq: required(sequence),
  id: required(runId),
  state: required(runState),
  runner: required(choice(...runners)),
  attempt: required(integer(0, Number.MAX_SAFE_INTEGER)),
  lease_expires_at: required(nullable(time)),
  idempotency_key: required(nullable(text())),
  body_sha256: required(nullable(hash)),
  outcome_hash: required(nullable(hash)),
  result_seq: required(integer(0, Number.MAX_SAFE_INTEGER)),
  error_code: required(nullable(text())),
  error_message: required(nullable(text())),
  created_at: required(time),
  started_at: required(nullable(time)),
  finished_at: required(nullable(time)),
  revision: required(sequence),
});
const columns = Object.keys(rowCodec.fields);
const id_column = columns.indexOf('id');

const simulationTable: Table<SimulationRun, SimulationEvent> = {
  stream: simulationStream,
  name: 'simulation',
  columns,
  idOf: (row) => String(row[id_column]),
  rowsOf: ({ error, ...run }) => [
    valuesOf(columns, { ...run, error_code: error?.code ?? null, error_message: error?.message ?? null }),
  ],
  stateOf([row]) {
    if (row === undefined) return null;
    const { error_code, error_message, ...run } = decoded('simulation', decode(rowCodec, named(columns, row)));
    return { ...run, error: error_code === null ? null : { code: error_code, message: error_message ?? '' } };
  },
};

export const simulationsProjector = rowProjector(simulationTable, {
  name: 'simulations',
  version: 1,
  ddl,
  key: 'id',
});

/** The mean over many runs reads all of them again and again. */
const table: CheckedTable<SimulationRun, SimulationEvent> = { ...simulationTable, known_max: insight_forecasts_max };
const select = `SELECT ${simulationTable.columns.join(', ')} FROM simulation`;

export const readRun = (db: Db, id: string): SimulationRun | null => readOne(db, table, id, `${select} WHERE id = ?`, id);

/** A query for runs: in the table, and by the entries once damage is tolerated. */
interface Query {
  readonly sql: string;
  readonly values?: readonly unknown[];
  /** What the query's condition says. */
  readonly matches: (run: SimulationRun) => boolean;
  readonly limit?: number;
}

/** Returns the runs that a query selects; by the entries the most recently requested come first. */
function runsOf(db: Db, { sql, values = [], matches, limit = Number.POSITIVE_INFINITY }: Query): SimulationRun[] {
  return connectionOf(db).snapshot(() => {
    const runs = isDamaged(db) ? [] : readMany(db, table, `${select} ${sql}`, ...values);
    if (!isDamaged(db)) return runs;
    const found: SimulationRun[] = [];
    const newestFirst = readByEntries(
      db,
      table,
      (id) => readRun(db, id),
      (a, b) => b.first - a.first,
    );
    for (const run of newestFirst) {
      if (found.length >= limit) break;
      if (matches(run)) found.push(run);
    }
    return found;
  });
}

/** Returns the run that a client requested with this idempotency key, or null. */
export function runWithKey(db: Db, key: string): SimulationRun | null {
  const sql = 'WHERE idempotency_key = ? ORDER BY request_seq DESC LIMIT 1';
  return runsOf(db, { sql, values: [key], matches: (run) => run.idempotency_key === key, limit: 1 })[0] ?? null;
}

/** Returns the run that succeeded last, or null. */
export function newestSucceeded(db: Db): SimulationRun | null {
  const sql = "WHERE state = 'succeeded' ORDER BY result_seq DESC LIMIT 1";
  const runs = runsOf(db, { sql, matches: ({ state }) => state === 'succeeded' });
  return runs.toSorted((a, b) => b.result_seq - a.result_seq)[0] ?? null;
}

export interface RunFilter {
  readonly state?: RunState | undefined;
  /** Only runs with a smaller request_seq: the page after the one that ended there. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns runs, the most recently requested first. */
export function listRuns(db: Db, { state, before, limit }: RunFilter): SimulationRun[] {
  const where = [...(state === undefined ? [] : ['state = @state']), ...(before === undefined ? [] : ['request_seq < @before'])];
  const sql = `${where.length === 0 ? '' : `WHERE ${where.join(' AND ')} `}ORDER BY request_seq DESC LIMIT @limit`;
  const matches = (run: SimulationRun): boolean =>
    (state === undefined || run.state === state) && (before === undefined || run.request_seq < before);
  return runsOf(db, { sql, values: [{ state, before, limit }], matches, limit });
}

/** Returns the runs whose ids begin with a prefix. */
export const runsWithPrefix = (db: Db, prefix: string, limit: number): SimulationRun[] =>
  runsOf(db, {
    sql: 'WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT ?',
    values: [prefix.length, prefix, limit],
    matches: ({ id }) => id.startsWith(prefix),
    limit,
  });

/** Returns the queued and running runs, the oldest first. */
export const unfinishedRuns = (db: Db): SimulationRun[] =>
  runsOf(db, {
    sql: "WHERE state IN ('queued', 'running') ORDER BY request_seq",
    matches: (run) => !isFinished(run),
  }).toSorted((a, b) => a.request_seq - b.request_seq);
