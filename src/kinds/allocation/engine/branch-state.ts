/** Decisions of the branch and bound with their consequences through groups, implications and conflicts; a trail undoes them. */
import type { Choice, Core } from './model.js';

export const free = 2;

export class BranchState {
  /** The status of each item: 0 left out, 1 chosen, 2 free. */
  readonly status: Uint8Array;
  /** The capacity left in each row. */
  readonly room: Float64Array;
  value = 0;
  private readonly trail: number[] = [];

  constructor(readonly core: Core) {
    this.status = new Uint8Array(core.n).fill(free);
    this.room = Float64Array.from(core.capacities);
  }

  mark(): number {
    return this.trail.length;
  }

  undo(mark: number): void {
    while (this.trail.length > mark) {
      const i = this.trail.pop() ?? 0;
      if (this.status[i] === 1) this.account(i, -1);
      this.status[i] = free;
    }
  }

  /** Decides one item and all consequences; returns false when the constraints conflict (the caller then undoes). */
  decide(item: number, to: 0 | 1): boolean {
    const queue: [number, 0 | 1][] = [[item, to]];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [i, wanted] = next;
      const now = this.status[i];
      if (now === wanted) continue;
      if (now !== free) return false;
      this.status[i] = wanted;
      this.trail.push(i);
      if (wanted === 1) {
        this.account(i, 1);
        if (!this.within()) return false;
      }
      this.follow(i, wanted, queue);
    }
    return true;
  }

  private follow(i: number, to: 0 | 1, queue: [number, 0 | 1][]): void {
    const { core } = this;
    if (to === 0) {
      for (const j of core.requiredBy[i] ?? []) if (this.status[j] !== 0) queue.push([j, 0]);
      return;
    }
    for (const j of core.requires[i] ?? []) if (this.status[j] !== 1) queue.push([j, 1]);
    for (const j of core.excludes[i] ?? []) if (this.status[j] !== 0) queue.push([j, 0]);
    for (const j of core.members[core.group[i] ?? -1] ?? []) if (j !== i && this.status[j] !== 0) queue.push([j, 0]);
  }

  fits(i: number): boolean {
    for (let k = 0; k < this.room.length; k++) if ((this.core.rows[k]?.[i] ?? 0) > (this.room[k] ?? 0)) return false;
    return true;
  }

  /** Returns the chosen items; every required item is among them, so the choice is feasible. */
  choice(): Choice {
    const out = new Uint8Array(this.core.n);
    for (let i = 0; i < out.length; i++) if (this.status[i] === 1) out[i] = 1;
    return out;
  }

  private account(i: number, sign: number): void {
    this.value += sign * (this.core.values[i] ?? 0);
    for (let k = 0; k < this.room.length; k++) this.room[k] = (this.room[k] ?? 0) - sign * (this.core.rows[k]?.[i] ?? 0);
  }

  private within(): boolean {
    for (let k = 0; k < this.room.length; k++) if ((this.room[k] ?? 0) < 0) return false;
    return true;
  }
}
