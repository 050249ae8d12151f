/**
 * Executing a mission in three beats: an event of intent (the lease), the work with a deadline and a way to stop it, and an event
 * of outcome that is decided again against fresh state; so a late worker, a pause or a changed configuration alters nothing.
 */
import * as os from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../base/canonical-json.js';
import { inline_value_bytes_max, lease_ms, result_bytes_max, work_budget_ms } from '../base/limits.js';
import type { Refusal } from '../base/refusal.js';
import { ok, RefusalError, type Result } from '../base/result.js';
import { formatTime } from '../base/time.js';
import type { MissionError, Role } from '../codec/event.js';
import type { MissionRequest } from '../codec/mission.js';
import type { Mission } from '../codec/record.js';
import {
  decideFailed,
  decideLease,
  decideProduced,
  decideStage,
  interruption,
  isLeaseLive,
  pausedRefusal,
} from '../domain/mission-decide.js';
import { toolOfKind } from '../domain/tool-catalog.js';
import type { Transaction } from '../journal/writer.js';
import { readControl } from '../projection/control.js';
import type { Db } from '../store/database.js';
import { approvedMissionWithIds, readMission, runningMissions } from '../projection/missions.js';
import { failureRefusal } from './attempt-failure.js';
import { engineInput, engineOf, type AnyEngine } from './engines.js';
import type { EngineAnswer } from './engine-protocol.js';
import { runOnThread, type RunEngine } from './engine-thread.js';
import type { Home } from './home.js';
import { circumstances, record } from './missions.js';
import { missionRecord, requireMission, requireRequest, storedSolution, type MissionRecord } from './mission-store.js';
import { stagesAfter, stagesBefore } from './stages.js';
import { toolRefusal, toolWarnings } from './tools/require.js';

export interface ExecuteOptions {
  readonly actor: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((stage: Role, done: number) => void) | undefined;
  /** Hears that a tool in use is deprecated. */
  readonly onWarning?: ((message: string) => void) | undefined;
  readonly runEngine?: RunEngine | undefined;
}

/** Ends the attempt with a recorded failure. */
class AttemptFailed extends Error {
  constructor(readonly error: MissionError) {
    super(error.message);
  }
}

export async function executeMission(home: Home, id: string, options: ExecuteOptions): Promise<Result<MissionRecord>> {
  const mission = requireMission(home.db, id);
  const engine = engineOf(mission.kind);
  if (engine === null) return E.left(readControl(home.db).state === 'paused' ? pausedRefusal : noEngine(mission));
  // The hash is read before the text, so that a configuration applied in between, or up to the lease, is noticed there.
  const config_hash = readControl(home.db).config_hash ?? '';
  const { max_evaluations } = home.config();
  // A request that cannot be read takes no lease; a mission that is not queued is refused for what it is, erased or not.
  const queued = mission.state === 'queued' ? requireRequest(home.db, mission) : null;
  const { actor } = options;
  const leased = home.writer.transact((tx) => lease(tx, id, { engine, max_evaluations, config_hash, actor }));
  if (E.isLeft(leased)) return leased;
  for (const warning of toolWarnings(home.db, toolOfKind(mission.kind))) options.onWarning?.(warning);
  const request = queued ?? requireRequest(home.db, leased.right);
  return new Attempt(home, leased.right, request, max_evaluations, options).run();
}

const noEngine = (mission: Mission): Refusal => ({
  code: 'engine_unavailable',
  detail: `${mission.kind} missions have no engine in this version; mission ${mission.id} stays ${mission.state}`,
});

const message_chars_max = 2_000;
const executing_max = (): number => Math.max(1, os.availableParallelism() - 1);

interface Worker {
  readonly engine: AnyEngine;
  readonly max_evaluations: number;
  readonly config_hash: string;
  readonly actor: string;
}

function lease(tx: Transaction, id: string, { engine, max_evaluations, config_hash, actor }: Worker): Result<Mission> {
  const now = formatTime(tx.now);
  const mission = requireMission(tx.db, id);
  const parent = mission.ids_hash === null ? null : approvedMissionWithIds(tx.db, mission.kind, mission.ids_hash);
  const events = decideLease(
    mission,
    {
      expires_at: formatTime(tx.now + lease_ms),
      engine: { name: engine.name, version: engine.version },
      max_evaluations,
      parent: parent?.id ?? null,
      parent_digest: parent?.result_hash ?? null,
      config_hash,
      executing: runningMissions(tx.db)
        .filter((m) => m.id !== id && isLeaseLive(m, now))
        .map((m) => m.id),
      executing_max: executing_max(),
    },
    circumstances(tx, actor),
  );
  const refusal = E.isLeft(events) ? null : toolRefusal(tx.db, toolOfKind(mission.kind));
  return refusal === null ? record(tx, id, events) : E.left(refusal);
}

class Attempt {
  private readonly began: number;
  private readonly warmStart: unknown;
  private stages = 0;
  private lastRole: Role | null = null;

  constructor(
    private readonly home: Home,
    private readonly mission: Mission,
    private readonly request: MissionRequest,
    private readonly max_evaluations: number,
    private readonly options: ExecuteOptions,
  ) {
    this.began = home.world.clock();
    const parent = mission.parent === null ? null : readMission(home.db, mission.parent);
    this.warmStart = parent === null ? null : storedSolution(home.db, parent);
  }

