/** `verify-run`: recomputes a run from its recorded request, seed and islands. */
import { RefusalError } from '../../base/result.js';
import type { Home } from '../home/home.js';
import { simulationEngine } from '../../engines/simulation/outcome.js';
import { requireRun } from './runs.js';
import { storedOutcome, storedRun } from './store.js';
import { simulateOnThread, type SimulationWatch } from './thread.js';

export interface RunVerification {
  readonly valid: boolean;
  readonly id: string;
  /** The hash of the recorded outcome, from its signed entry. */
  readonly outcome_hash: string;
  /** The hash of the recomputed outcome; null if it was not recomputed. */
  readonly recomputed_hash: string | null;
  readonly engine: { readonly name: string; readonly version: string };
  readonly seed: number;
  readonly islands: readonly string[];
  /** Why the run is not valid, or null. */
  readonly reason: string | null;
}

/**
 * Recomputes a run that succeeded and compares the hashes. Recorded bytes that do not match their signed hash, or an unreadable
 * request, cause a refusal.
 */
export async function verifyRun(home: Home, id: string, watch: SimulationWatch = {}): Promise<RunVerification> {
  const run = requireRun(home.db, id);
  const outcome = storedOutcome(home.db, run);
  const task = storedRun(home.db, run);
  const { engine, seed, islands } = outcome;
  const known = { id, outcome_hash: run.outcome_hash ?? '', engine, seed, islands };
  if (engine.name !== simulationEngine.name || engine.version !== simulationEngine.version) {
    const detail = `run ${id} was made by ${engine.name} ${engine.version}; this program holds ${simulationEngine.version}`;
    throw new RefusalError({ code: 'engine_unavailable', detail });
  }
  const answer = await simulateOnThread(task, watch);
  if (answer.type === 'refuted') return { valid: false, ...known, recomputed_hash: null, reason: answer.reason };
  if (answer.type === 'stopped') throw new RefusalError({ code: 'interrupted', detail: 'the computation was stopped' });
  const valid = answer.outcome_hash === run.outcome_hash;
  const reason = valid ? null : 'the recorded request and seed give another outcome';
  return { valid, ...known, recomputed_hash: answer.outcome_hash, reason };
}
