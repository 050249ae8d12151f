/** Runs as commands and routes show them. */
import type { Results, Run, RunPage } from '../../codec/api-simulation.js';
import type { SimulationRun } from '../../domain/simulation.js';
import type { Db } from '../../store/database.js';
import { requireRun, runPage, type RunListOptions } from './runs.js';
import { resultsOf, storedRun } from './store.js';

/** A run as a command shows it, from the journal alone. */
export interface RunRecord extends Omit<Run, 'progress'> {
  /** From 0 to 1; null if only the run's own process knows it. */
  readonly progress: number | null;
}

export interface RunRecordPage extends Omit<RunPage, 'items'> {
  readonly items: readonly RunRecord[];
}

const known_progress = { queued: 0, running: null, succeeded: 1, failed: null, cancelled: null } as const;

export function runRecord(db: Db, run: SimulationRun): RunRecord {
  const { idempotency_key: _1, body_sha256: _2, request_seq: _3, result_seq: _4, ...shown } = run;
  return { ...shown, progress: known_progress[run.state], ...storedRun(db, run) };
}

export const runRecords = (db: Db, options: RunListOptions): RunRecordPage => {
  const { items, next_cursor } = runPage(db, options);
  return { items: items.map((run) => runRecord(db, run)), next_cursor };
};

export interface RunWithResults extends RunRecord {
  /** Null unless the run succeeded. */
  readonly results: Results | null;
}

/** Returns a run with its results. @throws RefusalError `invalid`, `not_found` or `integrity` */
export function showRun(db: Db, id: string, genome: boolean): RunWithResults {
  const run = requireRun(db, id);
  return { ...runRecord(db, run), results: run.state === 'succeeded' ? resultsOf(db, run, { genome }) : null };
}
