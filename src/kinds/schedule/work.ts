/** The work of a schedule mission: jobs whose operations visit machines in order. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import { choice, either, integer, list, object, optional, required, withDefault } from '../../codec/kit.js';
import { id } from '../../codec/scalars.js';
import { duplicates, title, unit } from '../fields.js';
import { calendar, civilMoment, civilTime } from './civil.js';

const operation = object('Operation', {
  machine: required(id),
  duration: required(integer(0, limits.duration_max)),
});

/** In units of working time from 0, or a civil time. */
const moment = either(civilMoment, integer(0, limits.schedule_time_max));

const job = object('Job', {
  id: required(id),
  title: optional(title),
  operations: required(list(operation, 1, limits.operations_per_job_max)),
  release: withDefault(moment, 0),
  due: optional(moment),
  weight: withDefault(integer(0, limits.weight_max), 1),
});

/** What people call a machine. */
const machine = object('Machine', { id: required(id), title: required(title) });

export const scheduleWork = object(
  'Schedule',
  {
    kind: required(choice('schedule')),
    jobs: required(list(job, 1, limits.jobs_max)),
    objective: withDefault(choice('makespan', 'weighted_tardiness'), 'makespan'),
    unit: withDefault(unit, 'minutes'),
    machines: optional(list(machine, 0, limits.machines_max)),
    /** The civil time of 0. */
    start: optional(civilTime),
    calendar: optional(calendar),
  },
  (work) => {
    const operations = work.jobs.reduce((sum, j) => sum + j.operations.length, 0);
    const errors = [...duplicates('jobs', work.jobs), ...idle(work.jobs)];
    if (operations > limits.operations_max) {
      errors.push({ path: 'jobs', message: `has ${operations} operations in all, at most ${limits.operations_max} are allowed` });
    }
    if (work.objective === 'weighted_tardiness' && work.jobs.every((j) => typeof j.due !== 'number')) {
      errors.push({ path: 'objective', message: 'weighted_tardiness needs at least one job whose due time is a number' });
    }
    return [...errors, ...machineFaults(work), ...timeFaults(work)];
  },
);

export type ScheduleWork = t.TypeOf<typeof scheduleWork>;

type Job = ScheduleWork['jobs'][number];

/** Returns a fault for each job without an operation that takes time. */
const idle = (jobs: readonly t.TypeOf<typeof job>[]): FieldError[] =>
  jobs.flatMap(({ operations }, i) =>
    operations.some(({ duration }) => duration > 0)
      ? []
      : [{ path: `jobs[${i}].operations`, message: 'needs an operation that takes time' }],
  );

/** A mission as it is planned: every time is in units of working time. */
export interface TimedWork extends Omit<ScheduleWork, 'jobs'> {
  readonly jobs: readonly (Omit<Job, 'release' | 'due'> & { readonly release: number; readonly due?: number })[];
}

/**
 * Returns the mission as engine and verifier read it. Civil times are recorded only: such a job can begin at 0 and has no due time. An operation
 * that takes no time does not hold its machine, also while another job runs there, so that it changes nothing: it is left out here.
 */
export const timed = (work: ScheduleWork): TimedWork => ({
  ...work,
  jobs: work.jobs.map(({ release, due, ...job }) => ({
    ...job,
    operations: job.operations.filter(({ duration }) => duration > 0),
    release: typeof release === 'number' ? release : 0,
    ...(typeof due === 'number' ? { due } : {}),
  })),
});

/** Returns whether the mission has times that are recorded only. */
export const hasCivilTimes = ({ jobs }: Pick<Faulty, 'jobs'>): boolean =>
  jobs.some(({ release, due }) => typeof release === 'string' || typeof due === 'string');

interface Faulty {
  readonly jobs: readonly t.TypeOf<typeof job>[];
  readonly machines?: readonly t.TypeOf<typeof machine>[];
  readonly start?: string;
  readonly calendar?: unknown;
  readonly unit: string;
}

type Faults = (work: Faulty) => FieldError[];

const machineFaults: Faults = ({ jobs, machines = [] }) => {
  const visited = new Set(jobs.flatMap(({ operations }) => operations.map((each) => each.machine)));
  return [
    ...duplicates('machines', machines),
    ...machines.flatMap((each, i) =>
      visited.has(each.id) ? [] : [{ path: `machines[${i}].id`, message: 'is the machine of no operation' }],
    ),
  ];
};

/** The units in which working time is counted where the mission has a civil start. */
const civilUnits: readonly string[] = ['minutes', 'hours', 'days', 'minute', 'hour', 'day'];

const timeFaults: Faults = ({ jobs, start, calendar: open, unit: given }) => {
  if (start !== undefined)
    return civilUnits.includes(given) ? [] : [{ path: 'unit', message: 'must be minutes, hours or days beside start' }];
  const isCivil = hasCivilTimes({ jobs });
  if (open === undefined && !isCivil) return [];
  return [{ path: 'start', message: `is needed beside ${isCivil ? 'a release or due time that is a date' : 'calendar'}` }];
};
