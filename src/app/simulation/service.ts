/**
 * The server side of the simulation. Runs are recorded, wait in one queue, and are executed a few at a time, each on its own
 * thread and under the agents of the daemon.
 */
import { firstAbort } from '../../base/first-abort.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../base/canonical-json.js';
import { invalid, messageOf, type Refusal, RefusalError } from '../../base/refusal.js';
import { sha256Hex } from '../../base/bytes.js';
import { daemon_stop_ms_max, idempotency_key_chars_max, simulation_error_chars_max } from '../../base/limits.js';
import type { RunError } from '../../codec/events/simulation.js';
import type { WorkerState } from '../../codec/jobs.js';
import type { Via } from '../../codec/scalars.js';
import { isFinished, type SimulationRun } from '../../domain/simulation.js';
import type { Sweep } from '../../domain/sweep.js';
import { baselineOf } from '../../engines/simulation/engine.js';
import { queuedRuns, readRun, runWithKey } from '../../tables/simulations.js';
import { readSweepState } from '../../tables/sweeps.js';
import type { Db } from '../../store/database.js';
import type { Daemon } from '../daemon/daemon.js';
import { configOrNull, placesOf } from '../home/config.js';
import { homeVia } from '../home/via.js';
import type { AgentStates } from '../orchestrator/orchestrator.js';
import { WorkerTrust } from '../workers/register.js';
import { type IslandSettings, queuesOf } from './islands/settings.js';
import { executeRun, type StopReason } from './runs/execute.js';
import { ProgressBroadcaster, progress_look_ms, RunProgress } from './runs/progress.js';
import { ResultsTexts } from './runs/results-text.js';
import { RunQueue } from './run-queue.js';
import { cancelRun, endRun, type NewRun, requestRun, reportDeadRuns, requireRun } from './runs/runs.js';
import { cancelSweep, completeSweep, type RecordOptions, requestSweep, resumeSweeps, sweepOf } from './runs/sweeps.js';
import { namedRequest } from './runs/simulate.js';
import { storedRun } from './runs/stored.js';
import { type RunSimulation, warmSimulation } from './runs/thread.js';

/** Queued runs besides the running ones; one more is refused as `busy`. */
const simulation_waiting_max = 1_000;
/** Queued runs, those of sweeps included. */
const simulation_queued_max = 10_000;

/** Time between two searches for runs whose process died. */
const simulation_sweep_ms = 60_000;

/** How the service is started, and what it reports to operators. */
export interface SimulationOptions {
  /** Names and backends of every run's islands. */
  readonly islands: IslandSettings;
  /** One epoch of the islands' workers in this many is recomputed here. */
  readonly check_one_in?: number | undefined;
  readonly onWarning: (message: string) => void;
  /** Called when a run has failed. */
  readonly onFailed?: ((id: string, error: RunError) => void) | undefined;
  /** The function that computes a run: on threads, unless a caller supplies another one. */
  readonly simulate?: RunSimulation | undefined;
  /** The largest number of runs that execute at once; the configuration's when absent. */
  readonly running_max?: number | undefined;
  readonly waiting_max?: number | undefined;
  readonly queued_max?: number | undefined;
  /** The time between two searches for runs whose process died, in ms. */
  readonly sweep_ms?: number | undefined;
}

interface RequestOptions {
  readonly actor: string;
  readonly via?: Via;
  /** The same key and document return the same run or sweep; another document is refused as `request_id_reused`. */
  readonly key?: string | undefined;
}

/** Starts the service, which stops with the daemon unless it was stopped before. */
export function startSimulations(daemon: Daemon, options: SimulationOptions): SimulationService {
  const service = new SimulationService(daemon, options);
  if (options.simulate === undefined) warmSimulation();
  daemon.endWith(service.stop);
  return service;
}

/** The time after which a refused client may retry, in seconds. */
const retry_after_s = 5;

