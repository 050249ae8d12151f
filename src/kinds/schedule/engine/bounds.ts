/**
 * Lower bounds that any solver can recompute, from single jobs and single machines.
 *
 * A job ends no earlier than its release plus its durations. A machine does one operation at a time, so the preemptive schedules
 * of its operations with heads (release and work before) and tails (work after) bound its schedules.
 */
import { at } from './ints.js';
import { jackson, type Task } from './preemptive.js';
import type { Shop } from './shop.js';
import { tardinessSumBound } from './tardiness-sum.js';

/** Returns the bound on the mission's objective. */
export const lowerBound = (shop: Shop): number =>
  shop.objective === 'makespan' ? makespanBound(shop) : Math.max(latenessBound(shop), tardinessSumBound(shop));

function makespanBound(shop: Shop): number {
  const jobs = Array.from({ length: shop.jobs }, (_, j) => earliestEnd(shop, j));
  const machines = tasksByMachine(
    shop,
    () => 0,
    () => false,
  ).map(jackson);
  return [...jobs, ...machines].reduce((bound, one) => Math.max(bound, one), 0);
}

/**
 * Returns the bound from lateness. Each job's own lateness b costs Σ w·max(0, b). On a machine some job among those with a due
 * date and a weight is late by at least Jackson's bound L, which adds at least the smallest w·max(0, L − max(0, b)) among the
 * machine's jobs.
 */
function latenessBound(shop: Shop): number {
  const own = Array.from({ length: shop.jobs }, (_, j) => Math.max(0, earliestEnd(shop, j) - at(shop.due, j)));
  const idle = (j: number): boolean => at(shop.due, j) < 0 || at(shop.weight, j) === 0;
  const sum = own.reduce((total, late, j) => (idle(j) ? total : total + late * at(shop.weight, j)), 0);
  const lateness = tasksByMachine(shop, (j) => -at(shop.due, j), idle).map(jackson);
  const least = new Float64Array(shop.machines).fill(Number.POSITIVE_INFINITY);
  for (let x = 0; x < shop.operations; x++) {
    const j = at(shop.jobOf, x);
    const m = at(shop.machineOf, x);
    if (idle(j)) continue;
    const added = at(shop.weight, j) * Math.max(0, (lateness[m] ?? 0) - (own[j] ?? 0));
    least[m] = Math.min(least[m] ?? 0, added);
  }
  return sum + least.reduce((largest, added) => (Number.isFinite(added) ? Math.max(largest, added) : largest), 0);
}

function earliestEnd(shop: Shop, job: number): number {
  let end = at(shop.release, job);
  for (let x = at(shop.first, job); x < at(shop.first, job + 1); x++) end += at(shop.duration, x);
  return end;
}

/** Returns the operations of each machine with heads and tails, without those of jobs that `skip` names. */
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
