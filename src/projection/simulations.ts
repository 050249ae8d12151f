/** Projection of simulation runs. */
import { hash, sequence, time } from '../codec/scalars.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { runId, runners, runState } from '../codec/simulation.js';
import { simulationStream, type SimulationEvent, type SimulationRun } from '../domain/simulation.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, valuesOf, type Table } from './table.js';

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
