/**
 * The server side of the simulation. Runs are recorded, wait in one queue, and are executed a few at a time, each on its own
 * thread and under the agents of the daemon.
 */
import * as os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { daemon_stop_ms_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { idempotency_key_chars_max, simulation_error_chars_max, simulation_waiting_max } from '../../base/simulation-limits.js';
import type { RunError } from '../../codec/events/simulation.js';
import type { WorkerState } from '../../codec/jobs.js';
import { isFinished, type SimulationRun } from '../../domain/simulation.js';
import { readRun, runWithKey } from '../../rows/simulations.js';
import type { Daemon } from '../daemon/daemon.js';
import type { AgentStates } from '../orchestrator/orchestrator.js';
import { queuesOf } from './islands.js';
import { executeRun, type WhyStop } from './execute.js';
import { finishedProgress } from './finished.js';
import { ProgressBroadcaster, type ProgressFeed } from './progress-broadcaster.js';
import { RunQueue } from './run-queue.js';
import type { SimulationOptions } from './service-options.js';
import { full, stopped, stopping } from './service-refusals.js';
import { ResultsTexts } from './results-text.js';
import { cancelRun, endRun, requestRun, type NewRun } from './runs.js';
import { namedRequest } from './simulate.js';
import { sweepDeadRuns } from './sweep.js';
import { warmSimulation } from './thread.js';
import type { RunProgress } from './run-progress.js';
import { WorkerTrust } from '../workers/register.js';

export interface RequestOptions {
  readonly actor: string;
  /** The same key and document return the same run; another document is refused as `request_id_reused`. */
  readonly idempotency?: { readonly key: string } | undefined;
}

export interface SimulationService {
  /**
   * Decodes and settles the document (JSON, as the strict reader returns it), records the run and queues it. Refusals: `invalid`,
   * `request_id_reused`, `busy` when too many runs wait (`facts.retry_after_s`), `interrupted` while the server stops.
   */
  readonly request: (document: unknown, options: RequestOptions) => Promise<SimulationRun>;
  /**
   * Cancels a queued or running run; its thread stops soon. Refusals: `wrong_state` if it has finished, `not_found`, `invalid`.
   */
  readonly cancel: (id: string, actor: string) => Promise<SimulationRun>;
  /** Returns the run progress from 0 to 1; for a run that is no longer in flight, 1 if it succeeded, else 0. */
  readonly progressOf: (id: string) => number;
  /** Returns the place of a run in the queue, from 1; null unless it waits there. */
  readonly positionOf: (id: string) => number | null;
  /** Returns an estimate of the seconds that a run still takes; null while its progress tells too little. */
  readonly remainingOf: (id: string) => number | null;
  readonly agents: () => AgentStates;
  /** Returns the workers of the islands' queues; null where no island has one. */
  readonly workers: () => readonly WorkerState[] | null;
  readonly feed: ProgressFeed;
  readonly counts: () => { readonly queued: number; readonly running: number };
  /** Returns the number of runs of this server that ended, by final state. */
  readonly ended: () => Readonly<Record<'succeeded' | 'failed' | 'cancelled', number>>;
  /** Returns the results object of a run that succeeded, as JSON. @throws RefusalError `wrong_state` or `integrity` */
  readonly results: ResultsTexts['of'];
  readonly forecast: ResultsTexts['forecast'];
  /** Accepts no more runs; queued and running ones fail with `interrupted`. Takes at most 8 s. */
  readonly stop: () => Promise<void>;
}

/** Starts the service, which stops with the daemon unless it was stopped before. */
export function startSimulations(daemon: Daemon, options: SimulationOptions): SimulationService {
  const service = new Simulations(daemon, options);
  if (options.simulate === undefined) warmSimulation();
  daemon.endWith(service.stop);
  return service;
}

const actor = 'daemon';

class Simulations implements SimulationService {
  readonly feed: ProgressBroadcaster;
  private readonly queue: RunQueue;
  /** Requests that are being recorded; each counts as a place in the queue. */
  private readonly admitting = new Set<Promise<unknown>>();
  private isStopping = false;
  private stopped: Promise<void> | null = null;
  private readonly texts: ResultsTexts;
  private readonly ends = { succeeded: 0, failed: 0, cancelled: 0 };
  private readonly waiting_max: number;
  private readonly trust: WorkerTrust;
  private readonly ending: readonly (() => void)[];

  constructor(
    private readonly daemon: Daemon,
    private readonly options: SimulationOptions,
  ) {
    const { db, paths } = daemon.home;
    this.trust = new WorkerTrust({ ...options, queues: queuesOf(options.islands), home: daemon.home, actor, listens: true });
    this.queue = new RunQueue(options.running_max ?? Math.max(1, os.availableParallelism() - 1), (progress) =>
      this.execute(progress),
    );
    this.waiting_max = options.waiting_max ?? simulation_waiting_max;
    this.feed = new ProgressBroadcaster((id) => finishedProgress(db, id));
    this.texts = new ResultsTexts(db, paths.journal);
    this.ending = [sweepDeadRuns(daemon.home, { actor, onWarning: options.onWarning, pause_ms: options.sweep_ms })];
  }

  readonly agents = (): AgentStates => this.daemon.orchestrator.states();
  readonly workers = (): readonly WorkerState[] | null => this.trust.states();
  readonly counts = () => this.queue.counts();
  readonly ended = () => ({ ...this.ends });
  readonly results: ResultsTexts['of'] = (run, genome) => this.texts.of(run, genome);
  readonly forecast: ResultsTexts['forecast'] = (run) => this.texts.forecast(run);
  readonly stop = (): Promise<void> => (this.stopped ??= this.end());

  readonly progressOf = (id: string): number =>
    this.feed.get(id)?.fraction ?? (readRun(this.daemon.home.db, id)?.state === 'succeeded' ? 1 : 0);

  readonly positionOf = (id: string): number | null => this.queue.positionOf(id);
  readonly remainingOf = (id: string): number | null => this.feed.get(id)?.remaining(performance.now()) ?? null;

  readonly request = async (document: unknown, { actor, idempotency }: RequestOptions): Promise<SimulationRun> => {
    if (this.isStopping) throw new RefusalError(stopping);
    const { request, name } = namedRequest(document);
    const key = idempotency?.key;
    if (key !== undefined && (key === '' || key.length > idempotency_key_chars_max))
      throw new RefusalError(invalid('Idempotency-Key', `must have 1 to ${idempotency_key_chars_max} characters`));
    const isKnown = key !== undefined && runWithKey(this.daemon.home.db, key) !== null;
    const waiting = this.queue.counts().queued + this.admitting.size;
    if (!isKnown && waiting >= this.waiting_max + this.queue.free) throw new RefusalError(full(waiting));
    const keyed = key === undefined ? undefined : { key, body_sha256: sha256Hex(canonicalJson(document)) };
    const admitted = this.record({ request, name, actor, idempotency: keyed });
    this.admitting.add(admitted);
    try {
      return await admitted;
    } finally {
      this.admitting.delete(admitted);
    }
  };

  readonly cancel = async (id: string, actor: string): Promise<SimulationRun> => {
    const cancelled = await cancelRun(this.daemon.home, id, actor);
    const progress = this.feed.get(id);
    if (progress !== undefined) this.over(progress, cancelled);
    return cancelled;
  };

  private async record(run: Pick<NewRun, 'request' | 'name' | 'actor' | 'idempotency'>): Promise<SimulationRun> {
    const islands = this.options.islands.map(({ name }) => name);
    const requested = await requestRun(this.daemon.home, { ...run, islands, runner: 'daemon' });
    await this.admit(requested);
    return requested;
  }

  /** Queues a new run. A run that was returned again because of its key is already queued, executed or finished. */
  private async admit({ id, state }: SimulationRun): Promise<void> {
    if (state !== 'queued' || this.feed.get(id) !== undefined) return;
    const progress = this.feed.begin(id);
    if (this.isStopping) {
      await this.fail(progress, stopped);
      return;
    }
    this.queue.add(progress);
  }

  private async execute(progress: RunProgress): Promise<void> {
    const { id } = progress;
    try {
      progress.begin(performance.now());
      const ended = await executeRun(this.daemon.home, id, {
        actor,
        runStage: this.daemon.orchestrator.runStageOf(id),
        islands: this.options.islands,
        workers: this.trust.access,
        onWorker: this.trust.note,
        isBackground: true,
        simulate: this.options.simulate,
        onCompleted: (run, answer) => this.texts.prepared(run, answer),
        whyStop: () => this.whyStop(),
        onYears: (affected) => this.tell(progress, { affected }),
        onGeneration: (generation, fraction) =>
          this.tell(progress, {
            generation: Math.max(generation, progress.generation),
            fraction: Math.max(fraction, progress.fraction),
          }),
        onRestart: (attempt, reason) => {
          progress.forgetPace();
          this.options.onWarning(`run ${id} starts for the ${attempt}. time (${reason})`);
        },
      });
      this.over(progress, ended);
    } catch (error) {
      // The run was ended by another caller, so the refusal of its outcome is expected.
      if (!(error instanceof RefusalError && progress.isEnded)) await this.lost(progress, error);
    }
  }

  private whyStop(): WhyStop | null {
    if (this.isStopping) return 'interrupted';
    return this.daemon.verification().valid === false ? 'damaged' : null;
  }

  private tell(progress: RunProgress, heard: Partial<Pick<RunProgress, 'affected' | 'generation' | 'fraction'>>): void {
    Object.assign(progress, heard);
    this.feed.changed();
  }

  private over(progress: RunProgress, run: Pick<SimulationRun, 'id' | 'state' | 'error'>): void {
    if (progress.isEnded) return;
    const { state, error } = run;
    this.queue.leave(run.id);
    if (state === 'succeeded') progress.fraction = 1;
    if (state === 'succeeded' || state === 'failed' || state === 'cancelled') this.ends[state]++;
    this.feed.end(progress, state);
    if (state === 'failed' && error !== null) this.options.onFailed?.(run.id, error);
  }

  /** Fails a run whose end could not be recorded; this is one more attempt to record an end. */
  private async lost(progress: RunProgress, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    this.options.onWarning(`run ${progress.id}: ${message}`);
    await this.fail(progress, { code: 'execution_failed', message: message.slice(0, simulation_error_chars_max).toWellFormed() });
  }

  /** Fails a run. If nothing can be recorded now, the next daemon records the failure; here the run is over. */
  private async fail(progress: RunProgress, error: RunError): Promise<void> {
    try {
      const run = await endRun(this.daemon.home, progress.id, error, actor);
      if (isFinished(run)) this.over(progress, run);
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      this.options.onWarning(`run ${progress.id} could not be failed (${why})`);
    }
    this.over(progress, { id: progress.id, state: 'failed', error });
  }

  private async end(): Promise<void> {
    this.isStopping = true;
    const late = new AbortController();
    const deadline = sleep(daemon_stop_ms_max, undefined, { signal: late.signal }).catch(() => undefined);
    const waited = this.queue.close().map((progress) => this.fail(progress, stopped));
    const ending = Promise.allSettled([...waited, this.queue.ended(), this.texts.ended(), ...this.admitting]);
    await Promise.race([ending, deadline]);
    late.abort();
    for (const end of this.ending) end();
    await this.trust.end();
    for (const id of this.queue.running()) this.options.onWarning(`run ${id} did not end in time`);
  }
}
