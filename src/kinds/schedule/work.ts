/** The work of a schedule mission: jobs whose operations visit machines in order. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import { choice, integer, list, object, optional, required, withDefault } from '../../codec/kit.js';
import { id } from '../../codec/scalars.js';
import { duplicates, unit } from '../fields.js';

const operation = object('Operation', {
  machine: required(id),
  duration: required(integer(1, limits.duration_max)),
});

const job = object('Job', {
  id: required(id),
  operations: required(list(operation, 1, limits.operations_per_job_max)),
  release: withDefault(integer(0, limits.schedule_time_max), 0),
  due: optional(integer(0, limits.schedule_time_max)),
  weight: withDefault(integer(0, limits.weight_max), 1),
});

export const scheduleWork = object(
  'Schedule',
  {
    kind: required(choice('schedule')),
    jobs: required(list(job, 1, limits.jobs_max)),
    objective: withDefault(choice('makespan', 'weighted_tardiness'), 'makespan'),
    unit: withDefault(unit, 'minutes'),
  },
  (work) => {
    const operations = work.jobs.reduce((sum, j) => sum + j.operations.length, 0);
    const errors = [...duplicates('jobs', work.jobs)];
    if (operations > limits.operations_max) {
      errors.push({ path: 'jobs', message: `has ${operations} operations in all, at most ${limits.operations_max} are allowed` });
    }
    if (work.objective === 'weighted_tardiness' && work.jobs.every((j) => j.due === undefined)) {
      errors.push({ path: 'objective', message: 'weighted_tardiness needs at least one job with a due date' });
    }
    return errors;
  },
);

export type ScheduleWork = t.TypeOf<typeof scheduleWork>;
