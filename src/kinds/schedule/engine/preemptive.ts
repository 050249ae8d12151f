/** Two preemptive schedules of one machine that bound every schedule of it. */

/** A max-heap of tasks by priority with the work left of each: the ready queue of a preemptive one-machine schedule. */
class TaskHeap {
  size = 0;
  private readonly priorities: Float64Array;
  private readonly left: Float64Array;

  constructor(capacity: number) {
    this.priorities = new Float64Array(capacity);
    this.left = new Float64Array(capacity);
  }

  push(priority: number, work: number): void {
    let i = this.size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((this.priorities[parent] ?? 0) >= priority) break;
      this.copy(parent, i);
      i = parent;
    }
    this.priorities[i] = priority;
    this.left[i] = work;
  }

  topWork(): number {
    return this.left[0] ?? 0;
  }

  /** Does `run` units of the top task's work and raises its priority by `raise` ≥ 0, so it stays on top; true when finished. */
  work(run: number, raise: number): boolean {
    this.left[0] = this.topWork() - run;
    this.priorities[0] = (this.priorities[0] ?? 0) + raise;
    return this.left[0] === 0;
  }

  /** Removes the top task and returns its priority. */
  pop(): number {
    const top = this.priorities[0] ?? 0;
    const last = --this.size;
    const priority = this.priorities[last] ?? 0;
    const work = this.left[last] ?? 0;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= last) break;
      if (child + 1 < last && (this.priorities[child + 1] ?? 0) > (this.priorities[child] ?? 0)) child++;
      if ((this.priorities[child] ?? 0) <= priority) break;
      this.copy(child, i);
      i = child;
    }
    this.priorities[i] = priority;
    this.left[i] = work;
    return top;
  }

  private copy(source: number, target: number): void {
    this.priorities[target] = this.priorities[source] ?? 0;
    this.left[target] = this.left[source] ?? 0;
  }
}

export interface Task {
  /** Earliest start. */
  readonly head: number;
  readonly duration: number;
  /** The work that follows on other machines; minus the due date where lateness is bounded. */
  readonly tail: number;
}

/** The order in which tasks run, and the handling of a finished task. */
interface Discipline {
  readonly priority: (task: Task) => number;
  /** The priority gained for each unit of work done. */
  readonly raise: number;
  readonly finish: (priority: number, now: number) => void;
}

/**
 * Jackson's preemptive schedule: among the ready tasks the one with the longest tail runs, until it ends or another is ready.
 * Returns the largest completion + tail, minus infinity for no tasks (Carlier 1982). O(n log n).
 */
export function jackson(tasks: readonly Task[]): number {
  let worst = Number.NEGATIVE_INFINITY;
  const finish = (tail: number, now: number): void => {
    worst = Math.max(worst, now + tail);
  };
  simulate(tasks, { priority: (task) => task.tail, raise: 0, finish });
  return worst;
}

/**
 * Returns the completions, ascending, when the task with the least work left always runs: no schedule completes its k-th task
 * before the k-th of them, for any k (Schrage 1968). O(n log n).
 */
export function shortestFirst(tasks: readonly Task[]): number[] {
  const completions: number[] = [];
  simulate(tasks, { priority: (task) => -task.duration, raise: 1, finish: (_, now) => completions.push(now) });
  return completions;
}

function simulate(tasks: readonly Task[], discipline: Discipline): void {
  const byHead = [...tasks].sort((a, b) => a.head - b.head);
  const ready = new TaskHeap(tasks.length);
  let now = 0;
  let i = 0;
  while (i < byHead.length || ready.size > 0) {
    if (ready.size === 0) now = Math.max(now, byHead[i]?.head ?? now);
    for (let task = byHead[i]; task !== undefined && task.head <= now; task = byHead[++i]) {
      ready.push(discipline.priority(task), task.duration);
    }
    const run = Math.min(ready.topWork(), (byHead[i]?.head ?? Number.POSITIVE_INFINITY) - now);
    now += run;
    if (ready.work(run, run * discipline.raise)) discipline.finish(ready.pop(), now);
  }
}
