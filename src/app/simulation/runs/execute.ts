/**
 * Executes a run in three steps: an event of intent (with a lease), the work on a thread, and an event of outcome. The outcome is
 * decided against fresh state, so that a run that was cancelled or abandoned meanwhile keeps that end. The agent of its role runs
 * each step: planning and memory here, the five others on the run's thread.
 */
import { Fault, RefusalError } from '../../../base/refusal.js';
import {
  append_busy_ms_max,
  inline_value_bytes_max,
  simulation_attempts_max,
  simulation_error_chars_max,
  simulation_outcome_bytes_max,
} from '../../../base/limits.js';
import { formatTime } from '../../../base/time.js';
import type { RunError } from '../../../codec/events/simulation.js';
import { decideCompleted, decideRunCancelled, decideStart, isFinished, type SimulationRun } from '../../../domain/simulation.js';
import { simulationEngine } from '../../../engines/simulation/outcome.js';
import type { Command, Transaction } from '../../../journal/writer.js';
import { readRun } from '../../../tables/simulations.js';
import type { Home } from '../../home/home.js';
import { directly, type StageObserver, type StageRunner } from '../../orchestrator/orchestrator.js';
import { patiently } from '../../home/recording.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';
import { islandsNamed } from '../islands/settings.js';
import { failRun, isPassing, leaseMs, recordRun, requireRun } from './runs.js';
import { storedOutcome, storedRun } from './stored.js';
import { type AnsweredSimulation, type RunSimulation, simulateOnThread, type SimulationWatch } from './thread.js';

/** The reason to stop a run: it was cancelled, its process stops, the journal failed its verification, or config.json is not the signed one. */
export type StopReason = 'cancelled' | keyof typeof interruptions;

const interruptions = {
  interrupted: 'its process was stopped',
  damaged: 'the journal failed its verification',
  unsigned: 'config.json is not the signed configuration',
} as const;

export interface ExecuteRunOptions extends Omit<SimulationWatch, 'mustStop'> {
  readonly actor: string;
  /** Returns why the run must end now, or null. */
  readonly stopReason?: (() => StopReason | null) | undefined;
  /** Called when a step died or hung and the run restarts. */
  readonly onRestart?: ((attempt: number, reason: string) => void) | undefined;
  readonly simulate?: RunSimulation | undefined;
}

/**
 * Executes a queued run and returns it in its final state: succeeded, failed or cancelled. If a step dies or hangs, the run
 * restarts, at most twice.
 * @throws RefusalError if the run cannot start or was ended by another caller
 */
export const executeRun = (home: Home, id: string, options: ExecuteRunOptions): Promise<SimulationRun> =>
  new Execution(home, id, options).run();

/** Returns an error's message followed by the messages of its causes. */
const causes = (error: unknown): string =>
  error instanceof Error ? `${error.message}${error.cause === undefined ? '' : `: ${causes(error.cause)}`}` : String(error);

class Execution {
  private reason: StopReason | null = null;
  private readonly runStage: StageRunner;

  constructor(
    private readonly home: Home,
    private readonly id: string,
    private readonly options: ExecuteRunOptions,
  ) {
    this.runStage = options.runStage ?? directly;
  }

