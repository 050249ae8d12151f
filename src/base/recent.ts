/** The share of the entries that is dropped when there are too many. */
const dropped_share = 256;

/** A map that holds at most so many entries: those that were set last. */
export class Recent<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly entries_max: number) {}

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  set(key: K, value: V): void {
    const { size } = this.entries;
    this.entries.set(key, value);
    if (this.entries.size === size) {
      // It was there: it becomes the newest.
      this.entries.delete(key);
      this.entries.set(key, value);
      return;
    }
    if (this.entries.size <= this.entries_max) return;
    // Several at once: each search for the oldest passes the places of all that were dropped before.
    let left = Math.ceil(this.entries_max / dropped_share);
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      if (--left <= 0) return;
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }
}
