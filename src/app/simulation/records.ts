/** Runs as commands and routes show them. */
import type { Results, Run, RunOutcome, RunPage } from '../../codec/api-simulation.js';
import type { SimulationRun } from '../../domain/simulation.js';
import type { Db } from '../../store/database.js';
import { requireRun, runPage, type RunListOptions } from './runs.js';
import { resultsOf, storedRun } from './store.js';
import { run_outcomes_max } from '../../base/simulation-limits.js';
import type { SimulationRequest } from '../../codec/simulation.js';
import { endOf } from '../../engines/simulation/engine.js';

/** A run as a command shows it, only from the journal. */
export interface RunRecord extends Omit<Run, 'progress' | 'queue_position' | 'remaining_s'> {
  /** From 0 to 1; null if only the run's own process knows it. */
  readonly progress: number | null;
}

export interface RunRecordPage extends Omit<RunPage, 'items'> {
  readonly items: readonly RunRecord[];
}

const known_progress = { queued: 0, running: null, succeeded: 1, failed: null, cancelled: null } as const;

export function runRecord(db: Db, run: SimulationRun): RunRecord {
  const { idempotency_key: _1, body_sha256: _2, request_seq: _3, result_seq: _4, ...shown } = run;
  const stored = storedRun(db, run);
  return { ...shown, progress: known_progress[run.state], outcome: outcomeOf(run, stored.request), ...stored };
}

const outcomes = new Map<string, RunOutcome>();

/** Returns the end of a run's forecast, which follows from its request. The newest ones are kept: a list shows many. */
function outcomeOf({ state, outcome_hash }: SimulationRun, request: SimulationRequest): RunOutcome | null {
  if (state !== 'succeeded' || outcome_hash === null) return null;
  const outcome = outcomes.get(outcome_hash) ?? endOf(request);
  outcomes.delete(outcome_hash);
  outcomes.set(outcome_hash, outcome);
  const [oldest] = outcomes.keys();
  if (outcomes.size > run_outcomes_max && oldest !== undefined) outcomes.delete(oldest);
  return outcome;
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
