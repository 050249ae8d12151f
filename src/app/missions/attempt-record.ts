/** What an attempt records on its mission's stream: its stages and its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../base/canonical-json.js';
import { append_busy_ms_max, lease_ms, work_budget_ms } from '../../base/limits.js';
import { type Refusal, RefusalError } from '../../base/refusal.js';
import type { Documents } from '../../codec/event.js';
import type { MissionError } from '../../codec/events/mission.js';
import type { Mission } from '../../codec/record.js';
import type { Role } from '../../codec/roles.js';
import { helpAfter } from '../../domain/mission.js';
import { demands } from '../../domain/mission-approve.js';
import { decideStage } from '../../domain/mission-decide.js';
import type { Command, Transaction } from '../../journal/writer.js';
import { without_objective } from '../../kinds/improvement.js';
import { missionKind } from '../../kinds/table.js';
import type { Home } from '../home/home.js';
import { isFullDisk, onBallast, patiently } from '../home/recording.js';
import type { StageObserver } from '../orchestrator/orchestrator.js';
import {
  type EngineAnswer,
  type Execution,
  type PreparedResult,
  prepareResult,
  type WorkNotes,
} from '../threads/engine-thread.js';
import type { LeaseGrant, LeasedProvider } from './lease.js';
import { record, requireMission } from './record.js';

export type EngineSuccess = Extract<EngineAnswer, { type: 'answered' }>;

/** Time between two tries to record an outcome on a full disk. */
const outcome_retry_ms = 5_000;

export interface RecordOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the warning that the disk is full, and that an entry is kept and tried again. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Reports progress; `done` is the finished fraction of the stage, from 0 to 1. */
  readonly onProgress?: ((stage: Role, done: number) => void) | undefined;
  /** The time between two tries on a full disk, in ms. */
  readonly outcome_retry_ms?: number | undefined;
}

/**
 * The record of an attempt, and whether the attempt has ended there. Its stages are decided singly; those before the engine's work are committed
 * together, before it begins or while it lasts, and the others with the outcome.
 */
export class AttemptRecord {
  /** Whether the journal has the attempt's end, recorded by this process or by another one. */
  isEnded = false;
  /** The stage that was added last. */
  last: Role | null = null;
  private count = 0;
  private pending: readonly Documents['mission.staged'][] = [];
  /** Records the pending stages after some time. */
  private due: NodeJS.Timeout | null = null;
  private recording: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;
  private hasWarned = false;

  constructor(
    private readonly home: Home,
    private readonly leased: LeaseGrant,
    private readonly options: RecordOptions,
  ) {}

  get hasPending(): boolean {
    return this.pending.length > 0;
  }

  /** Whether recording the stages during the engine's work has failed. */
  get hasFailed(): boolean {
    return this.failure !== null;
  }

  add({ role, detail }: StageNote): void {
    this.pending = [...this.pending, { attempt: this.leased.mission.attempt, index: this.count++, role, detail }];
    this.last = role;
  }

  /** Decides and records the pending stages in a transaction. Returns the mission then. */
  decide(tx: Transaction): Mission {
    const { id } = this.leased.mission;
    let mission = requireMission(tx.db, id);
    for (const stage of this.pending) mission = record(tx, id, decideStage(mission, stage));
    return mission;
  }

  /** Records the pending stages in a commit of their own, and reports them. What is added meanwhile stays pending. */
  async stages(): Promise<void> {
    let { pending } = this;
    await this.patient((tx) => {
      ({ pending } = this);
      return this.decide(tx);
    });
    for (const { role } of pending) this.options.onProgress?.(role, 1);
    this.pending = this.pending.slice(pending.length);
  }

  /** Records the pending stages after `ms`, unless `settle` is called before. */
  stagesAfter(ms: number): void {
    this.due = setTimeout(() => {
      this.recording = this.stages().catch((error: unknown) => void (this.failure = { error }));
    }, ms);
  }

