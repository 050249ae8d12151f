/**
 * Tightens the time windows of the operations of one machine by rules that every schedule obeys: precedences that the windows force
 * and what they imply for sets of predecessors, and edge finding (Carlier and Pinson 1989; in the O(k²) form of Baptiste and Le Pape
 * 1996). Every rule raises earliest starts; applied to the mirrored times, in which an operation starts at minus its latest end, the
 * same rules lower latest ends.
 */
import { at } from './ints.js';

/** Below every time and its mirror image. */
const never = -2_000_000_000;

/** The operations of a machine seen in one direction of time. */
export interface Side {
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Positions by earliest start, ascending. */
  readonly byStart: Int32Array;
  /** Positions by latest end, descending. */
  readonly byEnd: Int32Array;
  /** The earliest starts that follow; at least `start`. */
  readonly raised: Int32Array;
}

/** The scratch of the rules for machines of up to `most` operations. */
export class OneMachine {
  size = 0;
  readonly duration: Int32Array;
  readonly forward: Side;
  readonly mirror: Side;
  private readonly ends: Int32Array;

  constructor(most: number) {
    const list = (): Int32Array => new Int32Array(most);
    this.duration = list();
    this.ends = list();
    const [rising, falling] = [list(), list()];
    this.forward = { start: list(), end: list(), byStart: rising, byEnd: falling, raised: list() };
    this.mirror = { start: list(), end: list(), byStart: falling, byEnd: rising, raised: list() };
  }

  /** Takes the operation at position `i`. */
  set(i: number, start: number, end: number, duration: number): void {
    this.duration[i] = duration;
    this.forward.start[i] = start;
    this.forward.end[i] = end;
    this.forward.raised[i] = start;
    this.mirror.start[i] = -end;
    this.mirror.end[i] = -start;
    this.mirror.raised[i] = -end;
  }

  /**
   * Applies the rules on pairs and their cheap consequences. `known` holds 1 at `offset` + i · size + j where i precedes j, and receives
   * the precedences that the windows force. Returns false when no schedule fits into the windows.
   */
  order(known: Uint8Array, offset: number): boolean {
    if (!this.detect(known, offset)) return false;
    this.sort(this.forward);
    this.sort(this.mirror);
    this.follow(this.forward, known, offset, this.size, 1);
    this.follow(this.mirror, known, offset, 1, this.size);
    return true;
  }

  /** Applies the rules on sets. Returns false when no schedule fits into the windows. */
  pack(): boolean {
    this.sort(this.forward);
    this.sort(this.mirror);
    return this.findEdges(this.forward) && this.findEdges(this.mirror);
  }

  private sort({ byStart, start }: Side): void {
    for (let s = 0; s < this.size; s++) {
      const key = at(start, s);
      let t = s;
      for (; t > 0 && at(start, at(byStart, t - 1)) > key; t--) byStart[t] = at(byStart, t - 1);
      byStart[t] = s;
    }
  }

  /** Records "j before i" wherever i cannot end in time for j. */
  private detect(known: Uint8Array, offset: number): boolean {
    const { size, duration } = this;
    const { start, end } = this.forward;
    for (let i = 0; i < size; i++) {
      for (let j = i + 1; j < size; j++) {
        const ij = offset + i * size + j;
        const ji = offset + j * size + i;
        const both = at(duration, i) + at(duration, j);
        if (at(start, i) + both > at(end, j)) {
          if (at(start, j) + both > at(end, i) || known[ij] === 1) return false;
          known[ji] = 1;
        } else if (at(start, j) + both > at(end, i)) {
          if (known[ji] === 1) return false;
          known[ij] = 1;
        }
      }
    }
    return true;
  }

  /** Starts every operation after all its known predecessors, which share the machine. */
  private follow({ start, byStart, raised }: Side, known: Uint8Array, offset: number, outer: number, inner: number): void {
    const { size, duration } = this;
    for (let j = 0; j < size; j++) {
      let end = never;
      for (let s = 0; s < size; s++) {
        const i = at(byStart, s);
        if (known[offset + i * outer + j * inner] !== 1) continue;
        const head = at(start, i);
        end = (head > end ? head : end) + at(duration, i);
      }
      if (end > at(raised, j)) raised[j] = end;
    }
  }

  /** Starts an operation after every set of others that it can neither precede nor interrupt. */
  private findEdges({ start, end, byStart, byEnd, raised }: Side): boolean {
    const { size, duration, ends } = this;
    let last = Number.POSITIVE_INFINITY;
    for (let b = 0; b < size; b++) {
      const limit = at(end, at(byEnd, b));
      if (limit === last) continue;
      last = limit;
      let work = 0;
      let whole = never;
      for (let s = size - 1; s >= 0; s--) {
        const i = at(byStart, s);
        if (at(end, i) <= limit) {
          work += at(duration, i);
          if (at(start, i) + work > whole) whole = at(start, i) + work;
          if (whole > limit) return false;
        }
        ends[s] = whole;
      }
      let full = never;
      for (let s = 0; s < size; s++) {
        const i = at(byStart, s);
        if (at(end, i) <= limit) {
          if (at(start, i) + work > full) full = at(start, i) + work;
          work -= at(duration, i);
          continue;
        }
        if (full + at(duration, i) > limit) {
          if (whole > at(raised, i)) raised[i] = whole;
        } else if (work > 0 && at(start, i) + work + at(duration, i) > limit && at(ends, s) > at(raised, i)) {
          raised[i] = at(ends, s);
        }
      }
    }
    return true;
  }
}
