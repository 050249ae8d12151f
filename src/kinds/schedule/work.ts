/** The work of a schedule mission: jobs whose operations visit machines in order. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import type { Members } from '../../codec/field.js';
import { choice, either, integer, list, object, optional, required, withDefault } from '../../codec/kit.js';
import { id } from '../../codec/scalars.js';
import { duplicates, title, unit } from '../fields.js';
import { calendar, civilMoment, civilTime } from './civil.js';
import { Clock, clockOf } from './clock.js';

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

type Job = t.TypeOf<typeof job>;

/** What people call a machine. */
const machine = object('Machine', { id: required(id), title: required(title) });

const members = {
  kind: required(choice('schedule')),
  jobs: required(list(job, 1, limits.jobs_max)),
  objective: withDefault(choice('makespan', 'weighted_tardiness'), 'makespan'),
  unit: withDefault(unit, 'minutes'),
  machines: optional(list(machine, 0, limits.machines_max)),
  /** The civil time of 0. */
  start: optional(civilTime),
  calendar: optional(calendar),
};

export type ScheduleWork = Members<typeof members>;

export const scheduleWork = object('Schedule', members, (work) => {
  const operations = work.jobs.reduce((sum, j) => sum + j.operations.length, 0);
  const errors = [...duplicates('jobs', work.jobs), ...idle(work.jobs)];
  if (operations > limits.operations_max) {
    errors.push({ path: 'jobs', message: `has ${operations} operations in all, at most ${limits.operations_max} are allowed` });
  }
  if (work.objective === 'weighted_tardiness' && work.jobs.every((j) => j.due === undefined)) {
    errors.push({ path: 'objective', message: 'weighted_tardiness needs at least one job with a due time' });
  }
  return [...errors, ...machineFaults(work), ...timeFaults(work)];
});

/** Returns a fault for each job without an operation that takes time. */
const idle = (jobs: readonly Job[]): FieldError[] =>
  jobs.flatMap(({ operations }, i) =>
    operations.some(({ duration }) => duration > 0) ? [] : [{ path: `jobs[${i}].operations`, message: 'must take some time' }],
  );

/** A mission as it is planned: every time is in units of working time. */
export interface TimedWork extends Omit<ScheduleWork, 'jobs'> {
  readonly jobs: readonly (Omit<Job, 'release' | 'due'> & { readonly release: number; readonly due?: number })[];
}

/**
 * Returns the mission as engine and verifier read it. An operation that takes no time does not hold its machine, also while another job runs
 * there, so that it changes nothing: it is left out here.
 */
export const timed = (work: ScheduleWork): TimedWork => ({ ...work, jobs: timedJobs(work.jobs, clockOf(work)) });

const timedJobs = (jobs: readonly Job[], clock: Clock | null): TimedWork['jobs'] =>
  jobs.map(({ release, due, ...each }) => ({
    ...each,
    operations: each.operations.filter(({ duration }) => duration > 0),
    release: typeof release === 'number' ? release : (clock?.release(release) ?? 0),
    ...(due === undefined ? {} : { due: typeof due === 'number' ? due : (clock?.due(due) ?? 0) }),
  }));

/** Returns the latest end of an operation in a schedule without needless waiting: the last release plus all durations. */
export function horizonOf(jobs: TimedWork['jobs']): number {
  const durations = jobs.flatMap((each) => each.operations).reduce((sum, each) => sum + each.duration, 0);
  return durations + jobs.reduce((latest, { release }) => Math.max(latest, release), 0);
}

function machineFaults({ jobs, machines = [] }: ScheduleWork): FieldError[] {
  const visited = new Set(jobs.flatMap(({ operations }) => operations.map((each) => each.machine)));
  return [
    ...duplicates('machines', machines),
    ...machines.flatMap((each, i) =>
      visited.has(each.id) ? [] : [{ path: `machines[${i}].id`, message: 'is the machine of no operation' }],
    ),
  ];
}

/** The units in which working time is counted where the mission has a civil start. */
const civilUnits: readonly string[] = ['minutes', 'hours', 'days', 'minute', 'hour', 'day'];

function timeFaults({ jobs, start, calendar: open, unit: given }: ScheduleWork): FieldError[] {
  if (start !== undefined && !civilUnits.includes(given))
    return [{ path: 'unit', message: 'must be minutes, hours or days beside start' }];
  if (start !== undefined) return clockFaults(jobs, new Clock(start, given, open), given);
  const isCivil = jobs.some(({ release, due }) => typeof release === 'string' || typeof due === 'string');
  if (open === undefined && !isCivil) return [];
  return [{ path: 'start', message: `is needed beside ${isCivil ? 'a release or due time that is a date' : 'calendar'}` }];
}

/** Returns the faults of civil times that no schedule reaches. */
function clockFaults(jobs: readonly Job[], clock: Clock, given: string): FieldError[] {
  const planned = timedJobs(jobs, clock);
  const late = (member: 'release' | 'due'): FieldError[] =>
    planned.flatMap((each, j) =>
      (each[member] ?? 0) > limits.schedule_time_max
        ? [{ path: `jobs[${j}].${member}`, message: `is more than ${limits.schedule_time_max} ${given} after start` }]
        : [],
    );
  const errors = [...late('release'), ...late('due')];
  if (errors.length > 0 || clock.holds(horizonOf(planned))) return errors;
  return [{ path: 'start', message: 'has too little open time after it, until the year 9999, for all operations' }];
}
