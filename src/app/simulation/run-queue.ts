/** The run queue: executes a limited number of runs at a time, first in, first out. */
import type { RunProgress } from './run-progress.js';

export class RunQueue {
  private readonly waiting = new Map<string, RunProgress>();
  private readonly executing = new Map<string, Promise<void>>();
  private isClosed = false;

  /** @param execute never rejects */
  constructor(
    private readonly running_max: number,
    private readonly execute: (progress: RunProgress) => Promise<void>,
  ) {}

  readonly counts = (): { readonly queued: number; readonly running: number } => ({
    queued: this.waiting.size,
    running: this.executing.size,
  });

  /** The number of runs that could start now. */
  get free(): number {
    return this.running_max - this.executing.size;
  }

  /** Returns the place of a run among those that wait, from 1; null if it does not wait. */
  positionOf(id: string): number | null {
    if (!this.waiting.has(id)) return null;
    let place = 0;
    for (const each of this.waiting.keys()) {
      place++;
      if (each === id) break;
    }
    return place;
  }

  add(progress: RunProgress): void {
    this.waiting.set(progress.id, progress);
    this.next();
  }

  /** Removes a run from the queue. */
  leave(id: string): void {
    this.waiting.delete(id);
  }

  /** Starts no more runs; returns those that were waiting. */
  close(): readonly RunProgress[] {
    this.isClosed = true;
    const waited = [...this.waiting.values()];
    this.waiting.clear();
    return waited;
  }

  /** Resolves when the running ones have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.executing.values());
  }

  readonly running = (): readonly string[] => [...this.executing.keys()];

  private next(): void {
    while (this.executing.size < this.running_max && !this.isClosed) {
      const [first] = this.waiting;
      if (first === undefined) return;
      const [id, progress] = first;
      this.waiting.delete(id);
      const executed = this.execute(progress).finally(() => {
        this.executing.delete(id);
        this.next();
      });
      this.executing.set(id, executed);
    }
  }
}