const lost_process: RunError = { code: 'interrupted', message: 'its process ended before the run did' };
const stopping: Refusal = { code: 'interrupted', detail: 'the server is stopping; nothing was started' };
const full = (waiting: number): Refusal => ({
  code: 'busy',
  detail: `${waiting} runs are queued already; try again later`,
  facts: { waiting, retry_after_s },
});

const actor = 'daemon';

export class SimulationService {
  readonly feed: ProgressBroadcaster;
  private readonly queue: RunQueue;
  /** Requests that are being recorded; each counts as a place in the queue. */
  private readonly admitting = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();
  private stopped: Promise<void> | null = null;
  private readonly texts: ResultsTexts;
  /** The number of unfinished runs of each sweep; 0 until its end is recorded. */
  private readonly open = new Map<string, number>();
  private readonly ends = { succeeded: 0, failed: 0, cancelled: 0 };
  private readonly waiting_max: number;
  private readonly trust: WorkerTrust;
  private readonly sweeping: NodeJS.Timeout;

  constructor(
    private readonly daemon: Daemon,
    private readonly options: SimulationOptions,
  ) {
    const { db } = daemon.home;
    this.trust = new WorkerTrust({ ...options, queues: queuesOf(options.islands), home: daemon.home, actor, listens: true });
    const running_max = (): number => options.running_max ?? placesOf(configOrNull(daemon.home), 'running_max');
    this.queue = new RunQueue(running_max, (progress) => this.execute(progress));
    this.waiting_max = options.waiting_max ?? simulation_waiting_max;
    this.feed = new ProgressBroadcaster((id) => finishedProgress(db, id));
    this.texts = new ResultsTexts(db, db.name);
    const onFailed = (id: string): void => this.options.onFailed?.(id, lost_process);
    // No other process may check them for days. The daemon's own runs never count as dead.
    const sweep = (): void => {
      this.queue.next();
      void reportDeadRuns(daemon.home, false, { onWarning: options.onWarning, onFailed });
    };
    this.sweeping = setInterval(sweep, options.sweep_ms ?? simulation_sweep_ms).unref();
    if (daemon.home.unwritable === null) void this.resume();
  }

  /** Continues what an earlier daemon left: its queue, and its sweeps. */
  private async resume(): Promise<void> {
    for (const run of queuedRuns(this.daemon.home.db)) this.admit(run);
    try {
      for (const run of await resumeSweeps(this.daemon.home, actor)) this.admit(run);
    } catch (error) {
      this.options.onWarning(`sweeps could not be continued (${messageOf(error)})`);
    }
  }

  /** Resolves when a run has ended, the signal aborts or the service stops. @throws RefusalError `invalid` or `not_found` */
  readonly untilEnded = (id: string, signal: AbortSignal): Promise<void> =>
    this.feed.untilEnded(id, firstAbort(signal, this.stopping.signal));

  readonly agents = (): AgentStates => this.daemon.orchestrator.states();
  /** Returns the workers of the islands' queues; null where no island has one. */
  readonly workers = (): readonly WorkerState[] | null => this.trust.states();
  readonly counts = () => this.queue.counts();
  /** Returns the number of requests that wait or run, each sweep counted once. */
  readonly requests = () => this.queue.places + this.queue.counts().running;
  /** Returns the number of runs of this server that ended, by final state. */
  readonly ended = () => ({ ...this.ends });
  /** Returns the results object of a run that succeeded, as JSON. @throws RefusalError `wrong_state` or `integrity` */
  readonly results: ResultsTexts['of'] = (run, genome) => this.texts.of(run, genome);
  readonly outcome: ResultsTexts['outcome'] = (run) => this.texts.outcome(run);
  /** Accepts no more runs; running ones fail with `interrupted`, queued ones are executed by the next daemon. Takes at most 8 s. */
  readonly stop = (): Promise<void> => (this.stopped ??= this.end());

  /** Returns the run progress from 0 to 1; for a run that is no longer in flight, 1 if it succeeded, else 0. */
  readonly progressOf = (id: string): number =>
    this.feed.get(id)?.fraction ?? (readRun(this.daemon.home.db, id)?.state === 'succeeded' ? 1 : 0);

