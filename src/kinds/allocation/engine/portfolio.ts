/** A choice of items that can be changed item by item: the room of the rows, the member of each group, and the links that a change meets. */
import type { Choice, Core } from './model.js';

export class Portfolio {
  readonly chosen: Uint8Array;
  value = 0;
  /** The number of items and links visited so far. */
  operations = 0;
  private readonly left: Float64Array;
  /** The chosen member of each group, −1 for none. */
  private readonly member: Int32Array;
  /** The number of required items that are not chosen. */
  private readonly missing: Int32Array;
  /** The number of chosen items that exclude an item. */
  private readonly barred: Int32Array;
  /** The number of chosen items that require an item. */
  private readonly dependents: Int32Array;
  /** The changed items, in order. */
  private readonly trail: number[] = [];

  constructor(
    private readonly core: Core,
    start: Choice,
  ) {
    this.chosen = new Uint8Array(core.n);
    this.left = Float64Array.from(core.capacities.slice(0, core.hard));
    this.member = new Int32Array(core.members.length).fill(-1);
    this.missing = Int32Array.from(core.requires, (list) => list.length);
    this.barred = new Int32Array(core.n);
    this.dependents = new Int32Array(core.n);
    this.load(start);
  }

  /** Replaces the choice by another feasible one. */
  load(choice: Choice): void {
    for (let i = 0; i < this.core.n; i++) if (this.chosen[i] === 1 && choice[i] !== 1) this.remove(i);
    for (let i = 0; i < this.core.n; i++) if (this.chosen[i] === 0 && choice[i] === 1) this.add(i);
    this.operations += 2 * this.core.n;
    this.keep();
  }

  choice(): Choice {
    return this.chosen.slice();
  }

  mark(): number {
    return this.trail.length;
  }

  /** Forgets how to undo the changes made so far. */
  keep(): void {
    this.trail.length = 0;
  }

  undo(mark: number): void {
    while (this.trail.length > mark) {
      const i = this.trail.pop() ?? 0;
      if (this.chosen[i] === 1) this.remove(i);
      else this.add(i);
      this.trail.pop();
    }
  }

  add(i: number): void {
    this.change(i, 1);
  }

  remove(i: number): void {
    this.change(i, -1);
  }

  private change(i: number, sign: 1 | -1): void {
    const { core } = this;
    const requires = core.requires[i] ?? [];
    const requiredBy = core.requiredBy[i] ?? [];
    const excludes = core.excludes[i] ?? [];
    this.operations += 3 + requires.length + requiredBy.length + excludes.length;
    this.trail.push(i);
    this.chosen[i] = sign === 1 ? 1 : 0;
    this.value += sign * (core.values[i] ?? 0);
    for (let k = 0; k < this.left.length; k++) this.left[k] = (this.left[k] ?? 0) - sign * (core.rows[k]?.[i] ?? 0);
    const g = core.group[i] ?? -1;
    if (g >= 0) this.member[g] = sign === 1 ? i : -1;
    for (const j of requires) this.dependents[j] = (this.dependents[j] ?? 0) + sign;
    for (const j of requiredBy) this.missing[j] = (this.missing[j] ?? 0) - sign;
    for (const j of excludes) this.barred[j] = (this.barred[j] ?? 0) + sign;
  }

  /** Removes an item and all that require it. */
  drop(i: number): void {
    if (this.chosen[i] === 0) return;
    const needed = this.needed(i);
    // First, because items may require each other.
    this.remove(i);
    if (needed) for (const k of this.core.requiredBy[i] ?? []) this.drop(k);
  }

  /**
   * Chooses an item with all that it requires, and drops what stands against them; the rows may be exceeded afterwards. Returns false, and
   * changes nothing, when the item can never be chosen.
   */
  force(i: number): boolean {
    const mark = this.mark();
    const wanted = [i];
    const seen = new Set(wanted);
    for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
      for (const j of this.core.requires[next] ?? []) {
        this.operations++;
        if (!seen.has(j)) wanted.push(j);
        seen.add(j);
      }
    }
    for (const j of seen) this.clear(j);
    for (const j of seen) if (this.chosen[j] === 0) this.add(j);
    for (const j of seen) {
      const g = this.core.group[j] ?? -1;
      if ((this.missing[j] ?? 0) === 0 && (this.barred[j] ?? 0) === 0 && (g < 0 || this.member[g] === j)) continue;
      this.undo(mark);
      return false;
    }
    return true;
  }

  /** Drops the other member of an item's group, and what the item excludes. */
  private clear(i: number): void {
    const rival = this.rival(i);
    if (rival >= 0 && rival !== i) this.drop(rival);
    if ((this.barred[i] ?? 0) > 0) for (const j of this.core.excludes[i] ?? []) this.drop(j);
  }

  /** Returns the room that is left in a row; without a limit in a row that the core lacks. */
  room(k: number): number {
    return this.left[k] ?? Infinity;
  }

  /** Returns whether the links allow item i beside the present choice. */
  open(i: number): boolean {
    return (this.missing[i] ?? 0) === 0 && (this.barred[i] ?? 0) === 0;
  }

  /** Returns the chosen member of the item's group that the item would replace, or −1. */
  rival(i: number): number {
    return this.member[this.core.group[i] ?? -1] ?? -1;
  }

  /**
   * Drops items and adds others in their place and in that of the members of their groups. Returns false, and changes nothing, when the
   * choice would not keep every constraint or would be worth no more.
   */
  exchange(add: readonly number[], drop: readonly number[]): boolean {
    const mark = this.mark();
    const before = this.value;
    for (const j of [...drop, ...add.map((i) => this.rival(i))]) if (j >= 0) this.drop(j);
    for (const i of add) if (this.chosen[i] === 0 && this.canAdd(i)) this.add(i);
    if (this.value > before && !this.exceeds()) return true;
    this.undo(mark);
    return false;
  }

  /** Returns whether a chosen item requires item i. */
  needed(i: number): boolean {
    return (this.dependents[i] ?? 0) > 0;
  }

  exceeds(): boolean {
    for (const left of this.left) if (left < 0) return true;
    return false;
  }

  /** Returns whether item i takes of a row that is exceeded. */
  relieves(i: number): boolean {
    for (let k = 0; k < this.left.length; k++) if ((this.left[k] ?? 0) < 0 && (this.core.rows[k]?.[i] ?? 0) > 0) return true;
    return false;
  }

  canAdd(i: number): boolean {
    if (!this.open(i) || this.rival(i) >= 0) return false;
    for (let k = 0; k < this.left.length; k++) if ((this.core.rows[k]?.[i] ?? 0) > (this.left[k] ?? 0)) return false;
    return true;
  }
}
