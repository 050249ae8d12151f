/** Records the missions whose process has ended as interrupted, at the daemon's start and while it runs. */
import { interrupted_search_ms } from '../../base/execution-limits.js';
import type { Home } from '../home/home.js';
import { failInterrupted, interruptedWarning, leasedOnly } from '../missions/interrupted.js';
import { hasFreeLock } from '../missions/ownership.js';

export interface InterruptedOptions {
  readonly onWarning: (message: string) => void;
  readonly interrupted_search_ms?: number | undefined;
}

export class InterruptedSearch {
  private readonly timer: NodeJS.Timeout;
  private searching: Promise<void> | null = null;
  private isStopped = false;
  /** Whether missions without a lock file are running, whose leases end at some time. */
  private hasLeases = true;
  private lastFailure: string | null = null;

  constructor(
    private readonly home: Home,
    private readonly options: InterruptedOptions,
  ) {
    this.timer = setInterval(() => void this.search(), options.interrupted_search_ms ?? interrupted_search_ms).unref();
  }

  /** Searches, unless a search is going on; resolves when it has ended. Each mission that is found is a warning. */
  search(): Promise<void> {
    this.searching ??= this.find().finally(() => (this.searching = null));
    return this.searching;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.searching;
  }

  private async find(): Promise<void> {
    if (this.isStopped) return;
    try {
      if (!this.hasLeases && !hasFreeLock(this.home)) return;
      for (const { id } of await failInterrupted(this.home)) this.options.onWarning(interruptedWarning(id));
      this.hasLeases = leasedOnly(this.home) > 0;
      this.lastFailure = null;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      // The search is repeated; a cause that lasts is reported once.
      if (failure !== this.lastFailure)
        this.options.onWarning(`missions that were interrupted could not be recorded (${failure}); this is tried again`);
      this.lastFailure = failure;
    }
  }
}
