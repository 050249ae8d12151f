/**
 * The verifier's own bound on a sum of weighted tardiness, independent of the engine's. For each weight v of a job that has a due
 * date, it takes the jobs of weight v or more, and each machine alone with its jobs' work in any pieces. The k-th job to finish
 * on the machine finishes no sooner than under "least work left first" (Schrage 1968); its tardiness is at least its completion
 * plus the work that follows minus its due date, and at least its own lateness. Matching late floors with late completions gives
 * the least total.
 */
import type { TimedWork } from '../work.js';

type Job = TimedWork['jobs'][number];

interface Part {
  readonly job: Job;
  readonly from: number;
  work: number;
  after: number;
}

export function weightedSumBound(jobs: readonly Job[]): number {
  const dated = jobs.filter((job) => job.due !== undefined && job.weight > 0);
  const weights = [...new Set(dated.map((job) => job.weight))].sort((a, b) => b - a);
  let bound = 0;
  for (const [i, weight] of weights.entries()) {
    const step = weight - (weights[i + 1] ?? 0);
    bound += step * tardinessOfAll(dated.filter((job) => job.weight >= weight));
  }
  return bound;
}

/** Returns a bound on the unweighted sum of tardiness of these jobs: the largest that any one machine gives. */
function tardinessOfAll(jobs: readonly Job[]): number {
  const alone = new Map(jobs.map((job) => [job, ownLateness(job)]));
  const total = [...alone.values()].reduce((sum, late) => sum + late, 0);
  let most = total;
  for (const parts of partsByMachine(jobs).values()) {
    const spares = parts.map((part) => (part.job.due ?? 0) - part.after);
    const floors = parts.map((part, i) => (spares[i] ?? 0) + (alone.get(part.job) ?? 0)).sort((a, b) => a - b);
    const ends = earliestEnds(parts);
    const here =
      floors.reduce((sum, floor, k) => sum + Math.max(floor, ends[k] ?? 0), 0) - spares.reduce((sum, spare) => sum + spare, 0);
    const elsewhere = total - parts.reduce((sum, part) => sum + (alone.get(part.job) ?? 0), 0);
    most = Math.max(most, here + elsewhere);
  }
  return most;
}

function ownLateness(job: Job): number {
  const end = job.operations.reduce((time, operation) => time + operation.duration, job.release);
  return Math.max(0, end - (job.due ?? 0));
}

function partsByMachine(jobs: readonly Job[]): Map<string, Part[]> {
  const machines = new Map<string, Part[]>();
  for (const job of jobs) {
    const mine = new Map<string, Part>();
    let now = job.release;
    for (const { machine, duration } of job.operations) {
      for (const part of mine.values()) part.after += duration;
      const part = mine.get(machine) ?? { job, from: now, work: 0, after: 0 };
      part.work += duration;
      part.after = 0;
      mine.set(machine, part);
      now += duration;
    }
    for (const [machine, part] of mine) machines.set(machine, [...(machines.get(machine) ?? []), part]);
  }
  return machines;
}

/**
 * Returns the completions when the part with the least work left always runs; `left` is kept ascending, and only its first
 * shrinks.
 */
function earliestEnds(parts: readonly Part[]): number[] {
  const arrivals = [...parts].sort((a, b) => a.from - b.from);
  const left: number[] = [];
  const ends: number[] = [];
  let now = 0;
  const workUntil = (time: number): void => {
    while (left[0] !== undefined && now < time) {
      const run = Math.min(left[0], time - now);
      now += run;
      left[0] -= run;
      if (left[0] === 0) {
        left.shift();
        ends.push(now);
      }
    }
    now = Math.max(now, time);
  };
  for (const { from, work } of arrivals) {
    workUntil(from);
    const place = left.findIndex((other) => other > work);
    left.splice(place < 0 ? left.length : place, 0, work);
  }
  workUntil(Number.MAX_SAFE_INTEGER);
  return ends;
}
