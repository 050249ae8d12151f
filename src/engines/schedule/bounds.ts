/**
 * Lower bounds that any solver can recompute.
 *
 * Jobs: a job ends no earlier than its release plus its durations. Machines: Jackson's preemptive schedule of one machine's
 * operations with heads (release and work before) and tails (work after) bounds the latest completion (Carlier 1982).
 */
import { at } from './ints.js';
import type { Shop } from './shop.js';

interface Task {
  readonly head: number;
  readonly duration: number;
  /** Work after the machine; minus the due date when lateness is bounded. */
  readonly tail: number;
}

/** The bound on the mission's objective. */
export const lowerBound = (shop: Shop): number => (shop.objective === 'makespan' ? makespanBound(shop) : tardinessBound(shop));

const never = (): boolean => false;

function makespanBound(shop: Shop): number {
  let bound = 0;
  for (let j = 0; j < shop.jobs; j++) bound = Math.max(bound, earliestEnd(shop, j));
  for (const tasks of tasksByMachine(shop, () => 0, never)) bound = Math.max(bound, jackson(tasks));
  return bound;
}

/**
 * Each job's own lateness b costs Σ w·max(0, b). On a machine some job of those with a due date and a weight is late by at
 * least Jackson's bound L, which adds at least the smallest w·max(0, L − max(0, b)) among the machine's jobs.
 */
function tardinessBound(shop: Shop): number {
  const own = Array.from({ length: shop.jobs }, (_, j) => Math.max(0, earliestEnd(shop, j) - at(shop.due, j)));
  const idle = (j: number): boolean => at(shop.due, j) < 0 || at(shop.weight, j) === 0;
  let sum = 0;
  for (let j = 0; j < shop.jobs; j++) if (!idle(j)) sum += (own[j] ?? 0) * at(shop.weight, j);
  const lateness = tasksByMachine(shop, (j) => -at(shop.due, j), idle).map(jackson);
  const least = new Float64Array(shop.machines).fill(Number.POSITIVE_INFINITY);
  for (let x = 0; x < shop.operations; x++) {
    const j = at(shop.jobOf, x);
    const m = at(shop.machineOf, x);
    if (idle(j)) continue;
    const added = at(shop.weight, j) * Math.max(0, (lateness[m] ?? 0) - (own[j] ?? 0));
    least[m] = Math.min(least[m] ?? 0, added);
  }
  const most = least.reduce((largest, added) => (Number.isFinite(added) ? Math.max(largest, added) : largest), 0);
  return sum + most;
}

function earliestEnd(shop: Shop, job: number): number {
  let end = at(shop.release, job);
  for (let x = at(shop.first, job); x < at(shop.first, job + 1); x++) end += at(shop.duration, x);
  return end;
}

/** The operations of each machine with heads and tails, those of jobs that `skip` names left out. */
function tasksByMachine(shop: Shop, lastTail: (job: number) => number, skip: (job: number) => boolean): Task[][] {
  const lists: Task[][] = Array.from({ length: shop.machines }, () => []);
  for (let j = 0; j < shop.jobs; j++) {
    if (skip(j)) continue;
    let head = at(shop.release, j);
    let tail = earliestEnd(shop, j) - head + lastTail(j);
    for (let x = at(shop.first, j); x < at(shop.first, j + 1); x++) {
      const duration = at(shop.duration, x);
      tail -= duration;
      lists[at(shop.machineOf, x)]?.push({ head, duration, tail });
      head += duration;
    }
  }
  return lists;
}

/**
 * Jackson's preemptive schedule: of the tasks that are ready the one with the longest tail runs, until it ends or another is
 * ready. Largest completion + tail; minus infinity for no tasks. A binary heap holds the ready tasks: O(n log n).
 */
export function jackson(tasks: readonly Task[]): number {
  const byHead = [...tasks].sort((a, b) => a.head - b.head);
  const ready = new TailHeap(tasks.length);
  let worst = Number.NEGATIVE_INFINITY;
  let now = 0;
  let i = 0;
  while (i < byHead.length || ready.size > 0) {
    if (ready.size === 0) now = Math.max(now, byHead[i]?.head ?? now);
    for (let task = byHead[i]; task !== undefined && task.head <= now; task = byHead[++i]) ready.push(task.tail, task.duration);
    const until = byHead[i]?.head ?? Number.POSITIVE_INFINITY;
    const run = Math.min(ready.topWork(), until - now);
    now += run;
    if (ready.work(run)) worst = Math.max(worst, now + ready.pop());
  }
  return worst;
}

/** A max-heap of tails with the work left of each. */
class TailHeap {
  size = 0;
  private readonly tails: Float64Array;
  private readonly left: Float64Array;

  constructor(capacity: number) {
    this.tails = new Float64Array(capacity);
    this.left = new Float64Array(capacity);
  }

  push(tail: number, work: number): void {
    let i = this.size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((this.tails[parent] ?? 0) >= tail) break;
      this.copy(parent, i);
      i = parent;
    }
    this.tails[i] = tail;
    this.left[i] = work;
  }

  topWork(): number {
    return this.left[0] ?? 0;
  }

  /** Does `run` units of the top task's work; true when it is finished. */
  work(run: number): boolean {
    this.left[0] = this.topWork() - run;
    return this.left[0] === 0;
  }

  /** Removes the top task and returns its tail. */
  pop(): number {
    const top = this.tails[0] ?? 0;
    const last = --this.size;
    const tail = this.tails[last] ?? 0;
    const work = this.left[last] ?? 0;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= last) break;
      if (child + 1 < last && (this.tails[child + 1] ?? 0) > (this.tails[child] ?? 0)) child++;
      if ((this.tails[child] ?? 0) <= tail) break;
      this.copy(child, i);
      i = child;
    }
    this.tails[i] = tail;
    this.left[i] = work;
    return top;
  }

  private copy(source: number, target: number): void {
    this.tails[target] = this.tails[source] ?? 0;
    this.left[target] = this.left[source] ?? 0;
  }
}
