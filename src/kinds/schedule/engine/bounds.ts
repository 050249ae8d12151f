/**
 * Lower bounds that any solver can recompute, from single jobs and single machines.
 *
 * A job ends no earlier than its release plus its durations. A machine does one operation at a time, so the preemptive schedules
 * of its operations with heads (release and work before) and tails (work after) bound its schedules.
 */
import { at } from './ints.js';
import type { Shop } from './shop.js';

interface Task {
  /** Earliest start. */
  readonly head: number;
  readonly duration: number;
  /** The work that follows on other machines. */
  readonly tail: number;
}

/**
 * Jackson's preemptive schedule: among the ready tasks the one with the longest tail runs, until it ends or another is ready.
 * Returns the largest completion + tail, minus infinity for no tasks (Carlier 1982).
 */
function jackson(tasks: readonly Task[]): number {
  let worst = Number.NEGATIVE_INFINITY;
  const finish = (now: number, { tail }: Task): void => {
    worst = Math.max(worst, now + tail);
  };
  preempt(tasks, ({ tail }) => tail, finish);
  return worst;
}

/**
 * Returns the completions, ascending, when the task with the least work left always runs: no schedule completes its k-th task
 * before the k-th of them, for any k (Schrage 1968).
 */
function shortestFirst(tasks: readonly Task[]): number[] {
  const completions: number[] = [];
  preempt(
    tasks,
    (_, left) => -left,
    (now) => completions.push(now),
  );
  return completions;
}

/** Runs tasks on one machine, always the ready one of the highest priority, which work on a task must not lower. */
function preempt(
  tasks: readonly Task[],
  priority: (task: Task, left: number) => number,
  finish: (now: number, task: Task) => void,
): void {
  const byHead = tasks.toSorted((a, b) => a.head - b.head);
  /** The ready tasks by priority; the last one runs. */
  const ready: { readonly task: Task; left: number }[] = [];
  let now = 0;
  const workUntil = (time: number): void => {
    for (let top = ready.at(-1); top !== undefined && now < time; top = ready.at(-1)) {
      const run = Math.min(top.left, time - now);
      now += run;
      top.left -= run;
      if (top.left > 0) continue;
      ready.pop();
      finish(now, top.task);
    }
  };
  for (const task of byHead) {
    workUntil(task.head);
    now = Math.max(now, task.head);
    const own = priority(task, task.duration);
    const place = ready.findIndex(({ task: other, left }) => priority(other, left) >= own);
    ready.splice(place < 0 ? ready.length : place, 0, { task, left: task.duration });
  }
  workUntil(Number.POSITIVE_INFINITY);
}

// A bound on Σ w·T from what one machine can complete, weight by weight. With the distinct weights v1 < v2 < … the
// objective is Σ (v_i − v_{i−1}) · (Σ T of the jobs of weight v_i or more), and each inner sum is bounded alone. A
// job's operations on a machine count as one task from the first's head; it leaves the machine at some place k, no
// earlier than the k-th completion C_k of the shortest-remaining-first schedule, and is late by at least max(b, C_k +
// tail − due), b being its own lateness. That is max(floor, C_k) − spare with spare = due − tail and floor = spare + b;
// as max is submodular, floors and completions matched in ascending order cost least.

/** The operations of one job on one machine; `tail` is unused. */
interface Stay extends Task {
  readonly weight: number;
  readonly own: number;
  readonly spare: number;
}

/** Returns the largest machine's bound for each weight, summed. O(weights · operations · log). */
function tardinessSumBound(shop: Shop, beat: () => void): number {
  const jobs = Array.from({ length: shop.jobs }, (_, j) => ({ weight: at(shop.weight, j), own: ownLateness(shop, j) }));
  const dated = jobs.filter((job, j) => at(shop.due, j) >= 0 && job.weight > 0);
  const weights = [...new Set(dated.map((job) => job.weight))].sort((a, b) => a - b);
  const machines = staysByMachine(shop);
  let bound = 0;
  let below = 0;
  for (const weight of weights) {
    beat();
    const own = dated.reduce((sum, job) => (job.weight >= weight ? sum + job.own : sum), 0);
    const added = machines.reduce((most, stays) => Math.max(most, addedBy(stays, weight)), 0);
    bound += (weight - below) * (own + added);
    below = weight;
  }
  return bound;
}

/** Returns how much a machine adds to the own lateness of its jobs of at least `weight`. */
function addedBy(stays: readonly Stay[], weight: number): number {
  const heavy = stays.filter((stay) => stay.weight >= weight);
  const completions = shortestFirst(heavy);
  const floors = heavy.map((stay) => stay.spare + stay.own).sort((a, b) => a - b);
  return completions.reduce((sum, completion, k) => sum + Math.max(0, completion - (floors[k] ?? 0)), 0);
}

const ownLateness = (shop: Shop, job: number): number => Math.max(0, earliestEnd(shop, job) - at(shop.due, job));

/** Returns one stay for each machine that a job with due date and weight visits. */
function staysByMachine(shop: Shop): Stay[][] {
  const machines: Stay[][] = Array.from({ length: shop.machines }, () => []);
  for (let j = 0; j < shop.jobs; j++) {
    const weight = at(shop.weight, j);
    if (at(shop.due, j) < 0 || weight === 0) continue;
    const own = ownLateness(shop, j);
    for (const [m, stay] of visits(shop, j)) machines[m]?.push({ ...stay, weight, own });
  }
  return machines;
}

/** Returns the head, total work and spare of a job on each machine that it visits. */
function visits(shop: Shop, job: number): Map<number, Task & { readonly spare: number }> {
  const found = new Map<number, Task & { readonly spare: number }>();
  const end = at(shop.first, job + 1);
  let before = at(shop.release, job);
  let after = earliestEnd(shop, job) - before;
  for (let x = at(shop.first, job); x < end; x++) {
    const duration = at(shop.duration, x);
    const known = found.get(at(shop.machineOf, x));
    after -= duration;
    found.set(at(shop.machineOf, x), {
      head: known?.head ?? before,
      duration: (known?.duration ?? 0) + duration,
      tail: 0,
      spare: at(shop.due, job) - after,
    });
    before += duration;
  }
  return found;
}

/** Returns the bound on the mission's objective. `beat` is called for each weight, of which a large shop may have as many as jobs. */
export const lowerBound = (shop: Shop, beat: () => void = () => {}): number =>
  shop.objective === 'makespan' ? makespanBound(shop) : tardinessSumBound(shop, beat);

function makespanBound(shop: Shop): number {
  const jobs = Array.from({ length: shop.jobs }, (_, j) => earliestEnd(shop, j));
  const machines = tasksByMachine(shop).map(jackson);
  return [...jobs, ...machines].reduce((bound, floor) => Math.max(bound, floor), 0);
}

function earliestEnd(shop: Shop, job: number): number {
  let end = at(shop.release, job);
  for (let x = at(shop.first, job); x < at(shop.first, job + 1); x++) end += at(shop.duration, x);
  return end;
}

/** Returns the operations of each machine with heads and tails. */
function tasksByMachine(shop: Shop): Task[][] {
  const lists: Task[][] = Array.from({ length: shop.machines }, () => []);
  for (let j = 0; j < shop.jobs; j++) {
    let head = at(shop.release, j);
    let tail = earliestEnd(shop, j) - head;
    for (let x = at(shop.first, j); x < at(shop.first, j + 1); x++) {
      const duration = at(shop.duration, x);
      tail -= duration;
      lists[at(shop.machineOf, x)]?.push({ head, duration, tail });
      head += duration;
    }
  }
  return lists;
}
