/** Lets through so many at once; the others wait for their turn, first come first served. */
export class Gate {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<A>(work: () => Promise<A>): Promise<A> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits takes this place over; nobody can slip in between.
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
