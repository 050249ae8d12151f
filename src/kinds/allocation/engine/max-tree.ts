/** A Fenwick tree of the greatest value among the entries up to a key, for keys that are known beforehand. */
export class MaxTree {
  private keys = new Float64Array(0);
  private values = new Float64Array(0);
  private owners = new Int32Array(0);

  /** Empties the tree for these keys. */
  reset(keys: Float64Array): void {
    this.keys = keys.slice().sort();
    if (this.values.length <= keys.length) {
      this.values = new Float64Array(keys.length + 1);
      this.owners = new Int32Array(keys.length + 1);
    }
    this.values.fill(-Infinity);
    this.owners.fill(-1);
  }

  /** Enters a value with its owner; of equal values the first stays. */
  enter(key: number, value: number, owner: number): void {
    for (let at = this.rank(key); at <= this.keys.length; at += at & -at) {
      if (value <= (this.values[at] ?? 0)) continue;
      this.values[at] = value;
      this.owners[at] = owner;
    }
  }

  /** Returns the owner of the greatest value among the entries whose key is at most `limit`, or −1. */
  best(limit: number): number {
    let value = -Infinity;
    let owner = -1;
    for (let at = this.rank(limit); at > 0; at -= at & -at) {
      if ((this.values[at] ?? 0) <= value) continue;
      value = this.values[at] ?? 0;
      owner = this.owners[at] ?? -1;
    }
    return owner;
  }

  /** Returns the number of keys that are at most `limit`. */
  private rank(limit: number): number {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.keys[middle] ?? 0) <= limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
