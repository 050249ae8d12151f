/**
 * Executes a mission in three steps: an event of intent (the lease), the work with a deadline and a way to stop it, and an event
 * of outcome. The outcome is decided again on fresh state, so a late worker, a pause or a changed configuration cannot alter the
 * record.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { result_bytes_max, search_budget_ms, work_budget_ms } from '../../base/limits.js';
import { isRefused, type Refusal, RefusalError, type Result, UnknownOutcome } from '../../base/refusal.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import type { Completion } from '../../codec/chat-completion.js';
import type { MissionError } from '../../codec/events/mission.js';
import type { Mission } from '../../codec/record.js';
import type { Role } from '../../codec/roles.js';
import { decideFailed, decideProduced, interruption } from '../../domain/mission-decide.js';
import type { EngineInput } from '../../engines/engine.js';
import type { Transaction } from '../../journal/writer.js';
import { engineInput } from '../../kinds/engine-input.js';
import type { MissionRequest } from '../../kinds/request.js';
import { marksIn } from '../../kinds/size.js';
import { missionKind, needsSandbox } from '../../kinds/table.js';
import type { Work } from '../../kinds/works.js';
import type { CallRefusal } from '../../provider/failure.js';
import { connectionOf } from '../../tables/connection.js';
import { readControl } from '../../tables/control.js';
import { readMission } from '../../tables/missions.js';
import type { Db } from '../../store/database.js';
import { engineFor } from '../code/engine.js';
import type { Home } from '../home/home.js';
import {
  directly,
  type OrchestratorOptions,
  type Stage,
  type StageObserver,
  type StageRunner,
  withAgents,
} from '../orchestrator/orchestrator.js';
import { storedSolution } from '../reference/result.js';
import type { EngineAnswer, PreparedResult, RunEngine, WorkNotes } from '../threads/engine-thread.js';
import { stoppedTool } from '../tools/tools.js';
import { searchOnWorkers } from '../workers/queued-search.js';
import {
  type EngineSuccess,
  AttemptFailed,
  AttemptRecord,
  failureRefusal,
  preparedOf,
  producedOf,
  recordable,
  type RecordOptions,
  type StageNote,
  stagesAfter,
  stagesBefore,
  stagesOfFailure,
} from './attempt-record.js';
import { askModel, awaitLease, executingTools, type LeaseGrant, type LeaseOptions, leaseTime, takeLease } from './lease.js';
import { circumstances, missionRecord, record, requestTextOf, requireMission } from './record.js';

export interface ExecuteOptions extends AttemptOptions, LeaseOptions {
  /** Options of the agents that run the stages when no `runStage` is given. */
  readonly orchestrator?: OrchestratorOptions | undefined;
  /** Makes the execution wait for a place: called with the mission's place in the queue. */
  readonly onWaiting?: ((place: number) => void) | undefined;
}

/**
 * Takes the lease and works to the end. Returns the mission in review.
 * @throws RefusalError that describes why the mission is not in review
 */
export async function executeMission(home: Home, id: string, options: ExecuteOptions): Promise<MissionRecord> {
  const { onWaiting } = options;
  const leased = await (onWaiting === undefined ? takeLease(home, id, options) : awaitLease(home, id, { ...options, onWaiting }));
  const attempt = (runStage: StageRunner): Promise<MissionRecord> => runAttempt(home, leased, { ...options, runStage });
  return options.runStage === undefined ? withAgents(attempt, options.orchestrator) : attempt(options.runStage);
}

export interface AttemptOptions extends RecordOptions {
  readonly actor: string;
  /** Ends the work at its next checkpoint with a recorded failure. An abort reason that is a text becomes its message. */
  readonly signal?: AbortSignal | undefined;
  readonly runEngine?: RunEngine | undefined;
  /** How long a worker searches before it ends with the best that it has; by default half of the time of a search here. */
  readonly worker_search_ms?: number | undefined;
  /** Runs each stage under the agent of its role; without it the stages run in sequence, unsupervised. */
  readonly runStage?: StageRunner | undefined;
  /**
   * How long the stages before the engine's work wait for its end, to be recorded with the outcome; without it they are recorded before
   * the work begins.
   */
  readonly stages_wait_ms?: number | undefined;
  /** Whether threads that respond to requests have priority. */
  readonly isBackground?: boolean | undefined;
}

