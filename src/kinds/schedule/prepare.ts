/** What a thread does before its first schedule, so that this takes no longer than the next ones. */
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { rehearse } from '../rehearsal.js';
import { scheduleEngine } from './engine/engine.js';
import { verifySchedule } from './verify/verify.js';
import { scheduleWork, type ScheduleWork } from './work.js';

const jobs_count = 6;
const machines_count = 4;

function work(): ScheduleWork {
  const operationsOf = (j: number): unknown[] =>
    Array.from({ length: machines_count }, (_, m) => ({
      machine: `m${(j * 3 + m) % machines_count}`,
      duration: 1 + ((j * 3 + m * 5) % 7),
    }));
  const jobs = Array.from({ length: jobs_count }, (_, j) => ({ id: `j${j}`, operations: operationsOf(j) }));
  return unwrap(decode(scheduleWork, { kind: 'schedule', jobs }));
}

export const prepareSchedule = (): Generator<void> =>
  rehearse(
    { engine: scheduleEngine, verify: verifySchedule },
    { goal: 'Which job goes first?', work: work(), runs: 8, verified_every: 2 },
  );
