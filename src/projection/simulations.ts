/** Projection of simulation runs. */
import { hash, sequence, time } from '../codec/scalars.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { runId, runners, runState, type RunState } from '../codec/simulation.js';
import { simulationStream, type SimulationEvent, type SimulationRun } from '../domain/simulation.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, valuesOf, type Table, type Value } from './table.js';
import { Fault } from '../base/fault.js';
import type { Db } from '../store/database.js';

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

export const simulationTable: Table<SimulationRun, SimulationEvent> = {
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
  ddl: projectionDdl('simulations.v1.sql'),
  key: 'id',
});

function runOf(row: unknown): SimulationRun {
  const run = simulationTable.stateOf([valuesOf(columns, row as Record<string, Value>)]);
  if (run === null) throw new Fault('a row holds no run');
  return run;
}

export function readRun(db: Db, id: string): SimulationRun | null {
  const row = db.prepare<[string]>(`SELECT ${columns.join(', ')} FROM simulation WHERE id = ?`).get(id);
  return row === undefined ? null : runOf(row);
}

/** Returns the run that a client requested with this idempotency key, or null. */
export function runWithKey(db: Db, key: string): SimulationRun | null {
  const row = db
    .prepare<[string]>(`SELECT ${columns.join(', ')} FROM simulation WHERE idempotency_key = ? ORDER BY request_seq DESC LIMIT 1`)
    .get(key);
  return row === undefined ? null : runOf(row);
}

/** Returns the run that succeeded last, or null. */
export function newestSucceeded(db: Db): SimulationRun | null {
  const row = db
    .prepare<[]>(`SELECT ${columns.join(', ')} FROM simulation WHERE state = 'succeeded' ORDER BY result_seq DESC LIMIT 1`)
    .get();
  return row === undefined ? null : runOf(row);
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
  const sql = `SELECT ${columns.join(', ')} FROM simulation ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
    ORDER BY request_seq DESC LIMIT @limit`;
  return db.prepare(sql).all({ state, before, limit }).map(runOf);
}

/** Returns the queued and running runs, the oldest first. */
export const unfinishedRuns = (db: Db): SimulationRun[] =>
  db
    .prepare<[]>(`SELECT ${columns.join(', ')} FROM simulation WHERE state IN ('queued', 'running') ORDER BY request_seq`)
    .all()
    .map(runOf);