/** Returns the mission in review. @throws RefusalError that describes how the attempt failed; the record keeps this too */
export const runAttempt = (home: Home, leased: LeaseGrant, options: AttemptOptions): Promise<MissionRecord> =>
  new Attempt(home, leased, options).run();

class Attempt {
  private readonly record: AttemptRecord;
  private warmStart: unknown = null;

  constructor(
    private readonly home: Home,
    private readonly leased: LeaseGrant,
    private readonly options: AttemptOptions,
  ) {
    this.record = new AttemptRecord(home, leased, options);
  }

  async run(): Promise<MissionRecord> {
    try {
      const mission = await this.work();
      if (mission.state === 'failed') throw new RefusalError(failureRefusal(mission));
      return missionRecord(this.home, mission);
    } finally {
      // A lock file that is left shows other processes that the attempt was interrupted.
      if (this.record.isEnded) this.leased.lock.remove();
      else this.leased.lock.release();
    }
  }

  /** Returns the mission with its recorded outcome, which may be a failure. */
  private async work(): Promise<Mission> {
    const { mission } = this.leased;
    try {
      for (const note of stagesBefore(this.leased)) await this.stage(note);
      if (this.options.stages_wait_ms === undefined) await this.record.stages();
      const answer = await this.runStage('strategy', (observer) => this.compute(observer));
      await this.runStage('codegen', async () => this.refuseLarge(answer));
      await this.runStage('safety', async () => this.refuseUnverified(answer));
      for (const note of stagesAfter(mission, answer)) {
        await this.stage(note);
        this.options.onProgress?.(note.role, 1);
      }
      return await this.runStage('memory', (observer) => this.produce(answer, observer));
    } catch (error) {
      if (error instanceof AttemptFailed) return await this.fail(error.error);
      if (error instanceof RefusalError) return await this.refused(error);
      // The journal takes no more entries, so none for the failure.
      if (error instanceof UnknownOutcome) throw error;
      const message = error instanceof Error ? error.message : 'the engine failed';
      return await this.fail({ code: 'execution_failed', message, stage: this.record.last });
    }
  }

  /** Runs a stage under its agent; a failed mission does not count as a failure of the agent. */
  private runStage<A>(role: Role, stage: Stage<A>): Promise<A> {
    const { runStage = directly } = this.options;
    return runStage(role, stage, (error) => error instanceof AttemptFailed || error instanceof RefusalError);
  }

  private solutionOfParent(): unknown {
    const { parent: id } = this.leased.mission;
    const parent = id === null ? null : readMission(this.home.db, id);
    return parent === null ? null : storedSolution(this.home.db, parent);
  }

  private async stage(note: StageNote): Promise<void> {
    await this.runStage(note.role, async () => {
      if (note.role === 'research') this.warmStart = this.solutionOfParent();
      this.refuseInterruption();
      this.record.add(note);
    });
  }

  /** Returns why the work must end now, or null: pause, configuration, lease, budget, or a stopping process. */
  private stopReason(): MissionError | null {
    const stage = this.record.last;
    const { actor, signal } = this.options;
    if (signal?.aborted === true) return { code: 'interrupted', message: messageOf(signal), stage };
    if (this.leased.elapsed() > work_budget_ms) {
      return { code: 'timeout', message: `the work took longer than its budget of ${work_budget_ms / 1_000} s`, stage };
    }
    const { db } = this.home;
    const { id, attempt } = this.leased.mission;
    return connectionOf(db).snapshot(() => {
      const mission = requireMission(db, id);
      if (mission.attempt !== attempt || mission.state !== 'running') {
        return { code: 'cancelled', message: 'another process ended this attempt', stage };
      }
      const seen = { control: readControl(db), now: leaseTime(this.leased), actor };
      return interruption(mission, attempt, seen) ?? this.toolStopped(db);
    });
  }

