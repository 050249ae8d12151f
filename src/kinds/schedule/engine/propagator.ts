/**
 * The time windows of all operations under a ceiling on the objective, tightened until no rule changes anything: cheap rules first. They are
 * monotone, so the windows at the end do not depend on the order in which machines are visited: whoever applies the same rules finds
 * the same windows, or the same contradiction.
 */
import { at } from './ints.js';
import { OneMachine } from './one-machine.js';
import { type Pairs, pairsOf } from './pairs.js';
import type { Shop } from './shop.js';

/** The windows and the known precedences at one moment. */
export type Windows = Readonly<ReturnType<typeof newWindows>>;

const newWindows = (shop: Shop, pairs: number) => ({
  /** The earliest start of each operation. */
  start: new Int32Array(shop.operations),
  /** The latest end of each operation. */
  end: new Int32Array(shop.operations),
  /** 1 for each pair (`Pairs`) whose first operation is known to precede its second. */
  known: new Uint8Array(pairs),
});

const copy = (from: Windows, to: Windows): void => {
  to.start.set(from.start);
  to.end.set(from.end);
  to.known.set(from.known);
};

export class Propagator {
  readonly pairs: Pairs;
  readonly now: Windows;
  /** Work done so far: k² for each application of the rules on sets to a machine with k operations, a quarter for those on pairs. */
  units = 0;
  /** The work at which the rules stop early. Windows are then valid, but not as tight as they could be. */
  units_max = Number.POSITIVE_INFINITY;
  private readonly saved: Windows[] = [];
  /** The operations by machine (`shop.base`), in the order of their ranks. */
  readonly members: Int32Array;
  private readonly machine: OneMachine;
  /** The machines whose windows changed since the rules on pairs, and since those on sets, were last applied, longest ago first. */
  private readonly unordered = new Set<number>();
  private readonly unpacked = new Set<number>();
  private ceiling = 0;
  /** Whether the last reset or change has emptied a window. */
  private broken = false;

  /** `beat` is called before each visit of a machine and may throw to stop. */
  constructor(
    readonly shop: Shop,
    private readonly beat: (units: number) => void,
  ) {
    this.pairs = pairsOf(shop);
    this.now = newWindows(shop, at(this.pairs.start, shop.machines));
    this.members = new Int32Array(shop.operations);
    let most = 0;
    for (let x = 0; x < shop.operations; x++) {
      const m = at(shop.machineOf, x);
      this.members[at(shop.base, m) + at(this.pairs.rank, x)] = x;
      most = Math.max(most, at(shop.base, m + 1) - at(shop.base, m));
    }
    this.machine = new OneMachine(most);
  }

  /** Opens every window as far as an objective of at most `ceiling` allows; returns whether the rules leave any schedule. */
  reset(ceiling: number): boolean {
    const { shop, now } = this;
    this.ceiling = ceiling;
    this.broken = false;
    this.clearQueues();
    now.known.fill(0);
    const horizon = shop.objective === 'makespan' ? ceiling : horizonOf(shop);
    for (let j = 0; j < shop.jobs; j++) {
      let head = at(shop.release, j);
      for (let x = at(shop.first, j); x < at(shop.first, j + 1); x++) {
        now.start[x] = head;
        head += at(shop.duration, x);
        for (let y = at(shop.first, j); y < x; y++) {
          if (at(shop.machineOf, y) === at(shop.machineOf, x)) now.known[at(this.pairs.row, y) + at(this.pairs.rank, x)] = 1;
        }
      }
      let tail = horizon;
      for (let x = at(shop.first, j + 1) - 1; x >= at(shop.first, j); x--) {
        now.end[x] = tail;
        tail -= at(shop.duration, x);
        if (at(now.start, x) > tail) return false;
      }
    }
    for (let m = 0; m < shop.machines; m++) this.enqueue(m);
    return this.settle();
  }

  /** Puts `a` before `b` on their machine; returns whether the rules leave any schedule. */
  decide(a: number, b: number): boolean {
    const { now, shop } = this;
    now.known[this.pair(a, b)] = 1;
    this.enqueue(at(shop.machineOf, a));
    this.raise(b, at(now.start, a) + at(shop.duration, a));
    this.lower(a, at(now.end, b) - at(shop.duration, b));
    return this.settle();
  }

  pair(a: number, b: number): number {
    return at(this.pairs.row, a) + at(this.pairs.rank, b);
  }

