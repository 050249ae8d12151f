/** Sweeps and the queries over them. */
import { sweepStates } from '../codec/sweep.js';
import { type Sweep, sweepCodec, sweepStream } from '../domain/sweep.js';
import type { Db } from '../store/database.js';
import { readOne, takeGroup, takeStates } from './read.js';
import { defineRowTable } from '../state/rows.js';

/** The group of all sweeps. */
const every = 'every';

export const sweepTable = defineRowTable<Sweep>({
  stream: sweepStream,
  name: 'sweep',
  projection: 'sweeps',
  version: 1,
  row: sweepCodec,
  unique: ['id'],
  key: 'id',
  codes: sweepStates,
  codeOf: ({ state }) => state,
  groupsOf: () => [every],
});

export const readSweepState = (db: Db, id: string): Sweep | null => readOne(db, sweepTable, id);

export const runningSweeps = (db: Db): Sweep[] => takeStates(db, sweepTable, { codes: ['running'] });

/** Returns sweeps, those requested last first. @param before only those with a smaller request_seq */
export const listSweeps = (db: Db, before: number, limit: number): Sweep[] => takeGroup(db, sweepTable, every, limit, before);
