/** A map that holds at most so many entries (2 or more): at least that half of them which was set last. */
export class Recent<K, V> {
  private newer = new Map<K, V>();
  private older = new Map<K, V>();
  private readonly half: number;

  constructor(entries_max: number) {
    this.half = Math.floor(entries_max / 2);
  }

  get(key: K): V | undefined {
    const value = this.newer.get(key);
    return value === undefined ? this.older.get(key) : value;
  }

  set(key: K, value: V): void {
    if (this.newer.size >= this.half && !this.newer.has(key)) {
      this.older = this.newer;
      this.newer = new Map();
    }
    this.newer.set(key, value);
  }

  delete(key: K): void {
    this.newer.delete(key);
    this.older.delete(key);
  }
}
