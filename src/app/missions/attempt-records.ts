/** Records an attempt's entries on its mission's stream, and knows whether the attempt has ended there. */
import { append_busy_ms_max } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import type { Mission } from '../../codec/record.js';
import type { Command } from '../../journal/writer.js';
import type { Home } from '../home/home.js';
import type { StageObserver } from '../orchestrator/agent.js';
import { patiently } from '../threads/patiently.js';

export class AttemptRecords {
  /** Whether the journal has the attempt's end, recorded by this process or by another one. */
  isEnded = false;

  constructor(
    private readonly home: Home,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Records, and keeps trying while another process writes for a long time, so that the work is not lost. */
  async record(command: Command<Mission>, observer?: StageObserver): Promise<Mission> {
    try {
      return await patiently(() => {
        observer?.quiet(append_busy_ms_max);
        return this.home.transact(command);
      }, this.signal);
    } catch (error) {
      // The decider's refusal of a worker whose attempt another process has ended.
      if (error instanceof RefusalError && error.refusal.code === 'wrong_state') this.isEnded = true;
      throw error;
    }
  }

  /** Records the attempt's outcome. */
  async end(command: Command<Mission>, observer?: StageObserver): Promise<Mission> {
    const mission = await this.record(command, observer);
    this.isEnded = true;
    return mission;
  }
}
