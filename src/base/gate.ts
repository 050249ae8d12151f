/** Runs a limited number of tasks at once; the others wait in a queue, first in, first out. */
export class Gate {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  get isFull(): boolean {
    return this.free === 0;
  }

  /** The number of tasks that wait. */
  get queued(): number {
    return this.waiting.length;
  }

  async run<A>(work: () => Promise<A>): Promise<A> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place passes directly to the next waiting task, so that no other task can take it in between.
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