  /** Whether the order of the two is known. */
  isKnown(a: number, b: number): boolean {
    const { known } = this.now;
    return known[this.pair(a, b)] === 1 || known[this.pair(b, a)] === 1;
  }

  /** Keeps the windows under the number `depth`. */
  save(depth: number): void {
    const kept = (this.saved[depth] ??= newWindows(this.shop, this.now.known.length));
    copy(this.now, kept);
  }

  /** Takes back the windows kept under `depth`. */
  restore(depth: number): void {
    const kept = this.saved[depth];
    if (kept !== undefined) copy(kept, this.now);
  }

  isSpent(): boolean {
    return this.units >= this.units_max;
  }

  private settle(): boolean {
    while (!this.broken && !this.isSpent()) {
      const [cheap] = this.unordered;
      const [dear] = this.unpacked;
      if (cheap !== undefined) this.visit(cheap, false);
      else if (dear !== undefined) this.visit(dear, true);
      else if (this.shop.objective === 'makespan' || !this.limitTardiness()) break;
    }
    const { broken } = this;
    this.broken = false;
    if (broken || this.isSpent()) this.clearQueues();
    return !broken;
  }

  /** Applies the rules on sets to a machine, or else those on pairs. */
  private visit(m: number, onSets: boolean): void {
    const { shop, now, machine, members } = this;
    (onSets ? this.unpacked : this.unordered).delete(m);
    const base = at(shop.base, m);
    const size = at(shop.base, m + 1) - base;
    machine.size = size;
    this.units += onSets ? size * size : Math.ceil((size * size) / 4);
    this.beat(this.units);
    for (let i = 0; i < size; i++) {
      const x = at(members, base + i);
      machine.set(i, at(now.start, x), at(now.end, x), at(shop.duration, x));
    }
    if (!(onSets ? machine.pack() : machine.order(now.known, at(this.pairs.start, m)))) {
      this.broken = true;
      return;
    }
    for (let i = 0; i < size; i++) {
      const x = at(members, base + i);
      this.raise(x, at(machine.forward.raised, i));
      this.lower(x, -at(machine.mirror.raised, i));
    }
  }

  /** Starts `x` no earlier than `time`, and its job's later operations after it. */
  private raise(x: number, time: number): void {
    const { now, shop } = this;
    for (let y = x, start = time; y < shop.operations && start > at(now.start, y); y = at(shop.after, y)) {
      now.start[y] = start;
      start += at(shop.duration, y);
      if (start > at(now.end, y)) this.broken = true;
      this.enqueue(at(shop.machineOf, y));
    }
  }

  /** Ends `x` no later than `time`, and its job's earlier operations before it. */
  private lower(x: number, time: number): void {
    const { now, shop } = this;
    for (let y = x, end = time; y < shop.operations && end < at(now.end, y); y = at(shop.before, y)) {
      now.end[y] = end;
      end -= at(shop.duration, y);
      if (end < at(now.start, y)) this.broken = true;
      this.enqueue(at(shop.machineOf, y));
    }
  }

  /** Ends every job no later than the ceiling leaves room for, given what the others cost at least; returns whether that changed any. */
  private limitTardiness(): boolean {
    const { shop, now, ceiling } = this;
    const cost = (j: number): number => {
      const last = at(shop.first, j + 1) - 1;
      const late = at(now.start, last) + at(shop.duration, last) - at(shop.due, j);
      return at(shop.due, j) < 0 || late <= 0 ? 0 : late * at(shop.weight, j);
    };
    let least = 0;
    for (let j = 0; j < shop.jobs; j++) least += cost(j);
    if (least > ceiling) this.broken = true;
    for (let j = 0; j < shop.jobs && !this.broken; j++) {
      if (at(shop.due, j) < 0 || at(shop.weight, j) === 0) continue;
      const room = Math.floor((ceiling - least + cost(j)) / at(shop.weight, j));
      this.lower(at(shop.first, j + 1) - 1, at(shop.due, j) + room);
    }
    return this.broken || this.unordered.size > 0;
  }

  private enqueue(m: number): void {
    this.unordered.add(m);
    this.unpacked.add(m);
  }

  private clearQueues(): void {
    this.unordered.clear();
    this.unpacked.clear();
  }
}

/** Returns the latest end in a schedule without needless waiting: the last release plus all durations. */
function horizonOf(shop: Shop): number {
  const work = shop.duration.reduce((sum, duration) => sum + duration, 0);
  return work + shop.release.reduce((latest, release) => Math.max(latest, release), 0);
}
