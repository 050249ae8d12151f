/** Missions for the schedule tests: published instances, generated shops, and an exhaustive solver for tiny ones. */
import * as fc from 'fast-check';
import * as fs from 'node:fs';
import type { TimedWork } from '../../src/kinds/schedule/work.js';
import type { Answer, EngineInput } from '../../src/engines/engine.js';
import { prng } from '../../src/base/prng.js';
import { unwrap } from '../../src/base/refusal.js';
import { scheduleEngine } from '../../src/kinds/schedule/engine/engine.js';
import type { ScheduleResult } from '../../src/kinds/schedule/result.js';

export type Job = TimedWork['jobs'][number];

interface Instance {
  readonly name: string;
  readonly rows: readonly (readonly number[])[];
  readonly optimum: number;
}

export const instances = (): readonly Instance[] =>
  JSON.parse(fs.readFileSync('test/vectors/jobshop/instances.json', 'utf8')) as Instance[];

export function workOf(rows: Instance['rows'], more: Partial<TimedWork> = {}): TimedWork {
  const jobs = rows.map((row, j) => ({
    id: `job-${j}`,
    operations: Array.from({ length: row.length / 2 }, (_, k) => ({ machine: `m${row[2 * k]}`, duration: row[2 * k + 1]! })),
    release: 0,
    weight: 1,
  }));
  return { kind: 'schedule', jobs, objective: 'makespan', unit: 'minutes', ...more };
}

export function inputOf(work: TimedWork, more: Partial<EngineInput<TimedWork>> = {}): EngineInput<TimedWork> {
  const effort = { max_evaluations: 10 };
  return { goal: 'a schedule', work, seed: 42, population: 4, generations: 1, effort, warm_start: null, ...more };
}

export const solve = (input: EngineInput<TimedWork>): Answer<ScheduleResult> => unwrap(scheduleEngine.run(input, () => {}));

export const valueOf = (work: TimedWork, result: ScheduleResult): number =>
  work.objective === 'makespan' ? result.makespan : result.tardiness;

/** Returns jobs of 1 to 99 units on one machine, due at any time until all can be done. */
export function tardyJobs(count: number): TimedWork {
  const random = prng(2, count);
  const jobs = Array.from(
    { length: count },
    (_, j): Job => ({
      id: `j${j}`,
      operations: [{ machine: 'm', duration: 1 + random.below(99) }],
      release: 0,
      due: random.below(45 * count),
      weight: 1 + random.below(9),
    }),
  );
  return { kind: 'schedule', jobs, objective: 'weighted_tardiness', unit: 'minutes' };
}

export interface ShopSize {
  readonly jobs: number;
  readonly operations: number;
  readonly machines: number;
  /** 0 for shops that have operations without time; 1 without it. */
  readonly duration_min?: 0;
}

/** Any shop up to a size: jobs of unequal length, repeated machines, releases, due dates and weights, zero included. */
export function anyWork(size: ShopSize): fc.Arbitrary<TimedWork> {
  const operation = fc.record({
    machine: fc.integer({ min: 1, max: size.machines }).map((m) => `m${m}`),
    duration: fc.integer({ min: size.duration_min ?? 1, max: 9 }),
  });
  const job = fc.record({
    operations: fc
      .array(operation, { minLength: 1, maxLength: size.operations })
      .filter((operations) => operations.some(({ duration }) => duration > 0)),
    release: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })),
    due: fc.option(fc.integer({ min: 0, max: 30 }), { nil: -1 }),
    weight: fc.integer({ min: 0, max: 4 }),
  });
  const jobs = fc.array(job, { minLength: 1, maxLength: size.jobs });
  return fc.tuple(jobs, fc.constantFrom('makespan' as const, 'weighted_tardiness' as const)).map(([list, objective]) => ({
    kind: 'schedule' as const,
    jobs: list.map(({ due, ...rest }, j): Job => ({ id: `j${j}`, ...rest, ...(due >= 0 ? { due } : {}) })),
    objective,
    unit: 'minutes',
  }));
}

/** The optimum by trying every order of operations (semi-active schedules contain an optimal one). For at most 9 operations. */
export function optimumOf(work: TimedWork): number {
  const { jobs } = work;
  const upcoming = jobs.map(() => 0);
  const ready = jobs.map((job) => job.release);
  const free = new Map<string, number>();
  let best = Number.POSITIVE_INFINITY;
  const cost = (): number =>
    work.objective === 'makespan'
      ? Math.max(...ready)
      : jobs.reduce((sum, job, j) => sum + (job.due === undefined ? 0 : job.weight * Math.max(0, ready[j]! - job.due)), 0);
  const branch = (): void => {
    if (cost() >= best) return;
    let isComplete = true;
    jobs.forEach((job, j) => {
      const operation = job.operations[upcoming[j]!];
      if (operation === undefined) return;
      isComplete = false;
      const [wasReady, wasFree] = [ready[j]!, free.get(operation.machine) ?? 0];
      const takesTime = operation.duration > 0;
      const end = takesTime ? Math.max(wasReady, wasFree) + operation.duration : wasReady;
      ready[j] = end;
      if (takesTime) free.set(operation.machine, end);
      upcoming[j]!++;
      branch();
      upcoming[j]!--;
      ready[j] = wasReady;
      free.set(operation.machine, wasFree);
    });
    if (isComplete) best = cost();
  };
  branch();
  return best;
}
