/** How many of something each client has, for limits that keep one client from taking everything. */
export class Shares {
  private readonly byClient = new Map<string, number>();

  of(client: string): number {
    return this.byClient.get(client) ?? 0;
  }

  /** Adds one; returns a function that takes it away again, once. */
  take(client: string): () => void {
    this.add(client, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.add(client, -1);
      isTaken = false;
    };
  }

  private add(client: string, change: number): void {
    const count = this.of(client) + change;
    if (count === 0) this.byClient.delete(client);
    else this.byClient.set(client, count);
  }
}
