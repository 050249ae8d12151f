/**
 * The verifier's own figures for a schedule: lower bound and baseline from the mission alone. Independent of the engine: the
 * machine bound comes from the theorem that Jackson's preemptive value is the maximum over sets of operations of (least head +
 * work + least tail), not from building that schedule (Carlier 1982, proposition 2).
 */
import type { TimedWork } from '../work.js';
import { weightedSumBound } from './tardiness.js';

type Job = TimedWork['jobs'][number];

type Task = Readonly<Record<'head' | 'work' | 'tail', number>>;

export const boundOf = (work: TimedWork): number =>
  work.objective === 'makespan' ? makespanBound(work.jobs) : weightedSumBound(work.jobs);

const ownEnd = (job: Job): number => job.operations.reduce((end, operation) => end + operation.duration, job.release);

function makespanBound(jobs: readonly Job[]): number {
  const machines = [...tasksOf(jobs).values()];
  return Math.max(...jobs.map(ownEnd), ...machines.map(setBound));
}

function tasksOf(jobs: readonly Job[]): Map<string, Task[]> {
  const machines = new Map<string, Task[]>();
  for (const job of jobs) {
    const all = ownEnd(job);
    let head = job.release;
    for (const operation of job.operations) {
      const tasks = machines.get(operation.machine) ?? [];
      machines.set(operation.machine, tasks);
      tasks.push({ head, work: operation.duration, tail: all - head - operation.duration });
      head += operation.duration;
    }
  }
  return machines;
}

/** Returns the max over r and q of r + q + work of the tasks with head ≥ r and tail ≥ q, for the tasks' own r and q. */
function setBound(tasks: readonly Task[]): number {
  const latestHeadFirst = [...tasks].sort((a, b) => b.head - a.head);
  const tails = [...new Set(tasks.map((task) => task.tail))];
  let bound = Number.NEGATIVE_INFINITY;
  for (const tail of tails) {
    let work = 0;
    for (const task of latestHeadFirst) {
      if (task.tail < tail) continue;
      work += task.work;
      bound = Math.max(bound, task.head + work + tail);
    }
  }
  return bound;
}

/**
 * The non-delay dispatcher: the operation that can start first starts; a tie goes to the job with the most work left (makespan)
 * or the earliest due date (weighted tardiness, none last), then to the job that is first in the mission.
 */
export function dispatch(work: TimedWork) {
  const free = new Map<string, number>();
  const states = work.jobs.map((job) => ({ job, at: 0, ready: job.release, left: ownEnd(job) - job.release }));
  const open = new Set(states);
  while (open.size > 0) {
    let chosen: { start: number; rank: number; state: (typeof states)[number]; machine: string; duration: number } | null = null;
    for (const state of open) {
      const operation = state.job.operations[state.at];
      if (operation === undefined) {
        open.delete(state);
        continue;
      }
      const start = Math.max(state.ready, free.get(operation.machine) ?? 0);
      const rank = work.objective === 'makespan' ? -state.left : (state.job.due ?? Number.MAX_SAFE_INTEGER);
      if (chosen === null || start < chosen.start || (start === chosen.start && rank < chosen.rank)) {
        chosen = { start, rank, state, machine: operation.machine, duration: operation.duration };
      }
    }
    if (chosen === null) break;
    const end = chosen.start + chosen.duration;
    free.set(chosen.machine, end);
    chosen.state.ready = end;
    chosen.state.left -= chosen.duration;
    chosen.state.at++;
  }
  return totals(
    work.jobs,
    states.map((state) => state.ready),
  );
}

/** Returns makespan and weighted tardiness for the completion of each job, in the mission's order. */
export function totals(jobs: readonly Job[], ends: readonly number[]) {
  const late = jobs.map((job, j) => (job.due === undefined ? 0 : job.weight * Math.max(0, (ends[j] ?? 0) - job.due)));
  return { makespan: Math.max(...ends), tardiness: late.reduce((sum, tardiness) => sum + tardiness, 0) };
}
