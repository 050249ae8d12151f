/**
 * Runs a limited number of tasks at once; the others wait in a queue, first in, first out.
 * @example const gate = new Gate(4); await Promise.all(files.map((file) => gate.run(() => read(file))));
 */
export class Gate {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  get isFull(): boolean {
    return this.free === 0;
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

/** Returns the oldest item of whoever has the most, and so of nobody who has less. @param items the oldest first */
export function oldestOfMost<A>(
  items: readonly A[],
  ownerOf: (item: A) => string,
  sizeOf = (_item: A): number => 1,
): A | undefined {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(ownerOf(item), (sums.get(ownerOf(item)) ?? 0) + sizeOf(item));
  const most = Math.max(...sums.values());
  return items.find((item) => sums.get(ownerOf(item)) === most);
}
