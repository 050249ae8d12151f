/** The daemon's queue of simulation runs. */
import type { RunProgress } from './runs/progress.js';

/**
 * The run queue: executes a limited number of runs at a time, first in, first out. The runs of sweeps come after the others: a sweep is long, and
 * whoever starts a single run waits for it.
 */
export class RunQueue {
  private readonly waiting = new Map<string, RunProgress>();
  private readonly executing = new Map<string, Promise<void>>();
  private isClosed = false;

  /** @param execute never rejects */
  constructor(
    private readonly running_max: () => number,
    private readonly execute: (progress: RunProgress) => Promise<void>,
  ) {}

  readonly counts = (): { readonly queued: number; readonly running: number } => ({
    queued: this.waiting.size,
    running: this.executing.size,
  });

  /** The number of runs that could start now. */
  get free(): number {
    return this.running_max() - this.executing.size;
  }

  /** The number of requests that wait: a sweep is one, however many of its runs do. */
  get places(): number {
    const all = [...this.waiting.values()];
    const sweeps = new Set(all.flatMap(({ sweep }) => sweep ?? []));
    return all.filter(({ sweep }) => sweep === null).length + sweeps.size;
  }

  /** Returns the place of a run among those that wait, from 1; null if it does not wait. */
  positionOf(id: string): number | null {
    const at = this.ordered().findIndex((each) => each.id === id);
    return at < 0 ? null : at + 1;
  }

  add(progress: RunProgress): void {
    this.waiting.set(progress.id, progress);
    this.next();
  }

  /** Removes a run from the queue. */
  leave(id: string): void {
    this.waiting.delete(id);
  }

  /** Starts no more runs. */
  close(): void {
    this.isClosed = true;
    this.waiting.clear();
  }

  /** Resolves when the running ones have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.executing.values());
  }

  readonly running = (): readonly string[] => [...this.executing.keys()];

  private ordered(): readonly RunProgress[] {
    const all = [...this.waiting.values()];
    return [...all.filter(({ sweep }) => sweep === null), ...all.filter(({ sweep }) => sweep !== null)];
  }

  /** Starts what may start now: also when the configuration allows more at once than before. */
  next(): void {
    while (this.executing.size < this.running_max() && !this.isClosed) {
      const [progress] = this.ordered();
      if (progress === undefined) return;
      const { id } = progress;
      this.waiting.delete(id);
      const executed = this.execute(progress).finally(() => {
        this.executing.delete(id);
        this.next();
      });
      this.executing.set(id, executed);
    }
  }
}