  /** Returns the failure when a tool in use was a draft, disabled or quarantined during the work, or null. */
  private toolStopped(db: Db): MissionError | null {
    const { mission, request, provider } = this.leased;
    const refusal = stoppedTool(db, executingTools(mission.kind, request, provider !== null));
    return refusal === null ? null : { code: refusal.code, message: refusal.detail, stage: this.record.last };
  }

  private refuseInterruption(): void {
    const error = this.stopReason();
    if (error !== null) throw new AttemptFailed(error);
  }

  /** Does the work. The stages before it that are not recorded yet are recorded meanwhile. */
  private async compute(observer: StageObserver): Promise<EngineSuccess> {
    const { stages_wait_ms } = this.options;
    if (stages_wait_ms !== undefined) this.record.stagesAfter(stages_wait_ms);
    try {
      return await this.answer(observer);
    } finally {
      await this.record.settle();
    }
  }

  /** Returns the answer of the engine, or what the kind makes of that of a language model, with its verification. @throws AttemptFailed */
  private async answer(observer: StageObserver): Promise<EngineSuccess> {
    const { leased, options, record } = this;
    const { mission, request, max_evaluations } = leased;
    const { isBackground = false, onProgress, runEngine = this.engine() } = options;
    const input = engineInput(request, { max_evaluations }, this.warmStart);
    let reason: MissionError | null = null;
    const mustStop = (): boolean => (reason ??= this.stopReason()) !== null || observer.signal.aborted || record.hasFailed;
    /** The finding of a checkpoint counts, even when the work has just ended or the agent was resumed since. */
    const refuseStopped = (): void => {
      reason ??= this.stopReason();
      if (reason !== null) throw new AttemptFailed(reason);
    };
    const completed = await this.completion(input, { mustStop, observer });
    refuseStopped();
    if (completed !== null && isRefused(completed)) throw this.refusedWork(completed.left, completed.left);
    const requestText = needsSandbox(mission.kind) ? requestTextOf(this.home.db, mission) : undefined;
    const completion = completed === null ? {} : { completion: completed.right };
    const answer = await runEngine(
      { type: 'run', kind: mission.kind, input, requestText, ...completion },
      {
        onProgress: (done) => {
          if (!record.hasPending) onProgress?.('strategy', done);
        },
        observer,
        isBackground,
        mustStop,
        mustConclude: () => leased.elapsed() > search_budget_ms,
      },
    );
    refuseStopped();
    return this.counted(answer, completed?.right);
  }

  /** Asks the language model; null for a mission that its engine executes. */
  private async completion(
    input: EngineInput<Work>,
    watch: { readonly mustStop: () => boolean; readonly observer: StageObserver },
  ): Promise<Result<Completion, CallRefusal> | null> {
    const { mission, provider } = this.leased;
    const model = missionKind(mission.kind).solver.model;
    if (provider === null || model === undefined) return null;
    return await askModel(provider, model.prompt(input, provider.max_tokens), watch);
  }

  private counted(answer: EngineAnswer, completion: Completion | undefined): EngineSuccess {
    const tooLong = (detail: string, code: Refusal['code']): AttemptFailed =>
      this.refusedWork({ code, detail }, completion ?? {});
    if (answer.type === 'answered') {
      const isLong = (completion !== undefined || answer.execution !== undefined) && isTooLarge(answer, this.leased.request);
      if (!isLong) return answer;
      if (completion !== undefined) throw tooLong('the findings of the provider are too long', 'provider_failed');
      throw tooLong('the result of the workers is too long', 'execution_failed');
    }
    if (answer.type !== 'refused') throw this.failed('the engine stopped without a result');
    const { codegen, execution, inference = completion?.inference } = answer;
    const { code, detail } = answer.refusal;
    const known = code === 'provider_failed' ? code : 'execution_failed';
    throw this.refusedWork({ code: known, detail }, { codegen, execution, inference });
  }

