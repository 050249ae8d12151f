/** Sweeps and the queries over them. */
import { decode, nullable, object, required } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { runId, runName } from '../codec/simulation.js';
import { sweepState, sweepStates } from '../codec/sweep.js';
import { type Sweep, type SweepEvent, sweepStream } from '../domain/sweep.js';
import type { Db } from '../store/database.js';
import { rowProjector } from './project.js';
import { readOne, takeGroup, takeStates } from './read.js';
import { decoded, named, type RowTable, valuesOf } from './table.js';

const ddl = `CREATE TABLE sweep(
  request_seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  name TEXT,
  created_at TEXT NOT NULL,
  finished_at TEXT
) STRICT;
`;

const rowCodec = object('SweepRow', {
  request_seq: required(sequence),
  id: required(runId),
  state: required(sweepState),
  name: required(nullable(runName)),
  created_at: required(time),
  finished_at: required(nullable(time)),
});
/** The group of all sweeps. */
const every = 'every';
const columns = Object.keys(rowCodec.fields);

const sweepTable: RowTable<Sweep, SweepEvent> = {
  stream: sweepStream,
  name: 'sweep',
  version: 1,
  columns,
  key: 'id',
  rowsOf: (sweep) => [valuesOf(columns, { ...sweep })],
  stateOf: ([row]) => (row === undefined ? null : decoded('sweep', decode(rowCodec, named(columns, row)))),
  codes: sweepStates,
  codeOf: ({ state }) => state,
  groupsOf: () => [every],
};

export const sweepsProjector = rowProjector(sweepTable, { name: 'sweeps', ddl });

export const readSweepState = (db: Db, id: string): Sweep | null => readOne(db, sweepTable, id);

export const runningSweeps = (db: Db): Sweep[] => takeStates(db, sweepTable, { codes: ['running'] });

/** Returns sweeps, those requested last first. @param before only those with a smaller request_seq */
export const listSweeps = (db: Db, before: number, limit: number): Sweep[] =>
  takeGroup(db, sweepTable, every, limit, ({ request_seq }) => request_seq < before);
