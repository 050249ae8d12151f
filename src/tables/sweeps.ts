/** Sweeps and the queries over them. */
import { nullable, object, required } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { runId, runName } from '../codec/simulation.js';
import { sweepState, sweepStates } from '../codec/sweep.js';
import { type Sweep, sweepStream } from '../domain/sweep.js';
import type { Db } from '../store/database.js';
import { readOne, takeGroup, takeStates } from './read.js';
import { defineRowTable } from '../state/rows.js';

const row = object('SweepRow', {
  request_seq: required(sequence),
  id: required(runId),
  state: required(sweepState),
  name: required(nullable(runName)),
  created_at: required(time),
  finished_at: required(nullable(time)),
});
/** The group of all sweeps. */
const every = 'every';

export const sweepTable = defineRowTable<Sweep>({
  stream: sweepStream,
  name: 'sweep',
  projection: 'sweeps',
  version: 1,
  row,
  unique: ['id'],
  key: 'id',
  codes: sweepStates,
  codeOf: ({ state }) => state,
  groupsOf: () => [every],
});

export const readSweepState = (db: Db, id: string): Sweep | null => readOne(db, sweepTable, id);

export const runningSweeps = (db: Db): Sweep[] => takeStates(db, sweepTable, { codes: ['running'] });

/** Returns sweeps, those requested last first. @param before only those with a smaller request_seq */
export const listSweeps = (db: Db, before: number, limit: number): Sweep[] =>
  takeGroup(db, sweepTable, every, limit, ({ request_seq }) => request_seq < before);