  /** Waits for the recording that `stagesAfter` has begun; one that has not begun never does. @throws what recording threw */
  async settle(): Promise<void> {
    if (this.due !== null) clearTimeout(this.due);
    await this.recording;
    if (this.failure !== null) throw this.failure.error;
  }

  /**
   * Records, so that the work is not lost: keeps trying while another process writes for a long time, and on a full disk until the
   * attempt's time is over or the process is told to end.
   */
  private async patient(command: Command<Mission>, observer?: StageObserver): Promise<Mission> {
    for (;;) {
      try {
        return await this.tried(command, observer);
      } catch (error) {
        if (!isFullDisk(error) || !this.mayWait()) throw error;
        this.warn(error);
        await this.wait(observer);
      }
    }
  }

  /** Records the attempt's outcome. */
  async end(command: Command<Mission>, observer: StageObserver): Promise<Mission> {
    const mission = await this.patient(command, observer);
    this.isEnded = true;
    return mission;
  }

  /** Records the attempt's failure. On a full disk it may use half of the ballast. */
  async fail(command: Command<Mission>): Promise<Mission> {
    const mission = await onBallast(this.home, () => this.tried(command)).catch((error: unknown) => {
      if (isFullDisk(error)) return this.patient(command);
      throw error;
    });
    this.isEnded = true;
    return mission;
  }

  private async tried(command: Command<Mission>, observer?: StageObserver): Promise<Mission> {
    try {
      return await patiently(() => {
        observer?.quiet(append_busy_ms_max);
        return this.home.transact(command);
      }, this.options.signal);
    } catch (error) {
      // The decider's refusal of a worker whose attempt another process has ended.
      if (error instanceof RefusalError && error.refusal.code === 'wrong_state') this.isEnded = true;
      throw error;
    }
  }

  private mayWait(): boolean {
    return this.options.signal?.aborted !== true && this.leased.elapsed() <= lease_ms;
  }

  private warn({ refusal }: RefusalError): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const { id } = this.leased.mission;
    this.options.onWarning?.(`mission ${id}: ${refusal.detail}; it is kept and is tried again until the attempt's time is over`);
  }

  private async wait(observer: StageObserver | undefined): Promise<void> {
    const { signal, outcome_retry_ms: ms = outcome_retry_ms } = this.options;
    observer?.quiet(ms + append_busy_ms_max);
    await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      // The process is told to end: the last try follows at once.
      if (signal?.aborted !== true) throw error;
    });
  }
}

/** Returns a large result as it is stored, which an engine's thread has prepared, or null for a small one. */
export const preparedOf = ({ result, prepared = prepareResult(canonicalJson(result)) }: EngineSuccess): PreparedResult | null =>
  prepared;

/** @param blob the hash of the blob that holds the result, or null for a result within the event */
export const producedOf = (
  { mission, max_evaluations, approvals }: LeaseGrant,
  answer: EngineSuccess,
  warm_start: unknown,
  blob: string | null,
): Documents['mission.produced'] => ({
  state: 'review',
  attempt: mission.attempt,
  ...(blob === null ? { result: answer.result as Readonly<Record<string, unknown>> } : { result_blob: blob }),
  result_hash: answer.result_hash,
  solution: answer.solution,
  warm_start,
  effort: {
    max_evaluations,
    iterations: answer.iterations,
    ...(answer.iterations_limit === undefined ? {} : { iterations_limit: answer.iterations_limit }),
  },
  verification: answer.verification,
  ...(demands(approvals) ? { policy: approvals } : {}),
});

/** Ends an attempt with a recorded failure. */
export class AttemptFailed extends Error {
  constructor(readonly error: MissionError) {
    super(error.message);
  }
}

const message_chars_max = 2_000;

/** Returns a failure's message as it is recorded. */
export const recordable = (message: string): string => message.slice(0, message_chars_max).toWellFormed();

const codes = new Map<string, Refusal['code']>([
  ['paused', 'paused'],
  ['configuration_changed', 'conflict'],
  ['interrupted', 'interrupted'],
  ['tool_disabled', 'tool_disabled'],
  ['provider_failed', 'provider_failed'],
  ['storage_full', 'storage_full'],
]);

