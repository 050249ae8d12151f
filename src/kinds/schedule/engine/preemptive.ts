/** Two preemptive schedules of one machine that bound every schedule of it. */
import { TaskHeap } from './task-heap.js';

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
