/** The columns and the history of the states of the dynamic programme. */

/** States by ascending weight and value: column arrays. */
export interface States {
  readonly weight: Float64Array;
  readonly value: Float64Array;
  readonly count: Int32Array;
  /** The index into the history. */
  readonly mark: Int32Array;
  size: number;
}

export const makeStates = (capacity: number): States => ({
  weight: new Float64Array(capacity),
  value: new Float64Array(capacity),
  count: new Int32Array(capacity),
  mark: new Int32Array(capacity),
  size: 0,
});

/** The origin of each state: its parent and the flipped item; grows by doubling. */
export class History {
  private parents = new Int32Array(4096);
  private items = new Int32Array(4096);
  size = 1;

  add(parent: number, item: number): number {
    if (this.size === this.parents.length) {
      this.parents = grown(this.parents);
      this.items = grown(this.items);
    }
    this.parents[this.size] = parent;
    this.items[this.size] = item;
    return this.size++;
  }

  flips(mark: number): number[] {
    const out: number[] = [];
    for (let at = mark; at > 0; at = this.parents[at] ?? 0) out.push(this.items[at] ?? 0);
    return out;
  }
}

function grown(old: Int32Array): Int32Array<ArrayBuffer> {
  const out = new Int32Array(old.length * 2);
  out.set(old);
  return out;
}
