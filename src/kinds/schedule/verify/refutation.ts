/**
 * Follows the tree of a refutation: that no schedule keeps the objective within a ceiling. The tree is a text in preorder: `.` for a
 * leaf, where the windows must contradict each other; or two operations of one machine, then the subtree in which the first precedes
 * the second, then the one in which it follows. Operations are numbered in the mission's order and written in base 64.
 */
import type { TimedWork } from '../work.js';
import { headsAfterPredecessors, headsAfterSets, orderPairs, reversed, type Tasks } from './one-machine.js';

// The verifier's own time windows: what the order within jobs, single machines and the objective's ceiling leave of
// every operation's start and end. It knows nothing of the engine's search; it only draws conclusions from decisions
// that it is told.

interface Machine {
  /** The numbers of its operations, in the mission's order. */
  readonly operations: readonly number[];
  readonly tasks: Tasks;
}

/** An operation's machine and its place among that machine's operations. */
interface Seat {
  readonly machine: number;
  readonly place: number;
}

interface Snapshot {
  readonly head: Float64Array;
  readonly tail: Float64Array;
  /** The table of known precedences of each machine (`Tasks.first`). */
  readonly first: readonly Uint8Array[];
}

export class Windows {
  /** Work done so far: k² whenever a machine with k operations is visited. */
  units = 0;
  private readonly machines: Machine[] = [];
  private readonly seats: Seat[] = [];
  /** Each operation's job, duration, and heads and tails now. */
  private readonly jobOf: number[] = [];
  private readonly work: number[] = [];
  private readonly head: Float64Array;
  private readonly tail: Float64Array;
  private readonly horizon: number;
  /** The first operation of each job; one entry more than jobs. */
  private readonly firsts: number[] = [0];
  /** The machines to look at again: at pairs first, then at sets. */
  private readonly waiting = new Set<number>();
  private readonly waitingForSets = new Set<number>();
  private fits = true;

  constructor(
    private readonly mission: TimedWork,
    private readonly ceiling: number,
    /** The work after which no more conclusions are drawn. */
    private readonly units_max: number,
  ) {
    this.number();
    this.head = new Float64Array(this.work.length);
    this.tail = new Float64Array(this.work.length);
    const longest = this.work.reduce((sum, work) => sum + work, 0);
    const latest = mission.jobs.reduce((most, job) => Math.max(most, job.release), 0);
    this.horizon = mission.objective === 'makespan' ? ceiling : latest + longest;
  }

  get operations(): number {
    return this.work.length;
  }

  /** The bytes that a snapshot takes, about. */
  get bytes(): number {
    return this.machines.reduce((sum, machine) => sum + machine.tasks.first.length, 16 * this.work.length);
  }

  /** Draws the first conclusions; false when there is no schedule within the ceiling. */
  open(): boolean {
    for (const [j, job] of this.mission.jobs.entries()) {
      let head = job.release;
      let tail = 0;
      const [from, to] = [this.firsts[j] ?? 0, this.firsts[j + 1] ?? 0];
      for (let x = from; x < to; x++) {
        this.head[x] = head;
        head += this.work[x] ?? 0;
        for (let y = from; y < x; y++) this.order(y, x);
      }
      for (let x = to - 1; x >= from; x--) {
        this.tail[x] = tail;
        tail += this.work[x] ?? 0;
      }
      if (head > this.horizon) this.fits = false;
    }
    for (let m = 0; m < this.machines.length; m++) this.look(m);
    return this.conclude();
  }

  isRivalOf(a: number, b: number): boolean {
    return a !== b && this.seats[a] !== undefined && this.seats[a]?.machine === this.seats[b]?.machine;
  }

  /** Puts `a` before `b`, two operations of one machine, and draws the conclusions; false when no schedule is left. */
  decide(a: number, b: number): boolean {
    this.order(a, b);
    this.look(this.seats[a]?.machine ?? 0);
    return this.conclude();
  }

