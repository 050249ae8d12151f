/** Records an attempt's entries on its mission's stream, and knows whether the attempt has ended there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { outcome_retry_ms } from '../../base/execution-limits.js';
import { append_busy_ms_max, lease_ms } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import type { Mission } from '../../codec/record.js';
import type { Command } from '../../journal/writer.js';
import type { Home } from '../home/home.js';
import { isFullDisk, onBallast } from '../home/recording.js';
import type { StageObserver } from '../orchestrator/agent.js';
import { patiently } from '../threads/patiently.js';
import type { Leased } from './lease.js';

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
  async end(command: Command<Mission>, observer?: StageObserver): Promise<Mission> {
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