  /** Returns the failure of work that gave no result, whose stages are recorded with it. */
  private refusedWork({ code, detail }: Pick<Refusal, 'code' | 'detail'>, refused: WorkNotes): AttemptFailed {
    for (const note of stagesOfFailure(this.leased.mission, refused)) this.record.add(note);
    return new AttemptFailed({ code, message: detail, stage: this.record.last });
  }

  private engine(): RunEngine {
    const { home, options, leased } = this;
    const { mission, queue } = leased;
    return queue === null ? engineFor(home, mission.kind) : searchOnWorkers({ ...options, home, queue });
  }

  private readonly failed = (message: string): AttemptFailed =>
    new AttemptFailed({ code: 'execution_failed', message, stage: this.record.last });

  private refuseLarge(answer: EngineSuccess): void {
    if ((preparedOf(answer)?.bytes.length ?? 0) <= result_bytes_max) return;
    throw this.failed(`the result has more than ${result_bytes_max} bytes`);
  }

  private refuseUnverified({ verification: { passed, failure } }: EngineSuccess): void {
    if (!passed) throw this.failed(`the result failed its verification: ${failure ?? 'unknown'}`);
  }

  private produce(answer: EngineSuccess, observer: StageObserver): Promise<Mission> {
    const prepared = preparedOf(answer);
    return this.record.end((tx) => this.outcome(tx, answer, prepared), observer);
  }

  private outcome(tx: Transaction, answer: EngineSuccess, prepared: PreparedResult | null): Mission {
    const { id, attempt } = this.leased.mission;
    const now = { ...circumstances(tx, this.options.actor), now: leaseTime(this.leased) };
    const mission = this.record.decide(tx);
    const stopped = this.toolStopped(tx.db);
    if (stopped !== null) return record(tx, id, decideFailed(mission, attempt, stopped));
    // An outcome that fails the mission refers to no result, so none is stored for it.
    const stored = interruption(mission, attempt, now) === null ? prepared : null;
    const blob = stored === null ? null : tx.putBlob(Buffer.from(stored.bytes.buffer), stored.salted);
    const document = producedOf(this.leased, answer, this.warmStart, blob);
    return record(tx, id, decideProduced(mission, document, now));
  }

  /** Records a failure when the outcome was not recorded because the process was just stopped, or for want of space. */
  private async refused(error: RefusalError): Promise<never> {
    const { signal } = this.options;
    const { code, detail } = error.refusal;
    if (signal?.aborted !== true && code === 'storage_full')
      return await this.fail({ code, message: detail, stage: this.record.last });
    if (signal?.aborted !== true) throw error;
    return await this.fail({ code: 'interrupted', message: messageOf(signal), stage: this.record.last });
  }

  private async fail({ code, message, stage }: MissionError): Promise<never> {
    const { id, attempt } = this.leased.mission;
    const error = { code, message: recordable(message), stage };
    const failWith = (read: (tx: Transaction) => Mission): Promise<Mission> =>
      this.record.fail((tx) => record(tx, id, decideFailed(read(tx), attempt, error)));
    const failed = await failWith((tx) => this.record.decide(tx)).catch((refused: unknown) => {
      // A daemon whose home is damaged records the failure only, without the stages before it.
      if (refused instanceof RefusalError && refused.refusal.code === 'integrity')
        return failWith((tx) => requireMission(tx.db, id));
      throw refused;
    });
    throw new RefusalError(failureRefusal(failed));
  }
}

/**
 * Returns whether a result exceeds the bounds that its kind gave when the mission was queued, under which it can be exported. They hold for every
 * result of the engine; a model's and that of workers are held to them.
 */
function isTooLarge({ result }: EngineSuccess, { work }: MissionRequest): boolean {
  const text = canonicalJson(result);
  const bound = missionKind(work.kind).solver.size.result(work);
  return Buffer.byteLength(text) > bound.bytes || marksIn(text) > bound.marks;
}

const messageOf = ({ reason }: AbortSignal): string => (typeof reason === 'string' ? reason : 'the operator stopped the work');
