/**
 * Executing a run in three beats: an event of intent (with a lease), the work on a thread, and an event of outcome that is decided
 * again against fresh state; so a run that was cancelled or given up meanwhile keeps that end.
 */
import * as E from 'fp-ts/lib/Either.js';
import { inline_value_bytes_max } from '../../base/limits.js';
import { RefusalError, type Result } from '../../base/result.js';
import {
  simulation_attempts_max,
  simulation_error_chars_max,
  simulation_outcome_bytes_max,
} from '../../base/simulation-limits.js';
import { formatTime } from '../../base/time.js';
import {
  decideCompleted,
  decideRunCancelled,
  decideRunFailed,
  decideStart,
  isFinished,
  type SimulationRun,
} from '../../domain/simulation.js';
import { simulationEngine } from '../../engines/simulation/outcome.js';
import { readRun } from '../../projection/simulations.js';
import type { Home } from '../home.js';
import type { SimulationAnswer, SimulationTask } from './protocol.js';
import { leaseMs, recordRun, requireRun } from './runs.js';
import { storedRun } from './store.js';
import { simulateOnThread, type RunSimulation, type SimulationWatch } from './thread.js';

export interface ExecuteRunOptions extends Omit<SimulationWatch, 'mustStop'> {
  readonly actor: string;
  /** Why the run is to end now, or null: somebody cancelled it, or its process stops. */
  readonly whyStop?: (() => 'cancelled' | 'interrupted' | null) | undefined;
  /** Hears that the thread died and the run starts again. */
  readonly onRestart?: ((attempt: number, reason: string) => void) | undefined;
  readonly simulate?: RunSimulation | undefined;
}

/**
 * Starts a queued run, works, and answers the run as it ended: succeeded, failed or cancelled. A thread that dies is started
 * again, twice at most. A refusal says that it could not begin or was ended by somebody else.
 */
export async function executeRun(home: Home, id: string, options: ExecuteRunOptions): Promise<Result<SimulationRun>> {
  const task = storedRun(home.db, requireRun(home.db, id));
  for (;;) {
    const started = await home.transact((tx) =>
      recordRun(
        tx,
        id,
        decideStart(requireRun(tx.db, id), {
          engine: simulationEngine,
          lease_expires_at: formatTime(tx.now + leaseMs(task.request)),
        }),
      ),
    );
    if (E.isLeft(started)) return started;
    try {
      return await attempt(home, started.right, task, options);
    } catch (error) {
      if (error instanceof RefusalError) throw error;
      const message = causes(error).slice(0, simulation_error_chars_max).toWellFormed();
      if (started.right.attempt >= simulation_attempts_max)
        return fail(home, id, { code: 'execution_failed', message }, options.actor);
      options.onRestart?.(started.right.attempt + 1, message);
    }
  }
}

/** An error's message with those of its causes. */
const causes = (error: unknown): string =>
  error instanceof Error ? `${error.message}${error.cause === undefined ? '' : `: ${causes(error.cause)}`}` : String(error);

async function attempt(
  home: Home,
  run: SimulationRun,
  task: SimulationTask,
  options: ExecuteRunOptions,
): Promise<Result<SimulationRun>> {
  const { id } = run;
  const { actor, onYears, onGeneration, simulate = simulateOnThread } = options;
  let why: 'cancelled' | 'interrupted' | null = null;
  const answer = await simulate(task, {
    onYears,
    onGeneration,
    mustStop: () => {
      why ??= options.whyStop?.() ?? null;
      return why !== null || isEnded(home, id);
    },
  });
  why ??= options.whyStop?.() ?? null;
  if (why === 'interrupted') return fail(home, id, { code: 'interrupted', message: 'its process was stopped' }, actor);
  if (why === 'cancelled') return home.transact((tx) => recordRun(tx, id, decideRunCancelled(requireRun(tx.db, id), actor)));
  if (answer.type === 'answered' && Buffer.byteLength(answer.text) > simulation_outcome_bytes_max)
    return fail(
      home,
      id,
      { code: 'execution_failed', message: `the outcome has more than ${simulation_outcome_bytes_max} bytes` },
      actor,
    );
  return complete(home, run, answer);
}

/** Somebody else cancelled the run or gave it up. */
function isEnded(home: Home, id: string): boolean {
  const run = readRun(home.db, id);
  return run === null || isFinished(run);
}

function complete(home: Home, { id, attempt: number }: SimulationRun, answer: SimulationAnswer): Promise<Result<SimulationRun>> {
  return home.transact((tx) => {
    const run = requireRun(tx.db, id);
    if (answer.type === 'stopped') return E.right(run);
    const { text, outcome_hash } = answer;
    // A run that ended meanwhile refers to no outcome, so none is stored for it.
    const isLarge = Buffer.byteLength(text) > inline_value_bytes_max && !isFinished(run);
    const stored = isLarge
      ? { result_blob: tx.putBlob(Buffer.from(text)) }
      : { outcome: JSON.parse(text) as Readonly<Record<string, unknown>> };
    return recordRun(tx, id, decideCompleted(run, { attempt: number, outcome_hash, ...stored }));
  });
}

const fail = (home: Home, id: string, error: { code: string; message: string }, actor: string): Promise<Result<SimulationRun>> =>
  home.transact((tx) => recordRun(tx, id, decideRunFailed(requireRun(tx.db, id), error, actor)));