/** Returns the refusal that the executing command reports for a failure; the record keeps the failure too. */
export function failureRefusal(mission: Pick<Mission, 'id' | 'kind' | 'error' | 'revision' | 'stages'>): Refusal {
  const { code = 'execution_failed', message = 'failed' } = mission.error ?? {};
  const errors = missionKind(mission.kind).failures?.(mission.stages) ?? [];
  return {
    code: codes.get(code) ?? 'execution_failed',
    detail: `mission ${mission.id} failed: ${message}`,
    ...(errors.length === 0 ? {} : { errors }),
    facts: { mission: mission.id, error: mission.error, revision: mission.revision },
    hint: helpAfter(mission),
  };
}

// The seven recorded roles of a mission and the notes of each, in order.

export interface StageNote {
  readonly role: Role;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Returns the notes that are recorded before the engine runs. */
export const stagesBefore = ({ mission, max_evaluations, provider }: LeaseGrant): readonly StageNote[] => [
  {
    role: 'planning',
    detail: {
      config_hash: mission.config_hash,
      evaluation_limit: max_evaluations,
      goal: mission.goal,
      input_hash: mission.request_hash,
      kind: mission.kind,
      ...(provider === null ? {} : { provider: plannedCall(provider) }),
      wall_seconds_limit: work_budget_ms / 1_000,
    },
  },
  {
    role: 'research',
    detail: { input_provenance: 'operator-supplied', parent: mission.parent, parent_digest: mission.parent_digest },
  },
];

/** Returns what of the call is decided before it. The address stays in the configuration, whose hash is recorded. */
const plannedCall = ({ settings, max_tokens, call_ms_max }: LeasedProvider) => ({
  model: settings.model,
  mode: settings.mode,
  max_tokens,
  seconds_limit: call_ms_max / 1_000,
});

/** Returns the member that says where a search was computed, for one that left this machine. */
const computedBy = (execution: Execution | undefined) => (execution === undefined ? {} : { execution });

const memberOf = (result: unknown, name: string): unknown =>
  typeof result === 'object' && result !== null && name in result
    ? (result as Readonly<Record<string, unknown>>)[name]
    : undefined;

/**
 * Returns the notes that are recorded when the answer of a language model is refused, candidates have run and none of them counts, or
 * workers gave no result that counts.
 */
export function stagesOfFailure({ engine }: Mission, { codegen, execution, inference }: WorkNotes): readonly StageNote[] {
  const strategy = {
    role: 'strategy',
    detail: { engine, inference: inference ?? null, iterations: null, method: null, ...computedBy(execution) },
  } as const;
  if (codegen === undefined) return inference === undefined && execution === undefined ? [] : [strategy];
  return [
    strategy,
    { role: 'market', detail: { ...without_objective, realized_revenue: null, token_settlement: 'not_recorded' } },
    { role: 'codegen', detail: codegen },
  ];
}

/** Returns the notes that are recorded once the engine has returned. */
export function stagesAfter(mission: Mission, answer: EngineSuccess): readonly StageNote[] {
  const { result, result_hash, verification, improvement, iterations } = answer;
  const inference = answer.inference ?? memberOf(result, 'inference') ?? null;
  return [
    {
      role: 'strategy',
      detail: {
        engine: mission.engine,
        inference,
        iterations,
        method: memberOf(result, 'method') ?? null,
        ...computedBy(answer.execution),
      },
    },
    {
      role: 'market',
      detail: { ...improvement, realized_revenue: null, token_settlement: 'not_recorded' },
    },
    {
      role: 'codegen',
      detail: {
        artifact_type: 'application/json',
        execution: `${inference === null ? 'built-in analytical engine' : 'language model'}; no model-generated code was executed`,
        ...answer.codegen,
        result_hash,
      },
    },
    { role: 'safety', detail: { checks: verification.checks, passed: verification.passed, review_required: true } },
    { role: 'memory', detail: { kept: 'result and stages, for review', parent: mission.parent, result_hash } },
  ];
}