  /** Returns the place of a run in the queue, from 1; null unless it waits there. */
  readonly positionOf = (id: string): number | null => this.queue.positionOf(id);
  /** Returns an estimate of the seconds that a run still takes; null while its progress tells too little. */
  readonly remainingOf = (id: string): number | null => this.feed.get(id)?.remaining(performance.now()) ?? null;

  /**
   * Decodes and settles the document (JSON, as the strict reader returns it), records the run and queues it. Refusals: `invalid`,
   * `request_id_reused`, `busy` when too many runs wait (`facts.retry_after_s`), `interrupted` while the server stops.
   */
  async request(document: unknown, { actor, via, key }: RequestOptions): Promise<SimulationRun> {
    if (this.isStopping) throw new RefusalError(stopping);
    const wanted = namedRequest(document);
    const keyed = this.keyed(document, key, 1);
    const home = homeVia(this.daemon.home, via);
    return this.admitted(requestRun(home, { ...wanted, ...keyed, ...this.recordedAs(actor) }), (run) => [run]);
  }

  /** Records a sweep with all its runs, and queues them. It takes one place in the queue. Refusals as of `request`. */
  async requestSweep(document: unknown, { actor, via, key }: RequestOptions): Promise<Sweep> {
    if (this.isStopping) throw new RefusalError(stopping);
    const wanted = sweepOf(document);
    const keyed = this.keyed(document, key, wanted.requests.length);
    const recording = requestSweep(homeVia(this.daemon.home, via), wanted, { ...keyed, ...this.recordedAs(actor) });
    return (await this.admitted(recording, ({ runs }) => runs)).sweep;
  }

  /** Returns a request's key as it is recorded, if there is one. A request whose key is new needs a place for its runs. */
  private keyed(document: unknown, key: string | undefined, runs: number): Pick<NewRun, 'idempotency'> {
    if (key !== undefined && (key === '' || key.length > idempotency_key_chars_max))
      throw new RefusalError(invalid('Idempotency-Key', `must have 1 to ${idempotency_key_chars_max} characters`));
    if (key === undefined || runWithKey(this.daemon.home.db, key) === null) this.requirePlace(runs);
    return key === undefined ? {} : { idempotency: { key, body_sha256: sha256Hex(canonicalJson(document)) } };
  }

  /**
   * Cancels a queued or running run; its thread stops soon. Refusals: `wrong_state` if it has finished, `not_found`, `invalid`.
   */
  async cancel(id: string, actor: string, via?: Via): Promise<SimulationRun> {
    const run = await cancelRun(homeVia(this.daemon.home, via), id, actor);
    this.cancelled(run);
    return run;
  }

  /** Cancels a sweep and its unfinished runs. Refusals: `wrong_state` if it has ended, `not_found`. */
  async cancelSweep(id: string, actor: string, via: Via | undefined): Promise<void> {
    for (const run of await cancelSweep(homeVia(this.daemon.home, via), id, actor)) this.cancelled(run);
  }

  private cancelled(run: SimulationRun): void {
    const progress = this.feed.get(run.id);
    if (progress !== undefined) this.over(progress, run);
  }

