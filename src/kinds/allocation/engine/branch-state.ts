/**
 * Decisions of the branch and bound with their consequences through groups, requirements, exclusions and dominance; a trail undoes
 * them.
 */
import type { Dominance } from './dominance.js';
import type { Choice, Core } from './model.js';

export const free = 2;

export class BranchState {
  /** The status of each item: 0 left out, 1 chosen, 2 free. */
  readonly status: Uint8Array;
  /** The capacity left in each row. */
  readonly room: Float64Array;
  value = 0;
  /** The number of chosen items. */
  count = 0;
  /** The number of decisions and links visited so far. */
  operations = 0;
  /** The dominance among the items that decisions respect, or null. */
  dominance: Dominance | null = null;
  private readonly trail: number[] = [];
  /** Pending decisions, each as 2 · item + status. */
  private readonly queue: number[] = [];

  constructor(readonly core: Core) {
    this.status = new Uint8Array(core.n).fill(free);
    this.room = Float64Array.from(core.capacities);
  }

  mark(): number {
    return this.trail.length;
  }

  undo(mark: number): void {
    this.operations += this.trail.length - mark;
    while (this.trail.length > mark) {
      const i = this.trail.pop() ?? 0;
      if (this.status[i] === 1) this.account(i, -1);
      this.status[i] = free;
    }
  }

  /** Decides one item and all consequences; returns false when the constraints conflict (the caller then undoes). */
  decide(item: number, to: 0 | 1): boolean {
    const { queue } = this;
    queue.length = 0;
    for (let next: number | undefined = 2 * item + to; next !== undefined; next = queue.pop()) {
      this.operations += 2;
      const i = next >>> 1;
      const wanted = next & 1;
      const now = this.status[i];
      if (now === wanted) continue;
      if (now !== free) return false;
      this.status[i] = wanted;
      this.trail.push(i);
      if (wanted === 1) {
        this.account(i, 1);
        if (!this.within()) return false;
        this.followChosen(i);
      } else this.followLeftOut(i);
    }
    return true;
  }

  /** Chooses a free item with all consequences; changes nothing where the constraints conflict. */
  take(i: number): void {
    if (this.status[i] !== free) return;
    const mark = this.mark();
    if (!this.decide(i, 1)) this.undo(mark);
  }

  private followLeftOut(i: number): void {
    this.push(this.core.requiredBy[i], 0);
    if (this.dominance !== null) this.push(this.dominance.below[i], 0);
  }

  private followChosen(i: number): void {
    const { core } = this;
    this.push(core.requires[i], 1);
    this.push(core.excludes[i], 0);
    if (this.dominance !== null) this.push(this.dominance.above[i], 1);
    const members = core.members[core.group[i] ?? -1];
    if (members === undefined) return;
    this.operations += members.length;
    for (const j of members) if (j !== i && this.status[j] !== 0) this.queue.push(2 * j);
  }

  private push(items: readonly number[] | undefined, to: 0 | 1): void {
    if (items === undefined || items.length === 0) return;
    this.operations += items.length;
    for (const j of items) if (this.status[j] !== to) this.queue.push(2 * j + to);
  }

  /** Returns whether an item keeps every row; the rows of cuts may be negative, and do not count. */
  fits(i: number): boolean {
    for (let k = 0; k < this.core.hard; k++) if ((this.core.rows[k]?.[i] ?? 0) > (this.room[k] ?? 0)) return false;
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
    this.count += sign;
    for (let k = 0; k < this.room.length; k++) this.room[k] = (this.room[k] ?? 0) - sign * (this.core.rows[k]?.[i] ?? 0);
  }

  private within(): boolean {
    for (let k = 0; k < this.core.hard; k++) if ((this.room[k] ?? 0) < 0) return false;
    return true;
  }
}