  async run(): Promise<Result<MissionRecord>> {
    try {
      for (const stage of stagesBefore(this.mission, this.max_evaluations)) this.stage(stage.role, stage.detail);
      const answer = await this.work();
      for (const stage of stagesAfter(this.mission, this.request, answer)) this.stage(stage.role, stage.detail);
      return this.produce(answer);
    } catch (error) {
      if (error instanceof AttemptFailed) return this.fail(error.error);
      if (error instanceof RefusalError) return E.left(error.refusal);
      const message = error instanceof Error ? error.message : 'the engine failed';
      return this.fail({ code: 'execution_failed', message, stage: this.lastRole });
    }
  }

  private stage(role: Role, detail: Readonly<Record<string, unknown>>): void {
    this.refuseInterruption();
    const { id, attempt } = this.mission;
    const document = { attempt, index: this.stages++, role, detail };
    const recorded = this.home.writer.transact((tx) => record(tx, id, decideStage(requireMission(tx.db, id), document)));
    if (E.isLeft(recorded)) throw new RefusalError(recorded.left);
    this.lastRole = role;
    this.options.onProgress?.(role, 1);
  }

  /** Why the work must end now, or null: pause, configuration, lease, budget, Ctrl-C. */
  private whyStop(): MissionError | null {
    const stage = this.lastRole;
    if (this.options.signal?.aborted === true) return { code: 'interrupted', message: 'the operator stopped the work', stage };
    const now = this.home.world.clock();
    if (now - this.began > work_budget_ms) {
      return { code: 'timeout', message: `the work took longer than its budget of ${work_budget_ms / 1_000} s`, stage };
    }
    const mission = requireMission(this.home.db, this.mission.id);
    if (mission.attempt !== this.mission.attempt || mission.state !== 'running') {
      return { code: 'cancelled', message: 'another process ended this attempt', stage };
    }
    const { actor } = this.options;
    const seen = { control: readControl(this.home.db), now: formatTime(now), actor };
    return interruption(mission, this.mission.attempt, seen) ?? this.toolStopped(this.home.db);
  }

  /** The tool was draft, disabled or quarantined during the work. */
  private toolStopped(db: Db): MissionError | null {
    const refusal = toolRefusal(db, toolOfKind(this.mission.kind));
    return refusal === null ? null : { code: refusal.code, message: refusal.detail, stage: this.lastRole };
  }

  private refuseInterruption(): void {
    const error = this.whyStop();
    if (error !== null) throw new AttemptFailed(error);
  }

  private async work(): Promise<Extract<EngineAnswer, { type: 'answered' }>> {
    let why: MissionError | null = null;
    const run = this.options.runEngine ?? runOnThread;
    const answer = await run(
      { type: 'run', kind: this.mission.kind, input: engineInput(this.request, this.max_evaluations, this.warmStart) },
      {
        onProgress: (done) => this.options.onProgress?.('strategy', done),
        mustStop: () => {
          why ??= this.whyStop();
          return why !== null;
        },
      },
    );
    // What a checkpoint saw counts, also when the engine answered just then or the agent was resumed since.
    why ??= this.whyStop();
    if (why !== null) throw new AttemptFailed(why);
    if (answer.type === 'answered') return this.fitting(answer);
    const message = answer.type === 'refused' ? answer.refusal.detail : 'the engine stopped without an answer';
    throw new AttemptFailed({ code: 'execution_failed', message, stage: this.lastRole });
  }

  private fitting(answer: Extract<EngineAnswer, { type: 'answered' }>): Extract<EngineAnswer, { type: 'answered' }> {
    if (Buffer.byteLength(canonicalJson(answer.result)) > result_bytes_max) {
      throw new AttemptFailed({
        code: 'execution_failed',
        message: `the result has more than ${result_bytes_max} bytes`,
        stage: this.lastRole,
      });
    }
    if (answer.verification.passed) return answer;
    const message = `the result failed its verification: ${answer.verification.failure ?? 'unknown'}`;
    throw new AttemptFailed({ code: 'execution_failed', message, stage: this.lastRole });
  }

  private produce(answer: Extract<EngineAnswer, { type: 'answered' }>): Result<MissionRecord> {
    const { id, attempt } = this.mission;
    const text = canonicalJson(answer.result);
    const produced = this.home.writer.transact((tx) => {
      const now = circumstances(tx, this.options.actor);
      const mission = requireMission(tx.db, id);
      const stopped = this.toolStopped(tx.db);
      if (stopped !== null) return record(tx, id, decideFailed(mission, attempt, stopped));
      // An outcome that fails the mission instead refers to no result, so none is stored for it.
      const apart = Buffer.byteLength(text) > inline_value_bytes_max && interruption(mission, attempt, now) === null;
      const document = {
        state: 'review',
        attempt,
        ...(apart
          ? { result_blob: tx.putBlob(Buffer.from(text)) }
          : { result: answer.result as Readonly<Record<string, unknown>> }),
        result_hash: answer.result_hash,
        solution: answer.solution,
        warm_start: this.warmStart,
        effort: { max_evaluations: this.max_evaluations, iterations: answer.iterations },
        verification: answer.verification,
      } as const;
      return record(tx, id, decideProduced(mission, document, now));
    });
    if (E.isLeft(produced)) return produced;
    if (produced.right.state === 'failed') return E.left(failureRefusal(produced.right));
    return ok(missionRecord(this.home.db, produced.right));
  }

  private fail({ code, message, stage }: MissionError): Result<MissionRecord> {
    const { id, attempt } = this.mission;
    const error = { code, message: message.slice(0, message_chars_max).toWellFormed(), stage };
    const failed = this.home.writer.transact((tx) => record(tx, id, decideFailed(requireMission(tx.db, id), attempt, error)));
    return E.isLeft(failed) ? failed : E.left(failureRefusal(failed.right));
  }
}