  /** Resolves when a sweep has ended, the signal aborts or the service stops. The sweep of a command is read from time to time. */
  async untilSweepEnded(id: string, gone: AbortSignal): Promise<void> {
    const signal = firstAbort(gone, this.stopping.signal);
    while (!signal.aborted) {
      if (this.open.has(id)) await this.feed.nextChange(signal);
      else if (readSweepState(this.daemon.home.db, id)?.state !== 'running') return;
      else await sleep(progress_look_ms, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @throws RefusalError `busy` when the queue has no place for one more request of so many runs */
  private requirePlace(runs: number): void {
    const waiting = this.queue.places + this.admitting.size;
    const { queued } = this.queue.counts();
    if (waiting >= this.waiting_max + this.queue.free) throw new RefusalError(full(waiting));
    if (queued + runs > (this.options.queued_max ?? simulation_queued_max)) throw new RefusalError(full(queued));
  }

  private recordedAs(actor: string): RecordOptions {
    return { islands: this.options.islands.map(({ name }) => name), runner: 'daemon', actor };
  }

  /** Queues the runs of a request once they are recorded; until then it takes a place. */
  private async admitted<A>(recording: Promise<A>, runsOf: (recorded: A) => readonly SimulationRun[]): Promise<A> {
    this.admitting.add(recording);
    try {
      const recorded = await recording;
      for (const run of runsOf(recorded)) this.admit(run);
      return recorded;
    } finally {
      this.admitting.delete(recording);
    }
  }

  /** Queues a new run. A run that was returned again because of its key is already queued, executed or finished. */
  private admit({ id, state, sweep }: SimulationRun): void {
    // One that is recorded while the service stops is executed by the next daemon.
    if (state !== 'queued' || this.feed.get(id) !== undefined || this.isStopping) return;
    if (sweep !== null) this.open.set(sweep, (this.open.get(sweep) ?? 0) + 1);
    this.queue.add(this.feed.begin(id, sweep));
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
        stopReason: () => this.stopReason(),
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

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private stopReason(): StopReason | null {
    if (this.isStopping) return 'interrupted';
    if (this.daemon.verification().valid === false) return 'damaged';
    return this.daemon.configuration().valid ? null : 'unsigned';
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
    if (progress.sweep !== null) this.leaveSweep(progress.sweep);
  }

  /** Completes the sweep whose last run has ended. One that this service interrupts goes on with the next daemon. */
  private leaveSweep(id: string): void {
    const left = (this.open.get(id) ?? 1) - 1;
    this.open.set(id, left);
    if (left > 0 || this.isStopping) return;
    completeSweep(this.daemon.home, id, actor)
      .catch((error: unknown) => this.options.onWarning(`the end of sweep ${id} could not be recorded (${String(error)})`))
      .finally(() => {
        if (this.open.get(id) === 0) this.open.delete(id);
        this.feed.changed();
      });
  }

  /** Fails a run whose end could not be recorded. If nothing can be recorded now, the next daemon records the failure; here the run is over. */
  private async lost(progress: RunProgress, fault: unknown): Promise<void> {
    const { id } = progress;
    const message = messageOf(fault);
    this.options.onWarning(`run ${id}: ${message}`);
    const error = { code: 'execution_failed', message: message.slice(0, simulation_error_chars_max).toWellFormed() };
    try {
      const run = await endRun(this.daemon.home, id, error, actor);
      if (isFinished(run)) this.over(progress, run);
    } catch (cause) {
      this.options.onWarning(`run ${id} could not be failed (${messageOf(cause)})`);
    }
    this.over(progress, { id, state: 'failed', error });
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    const late = new AbortController();
    const deadline = sleep(daemon_stop_ms_max, undefined, { signal: late.signal }).catch(() => undefined);
    this.queue.close();
    const ending = Promise.allSettled([this.queue.ended(), this.texts.ended(), ...this.admitting]);
    await Promise.race([ending, deadline]);
    late.abort();
    clearInterval(this.sweeping);
    await this.trust.end();
    for (const id of this.queue.running()) this.options.onWarning(`run ${id} did not end in time`);
  }
}

/**
 * Returns the progress of a run that has ended. It is complete for a run that succeeded; for any other run it is not recorded.
 * @throws RefusalError `invalid` or `not_found`
 */
function finishedProgress(db: Db, id: string): RunProgress {
  const run = requireRun(db, id);
  const progress = new RunProgress(id);
  progress.state = run.state;
  if (run.state !== 'succeeded') return progress;
  const { request } = storedRun(db, run);
  progress.affected = baselineOf(request).affected;
  progress.generation = request.generations;
  progress.fraction = 1;
  return progress;
}
