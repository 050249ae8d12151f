/**
 * The stages of an attempt that are not recorded yet. Each is decided singly; those before the engine's work are committed together, before
 * it begins or while it lasts, and the others with the outcome.
 */
import type { Documents } from '../../codec/event.js';
import type { Mission } from '../../codec/record.js';
import type { Role } from '../../codec/roles.js';
import { decideStage } from '../../domain/mission-decide.js';
import type { Transaction } from '../../journal/writer.js';
import type { AttemptRecords } from './attempt-records.js';
import { record } from './record.js';
import type { StageNote } from './stages.js';
import { requireMission } from './store.js';

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
