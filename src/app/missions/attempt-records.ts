/**
 * What an attempt records on its mission's stream, and whether the attempt has ended there. Its stages are decided singly; those before the
 * engine's work are committed together, before it begins or while it lasts, and the others with the outcome.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../base/canonical-json.js';
import { append_busy_ms_max, lease_ms } from '../../base/limits.js';
import { RefusalError } from '../../base/refusal.js';
import type { Documents } from '../../codec/event.js';
import type { Mission } from '../../codec/record.js';
import type { Role } from '../../codec/roles.js';
import { demands } from '../../domain/mission-approve.js';
import { decideStage } from '../../domain/mission-decide.js';
import type { Command, Transaction } from '../../journal/writer.js';
import type { Home } from '../home/home.js';
import { isFullDisk, onBallast, patiently } from '../home/recording.js';
import type { StageObserver } from '../orchestrator/orchestrator.js';
import { type PreparedResult, prepareResult } from '../threads/engine-thread.js';
import type { Answered, StageNote } from './compute.js';
import type { Leased } from './lease.js';
import { record, requireMission } from './record.js';

/** Time between two tries to record an outcome on a full disk. */
export const outcome_retry_ms = 5_000;

export interface RecordOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the warning that the disk is full, and that an entry is kept and tried again. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** The time between two tries on a full disk, in ms. */
  readonly outcome_retry_ms?: number | undefined;
}

export class AttemptRecords {
  /** Whether the journal has the attempt's end, recorded by this process or by another one. */
  isEnded = false;
  private hasWarned = false;

  constructor(
    private readonly home: Home,
    private readonly leased: Leased,
    private readonly options: RecordOptions,
  ) {}

  /**
   * Records, so that the work is not lost: keeps trying while another process writes for a long time, and on a full disk until the
   * attempt's time is over or the process is told to end.
   */
  async record(command: Command<Mission>, observer?: StageObserver): Promise<Mission> {
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
    const mission = await this.record(command, observer);
    this.isEnded = true;
    return mission;
  }

  /** Records the attempt's failure. On a full disk it may use half of the ballast. */
  async fail(command: Command<Mission>): Promise<Mission> {
    const mission = await onBallast(this.home, () => this.tried(command)).catch((error: unknown) => {
      if (isFullDisk(error)) return this.record(command);
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

export class AttemptStages {
  last: Role | null = null;
  private count = 0;
  private pending: readonly Documents['mission.staged'][] = [];
  /** Records the pending stages after some time. */
  private due: NodeJS.Timeout | null = null;
  private recording: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly mission: Pick<Mission, 'id' | 'attempt'>,
    private readonly records: AttemptRecords,
    private readonly onProgress: ((stage: Role, done: number) => void) | undefined,
  ) {}

  get arePending(): boolean {
    return this.pending.length > 0;
  }

  /** Whether recording the stages during the engine's work has failed. */
  get haveFailed(): boolean {
    return this.failure !== null;
  }

  add({ role, detail }: StageNote): void {
    this.pending = [...this.pending, { attempt: this.mission.attempt, index: this.count++, role, detail }];
    this.last = role;
  }

  /** Decides and records the pending stages in a transaction. Returns the mission then. */
  decide(tx: Transaction): Mission {
    const { id } = this.mission;
    let mission = requireMission(tx.db, id);
    for (const stage of this.pending) mission = record(tx, id, decideStage(mission, stage));
    return mission;
  }

  /** Records the pending stages in a commit of their own, and reports them. */
  async record(): Promise<void> {
    await this.records.record((tx) => this.decide(tx));
    for (const { role } of this.pending) this.onProgress?.(role, 1);
    this.pending = [];
  }

  /** Records the pending stages after `ms`, unless `settle` is called before. */
  recordAfter(ms: number): void {
    this.due = setTimeout(() => {
      this.recording = this.record().catch((error: unknown) => void (this.failure = { error }));
    }, ms);
  }

  /** Waits for the recording that `recordAfter` has begun; one that has not begun never does. @throws what recording threw */
  async settle(): Promise<void> {
    if (this.due !== null) clearTimeout(this.due);
    await this.recording;
    if (this.failure !== null) throw this.failure.error;
  }
}

/** Returns a large result as it is stored, which an engine's thread has prepared, or null for a small one. */
export const preparedOf = ({ result, prepared = prepareResult(canonicalJson(result)) }: Answered): PreparedResult | null =>
  prepared;

/** @param blob the hash of the blob that holds the result, or null for a result within the event */
export const producedOf = (
  { mission, max_evaluations, approvals }: Leased,
  answer: Answered,
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
