/** Projection of the keys of workers: one row per key. */
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { workerKey } from '../codec/jobs.js';
import { time } from '../codec/scalars.js';
import { workerKeyStates, workerStream, type WorkerEvent, type WorkerKey } from '../domain/worker-key.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, valuesOf, type Table } from './table.js';

const rowCodec = object('WorkerRow', {
  key: required(workerKey),
  name: required(nullable(text())),
  state: required(choice(...workerKeyStates)),
  changed_at: required(time),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
});
const columns = Object.keys(rowCodec.fields);

export const workerTable: Table<WorkerKey, WorkerEvent> = {
  stream: workerStream,
  name: 'worker',
  columns,
  idOf: ([key]) => String(key),
  rowsOf: (worker) => [valuesOf(columns, { ...worker })],
  stateOf: ([row]) => (row === undefined ? null : decoded('worker', decode(rowCodec, named(columns, row)))),
};

export const workersProjector = rowProjector(workerTable, {
  name: 'workers',
  version: 1,
  ddl: projectionDdl('workers.v1.sql'),
  key: 'key',
});
