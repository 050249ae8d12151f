/**
 * A job shop in dense arrays. Operations are numbered 0 … n − 1 in the input's order, jobs and machines likewise (machines by
 * first use). Two kinds of outer node follow the operations: n + j comes before the first and after the last operation of job j,
 * and `none` = n + jobs before the first and after the last operation of a machine. The search reads release dates as the
 * completion of n + j, so that its inner loops have no special case.
 */
import type { TimedWork } from '../work.js';
import { at } from './ints.js';

export type Shop = Readonly<ReturnType<typeof shopOf>>;

/** Numbers the jobs, machines and operations of a mission. Times fit in 32 bits: src/base/limits.ts keeps them below 1.5e9. */
export function shopOf(work: TimedWork) {
  const jobs = work.jobs.length;
  const first = new Int32Array(jobs + 1);
  work.jobs.forEach((job, j) => {
    first[j + 1] = at(first, j) + job.operations.length;
  });
  const operations = at(first, jobs);
  const jobOf = new Int32Array(operations);
  const machineOf = new Int32Array(operations);
  const duration = new Int32Array(operations);
  const numbers = new Map<string, number>();
  work.jobs.forEach((job, j) => {
    job.operations.forEach((operation, k) => {
      const x = at(first, j) + k;
      const machine = numbers.get(operation.machine) ?? numbers.size;
      numbers.set(operation.machine, machine);
      jobOf[x] = j;
      machineOf[x] = machine;
      duration[x] = operation.duration;
    });
  });
  return {
    jobs,
    machines: numbers.size,
    operations,
    /** The node that represents "no neighbour on the machine". */
    none: operations + jobs,
    machineIds: [...numbers.keys()],
    /** The first operation of each job; one entry more than jobs. */
    first,
    jobOf,
    machineOf,
    duration,
    ...neighbours(first, jobOf, operations),
    /** The start of each machine's operations in a list ordered by machine; one entry more than machines. */
    base: basesOf(machineOf, numbers.size),
    release: Int32Array.from(work.jobs, (job) => job.release),
    /** The due date, or −1 for a job without one. */
    due: Int32Array.from(work.jobs, (job) => job.due ?? -1),
    weight: Int32Array.from(work.jobs, (job) => job.weight),
    objective: work.objective,
  };
}

/** Returns the neighbours of each operation within its job: an operation or the job's outer node. */
function neighbours(first: Int32Array, jobOf: Int32Array, operations: number) {
  const before = new Int32Array(operations);
  const after = new Int32Array(operations);
  for (let x = 0; x < operations; x++) {
    const j = at(jobOf, x);
    before[x] = x === at(first, j) ? operations + j : x - 1;
    after[x] = x + 1 === at(first, j + 1) ? operations + j : x + 1;
  }
  return { before, after };
}

function basesOf(machineOf: Int32Array, machines: number): Int32Array {
  const base = new Int32Array(machines + 1);
  for (const machine of machineOf) base[machine + 1] = at(base, machine + 1) + 1;
  for (let m = 0; m < machines; m++) base[m + 1] = at(base, m + 1) + at(base, m);
  return base;
}