  async run(): Promise<SimulationRun> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.attempt();
      } catch (error) {
        // A temporary refusal does not prevent the end of the run from being recorded.
        if (error instanceof RefusalError && !isPassing(error)) throw error;
        if (this.asked() !== null) return await this.end();
        if (error instanceof RefusalError) throw error;
        const message = causes(error).slice(0, simulation_error_chars_max).toWellFormed();
        if (tries >= simulation_attempts_max) return await this.fail({ code: 'execution_failed', message });
        this.options.onRestart?.(tries + 1, message);
      }
    }
  }

  private async attempt(): Promise<SimulationRun> {
    const { run, task } = await this.runStage('planning', (observer) => this.plan(observer));
    const { islands, simulate = simulateOnThread } = this.options;
    const answer = await simulate(task, {
      ...this.options,
      islands: islands && islandsNamed(task.islands, islands),
      runStage: this.runStage,
      mustStop: () => this.asked() !== null || this.isEnded(),
    });
    if (this.asked() !== null) return this.end();
    if (answer.type === 'refuted') return this.fail({ code: 'verification_failed', message: answer.reason });
    if (answer.type === 'stopped') return this.endedElsewhere();
    if (sizeOf(answer.text) > simulation_outcome_bytes_max) {
      const message = `the outcome has more than ${simulation_outcome_bytes_max} bytes`;
      return this.fail({ code: 'execution_failed', message });
    }
    return this.runStage('memory', (observer) => this.record(observer, (tx) => complete(tx, run, answer)));
  }

  /** Returns why the run must end, or null; the first reason is kept. */
  private asked(): StopReason | null {
    return (this.reason ??= this.options.stopReason?.() ?? null);
  }

  /** Reads the run as it was recorded, sets its lease, and records its start. */
  private async plan(observer: StageObserver): Promise<{ readonly run: SimulationRun; readonly task: SimulationTask }> {
    const task = storedRun(this.home.db, requireRun(this.home.db, this.id));
    const run = await this.record(observer, (tx) =>
      recordRun(
        tx,
        this.id,
        decideStart(requireRun(tx.db, this.id), {
          engine: simulationEngine,
          lease_expires_at: formatTime(tx.now + leaseMs(task.request)),
        }),
      ),
    );
    return { run, task };
  }

  /** Records events, with retries while another process writes for a long time, so that the work is not lost. */
  private record(observer: StageObserver, command: Command<SimulationRun>): Promise<SimulationRun> {
    return patiently(() => {
      observer.quiet(append_busy_ms_max);
      return this.home.transact(command);
    }, undefined);
  }

  /** Returns whether the run has ended, because it was cancelled or abandoned elsewhere. */
  private isEnded(): boolean {
    const run = readRun(this.home.db, this.id);
    return run === null || isFinished(run);
  }

  private endedElsewhere(): SimulationRun {
    const run = requireRun(this.home.db, this.id);
    if (isFinished(run)) return run;
    throw new Fault('the computation stopped unexpectedly');
  }

  private end(): Promise<SimulationRun> {
    const reason = this.asked() ?? 'cancelled';
    if (reason !== 'cancelled') return this.fail({ code: 'interrupted', message: interruptions[reason] });
    const { actor } = this.options;
    return this.home.transact((tx) => recordRun(tx, this.id, decideRunCancelled(requireRun(tx.db, this.id), actor)));
  }

  private fail(error: RunError): Promise<SimulationRun> {
    return failRun(this.home, this.id, error, this.options.actor);
  }
}

const sizeOf = (text: string | Uint8Array): number => (typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength);

function complete(
  tx: Transaction,
  { id, attempt }: SimulationRun,
  { text, outcome_hash, salted }: AnsweredSimulation,
): SimulationRun {
  const run = requireRun(tx.db, id);
  // A run that ended meanwhile refers to no outcome, so none is parsed or stored for it.
  if (isFinished(run)) return recordRun(tx, id, decideCompleted(run, { attempt, outcome_hash }));
  const bytes = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const stored =
    bytes.length > inline_value_bytes_max
      ? { result_blob: tx.putBlob(bytes, salted) }
      : { outcome: JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>> };
  return recordRun(tx, id, decideCompleted(run, { attempt, outcome_hash, ...stored }));
}

/** What `verify-run` finds. */
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
 * Recomputes a run that succeeded from its recorded request, seed and islands, and compares the hashes. Recorded bytes that do not match their signed hash, or an unreadable
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
    throw new RefusalError('engine_unavailable', detail);
  }
  const answer = await simulateOnThread(task, watch);
  if (answer.type === 'refuted') return { valid: false, ...known, recomputed_hash: null, reason: answer.reason };
  if (answer.type === 'stopped') throw new RefusalError('interrupted', 'the computation was stopped');
  const valid = answer.outcome_hash === run.outcome_hash;
  const reason = valid ? null : 'the recorded request and seed give another outcome';
  return { valid, ...known, recomputed_hash: answer.outcome_hash, reason };
}
