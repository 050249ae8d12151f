/** The mission that an idle thread runs ahead of its first schedule mission. */
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Rehearsal } from '../rehearsal.js';
import { scheduleWork, type ScheduleWork } from './work.js';

const jobs_count = 12;
const machines_count = 6;

/** Returns a shop of which no bound is reached at once, so that the engine searches. */
function work(): ScheduleWork {
  const machineOf = (j: number, m: number): number => (m * (j % 2 === 1 ? 1 : machines_count - 1) + j * 3) % machines_count;
  const operationsOf = (j: number): unknown[] =>
    Array.from({ length: machines_count }, (_, m) => ({
      machine: `m${machineOf(j, m)}`,
      duration: 5 + ((j * 17 + m * 29) % 37),
    }));
  const jobs = Array.from({ length: jobs_count }, (_, j) => ({
    id: `j${j}`,
    due: 40 + 7 * j,
    weight: 1 + (j % 3),
    operations: operationsOf(j),
  }));
  return unwrap(decode(scheduleWork, { kind: 'schedule', jobs }));
}

export const scheduleRehearsal = (): Rehearsal<ScheduleWork> => ({
  goal: 'Which job goes first?',
  work: work(),
  max_evaluations: 10,
  runs: 10,
  verified_every: 2,
});