  snapshot(): Snapshot {
    return {
      head: this.head.slice(),
      tail: this.tail.slice(),
      first: this.machines.map(({ tasks }) => tasks.first.slice()),
    };
  }

  restore(from: Snapshot): void {
    this.head.set(from.head);
    this.tail.set(from.tail);
    for (const [m, { tasks }] of this.machines.entries()) {
      const size = tasks.head.length;
      tasks.first.set(from.first[m] ?? []);
      for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) tasks.second[j * size + i] = tasks.first[i * size + j] ?? 0;
    }
  }

  private number(): void {
    const numbers = new Map<string, number>();
    const lists: number[][] = [];
    for (const [j, job] of this.mission.jobs.entries()) {
      for (const { machine, duration } of job.operations) {
        const m = numbers.get(machine) ?? numbers.size;
        numbers.set(machine, m);
        const list = (lists[m] ??= []);
        this.seats.push({ machine: m, place: list.length });
        list.push(this.work.length);
        this.work.push(duration);
        this.jobOf.push(j);
      }
      this.firsts.push(this.work.length);
    }
    for (const operations of lists) {
      const size = operations.length;
      const table = (): Uint8Array => new Uint8Array(size * size);
      const work = Float64Array.from(operations, (x) => this.work[x] ?? 0);
      const [head, tail] = [new Float64Array(size), new Float64Array(size)];
      const [byHead, byTail] = [Int32Array.from(operations.keys()), Int32Array.from(operations.keys())];
      this.machines.push({ operations, tasks: { head, tail, work, first: table(), second: table(), byHead, byTail } });
    }
  }

  private order(a: number, b: number): void {
    const [one, other] = [this.seats[a], this.seats[b]];
    if (one === undefined || other === undefined || one.machine !== other.machine) return;
    const tasks = this.machines[one.machine]?.tasks;
    if (tasks === undefined) return;
    const size = tasks.head.length;
    tasks.first[one.place * size + other.place] = 1;
    tasks.second[other.place * size + one.place] = 1;
  }

  /** Visits machines until none learns anything new; sets of tasks only while pairs tell nothing. */
  private conclude(): boolean {
    while (this.fits && this.units <= this.units_max) {
      const [pairs] = this.waiting;
      const [sets] = this.waitingForSets;
      if (pairs !== undefined) this.visit(pairs, false);
      else if (sets !== undefined) this.visit(sets, true);
      else if (this.mission.objective === 'makespan' || !this.limitTardiness()) break;
    }
    const { fits } = this;
    this.fits = true;
    this.waiting.clear();
    this.waitingForSets.clear();
    return fits;
  }

  private visit(m: number, onSets: boolean): void {
    (onSets ? this.waitingForSets : this.waiting).delete(m);
    const machine = this.machines[m];
    if (machine === undefined) return;
    const { operations, tasks } = machine;
    this.units += tasks.first.length;
    for (let i = 0; i < operations.length; i++) {
      tasks.head[i] = this.head[operations[i] ?? 0] ?? 0;
      tasks.tail[i] = this.tail[operations[i] ?? 0] ?? 0;
    }
    if (!onSets && !orderPairs(tasks, this.horizon)) this.fits = false;
    if (!this.fits) return;
    const heads = onSets ? headsAfterSets(tasks, this.horizon) : headsAfterPredecessors(tasks);
    const tails = onSets ? headsAfterSets(reversed(tasks), this.horizon) : headsAfterPredecessors(reversed(tasks));
    if (heads === null || tails === null) {
      this.fits = false;
      return;
    }
    for (let i = 0; i < operations.length; i++) {
      this.delay(operations[i] ?? 0, heads[i] ?? 0);
      this.lengthenTail(operations[i] ?? 0, tails[i] ?? 0);
    }
  }

  private delay(x: number, time: number): void {
    const last = this.firsts[(this.jobOf[x] ?? 0) + 1] ?? 0;
    let head = time;
    for (let y = x; y < last && head > (this.head[y] ?? 0); y++) {
      this.head[y] = head;
      this.note(y);
      head += this.work[y] ?? 0;
    }
  }

  private lengthenTail(x: number, time: number): void {
    const first = this.firsts[this.jobOf[x] ?? 0] ?? 0;
    let tail = time;
    for (let y = x; y >= first && tail > (this.tail[y] ?? 0); y--) {
      this.tail[y] = tail;
      this.note(y);
      tail += this.work[y] ?? 0;
    }
  }

  private note(x: number): void {
    if ((this.head[x] ?? 0) + (this.work[x] ?? 0) + (this.tail[x] ?? 0) > this.horizon) this.fits = false;
    this.look(this.seats[x]?.machine ?? 0);
  }

  private look(m: number): void {
    this.waiting.add(m);
    this.waitingForSets.add(m);
  }

  /** No job may cost more than the ceiling leaves after the least costs of the others; returns whether that tells anything new. */
  private limitTardiness(): boolean {
    const { jobs } = this.mission;
    const least = jobs.map((job, j) => {
      const x = (this.firsts[j + 1] ?? 0) - 1;
      const late = (this.head[x] ?? 0) + (this.work[x] ?? 0) - (job.due ?? Number.POSITIVE_INFINITY);
      return late > 0 ? late * job.weight : 0;
    });
    const total = least.reduce((sum, floor) => sum + floor, 0);
    if (total > this.ceiling) this.fits = false;
    for (const [j, job] of jobs.entries()) {
      if (!this.fits || job.due === undefined || job.weight === 0) continue;
      const latest = job.due + Math.floor((this.ceiling - total + (least[j] ?? 0)) / job.weight);
      this.lengthenTail((this.firsts[j + 1] ?? 0) - 1, this.horizon - latest);
    }
    return !this.fits || this.waiting.size > 0;
  }
}

