/** Projection of simulation runs, and the queries over it. */
import { RefusalError, unwrap } from '../base/result.js';
import { hash, sequence, time } from '../codec/scalars.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { runId, runners, runState, type RunState } from '../codec/simulation.js';
import { simulationStream, type SimulationRun } from '../domain/simulation.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { projectionDdl } from './ddl.js';
import { projectStream } from './project.js';

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
const names = Object.keys(rowCodec.fields);
const columns = names.join(', ');

function runOf(row: unknown): SimulationRun {
  try {
    const { error_code, error_message, ...run } = unwrap(decode(rowCodec, row));
    return { ...run, error: error_code === null ? null : { code: error_code, message: error_message ?? '' } };
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    throw new RefusalError({ code: 'integrity', detail: 'the simulation table is damaged', hint: 'agent-cli rebuild' });
  }
}

const rowOf = ({ error, ...run }: SimulationRun): Readonly<Record<string, unknown>> => ({
  ...run,
  error_code: error?.code ?? null,
  error_message: error?.message ?? null,
});

export const simulationsProjector: Projector = {
  name: 'simulations',
  version: 1,
  ddl: projectionDdl('simulations.v1.sql'),
  tables: ['simulation'],
  bind(db) {
    const write = db.prepare(
      `INSERT INTO simulation(${columns}) VALUES (${names.map((name) => `@${name}`).join(', ')})
       ON CONFLICT(request_seq) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    );
    return projectStream(
      simulationStream,
      (id) => readRun(db, id),
      (run) => void write.run(rowOf(run)),
    );
  },
};

export function readRun(db: Db, id: string): SimulationRun | null {
  const row = db.prepare<[string]>(`SELECT ${columns} FROM simulation WHERE id = ?`).get(id);
  return row === undefined ? null : runOf(row);
}

/** Returns the run that a client requested with this idempotency key, or null. */
export function runWithKey(db: Db, key: string): SimulationRun | null {
  const row = db
    .prepare<[string]>(`SELECT ${columns} FROM simulation WHERE idempotency_key = ? ORDER BY request_seq DESC LIMIT 1`)
    .get(key);
  return row === undefined ? null : runOf(row);
}

/** Returns the run that succeeded last, or null. */
export function newestSucceeded(db: Db): SimulationRun | null {
  const row = db
    .prepare<[]>(`SELECT ${columns} FROM simulation WHERE state = 'succeeded' ORDER BY result_seq DESC LIMIT 1`)
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
  const sql = `SELECT ${columns} FROM simulation ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
    ORDER BY request_seq DESC LIMIT @limit`;
  return db.prepare(sql).all({ state, before, limit }).map(runOf);
}

/** Returns the queued and running runs, the oldest first. */
export const unfinishedRuns = (db: Db): SimulationRun[] =>
  db.prepare<[]>(`SELECT ${columns} FROM simulation WHERE state IN ('queued', 'running') ORDER BY request_seq`).all().map(runOf);