/** The work that following a tree may take (`Windows.units`), and the memory of the nodes above the current one. */
export interface Allowance {
  readonly units: number;
  readonly bytes: number;
}

interface Node {
  readonly a: number;
  readonly b: number;
  /** The windows before the decision; null below a contradiction. */
  readonly before: Snapshot | null;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

/** Returns why the tree does not show that every schedule exceeds `ceiling`, or null when it does. */
export function refutationFault(work: TimedWork, ceiling: number, tree: string, allowance: Allowance): string | null {
  const windows = new Windows(work, ceiling, allowance.units);
  const width = digitsFor(windows.operations);
  const open: Node[] = [];
  let fits = windows.open();
  for (let at = 0; ; ) {
    if (windows.units > allowance.units) return 'the certificate takes too much work to check';
    if (tree[at] === '.') {
      if (fits) return `the certificate does not refute its branch at character ${at}`;
      at++;
      const node = open.pop();
      if (node === undefined) return at === tree.length ? null : 'the certificate continues after its tree';
      if (node.before === null) continue;
      windows.restore(node.before);
      fits = windows.decide(node.b, node.a);
      continue;
    }
    const a = read(tree, at, width);
    const b = read(tree, at + width, width);
    if (!windows.isRivalOf(a, b)) return `the certificate names no two operations of a machine at character ${at}`;
    at += 2 * width;
    if ((open.length + 1) * windows.bytes > allowance.bytes) return 'the certificate takes too much memory to check';
    open.push({ a, b, before: fits ? windows.snapshot() : null });
    if (fits) fits = windows.decide(a, b);
  }
}

/** Returns the number of digits of the largest operation's number. */
function digitsFor(operations: number): number {
  let digits = 0;
  for (let reach = 1; reach < operations; reach *= 64) digits++;
  return digits;
}

/** Returns the number written at `from`, or −1 when there is none. */
function read(tree: string, from: number, width: number): number {
  let value = 0;
  for (let i = from; i < from + width; i++) {
    const digit = i < tree.length ? alphabet.indexOf(tree.charAt(i)) : -1;
    if (digit < 0) return -1;
    value = value * 64 + digit;
  }
  return value;
}
