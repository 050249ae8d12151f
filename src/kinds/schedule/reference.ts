/** The reference agent's rule for schedules: every operation once, in its job's order, alone on its machine, and the two measures. */
import type { JsonNode } from '../../base/json.js';
import type { ReferenceRules } from '../kind.js';
import { type ScheduleWork, timed, type TimedWork } from './work.js';
import { need } from '../claims.js';
import { integerOf, listOf, memberOf, numberOf, textOf, type ReferenceResult } from '../reading.js';

type PlacedWork = Readonly<ReturnType<typeof read>>;

function checkSchedule(given: ScheduleWork, result: ReferenceResult): readonly string[] {
  const work = timed(given);
  const placed = readOperations(result);
  const ends = checkJobs(work, placed);
  checkMachines(placed);
  const makespan = placed.reduce((latest, { end }) => Math.max(latest, end), 0);
  const tardiness = work.jobs.reduce((sum, { id, due }) => sum + Math.max(0, (ends.get(id) ?? 0) - (due ?? Infinity)), 0);
  for (const [name, value] of Object.entries({ makespan, tardiness }))
    need(numberOf(memberOf(result.node, name, ''), name) === value, `${name} is not that of the operations, ${value}`);
  return ['every operation once', 'order within jobs', 'one operation at a time on a machine', 'makespan and tardiness'];
}

/** @throws for a malformed operation */
const readOperations = ({ node, text }: ReferenceResult): readonly PlacedWork[] =>
  listOf(memberOf(node, 'operations', ''), 'operations').map((entry, i) => read(entry, text, `operations[${i}]`));

const read = (entry: JsonNode, text: string, path: string) => ({
  job: textOf(memberOf(entry, 'job', path), `${path}.job`),
  operation: numberOf(memberOf(entry, 'operation', path), `${path}.operation`),
  machine: textOf(memberOf(entry, 'machine', path), `${path}.machine`),
  start: integerOf(memberOf(entry, 'start', path), text, `${path}.start`),
  end: integerOf(memberOf(entry, 'end', path), text, `${path}.end`),
});

/** Returns the end of each job. */
function checkJobs(work: TimedWork, placed: readonly PlacedWork[]): ReadonlyMap<string, number> {
  const found = new Map<string, PlacedWork>();
  for (const entry of placed) {
    const key = `${entry.job} ${entry.operation}`;
    need(!found.has(key), `operation ${entry.operation} of job ${entry.job} is listed twice`);
    found.set(key, entry);
  }
  const ends = new Map<string, number>();
  for (const { id, operations } of work.jobs) {
    let ready = 0;
    operations.forEach(({ machine, duration }, i) => {
      const what = `operation ${i} of job ${id}`;
      const entry = found.get(`${id} ${i}`);
      need(entry !== undefined, `${what} is missing`);
      found.delete(`${id} ${i}`);
      need(entry.machine === machine, `${what} is on another machine than ${machine}`);
      need(entry.start >= ready, `${what} starts before ${ready}`);
      need(entry.end - entry.start === duration, `${what} does not take ${duration}`);
      ready = entry.end;
    });
    ends.set(id, ready);
  }
  const [unknown] = found.values();
  need(unknown === undefined, `operation ${unknown?.operation ?? ''} of job ${unknown?.job ?? ''} is none of the mission's`);
  return ends;
}

function checkMachines(placed: readonly PlacedWork[]): void {
  const until = new Map<string, number>();
  for (const { job, operation, machine, start, end } of placed.toSorted((a, b) => a.start - b.start)) {
    need(start >= (until.get(machine) ?? 0), `operation ${operation} of job ${job} overlaps another on machine ${machine}`);
    until.set(machine, end);
  }
}

/** Returns the jobs by number, in the order in which their operations start. */
function sequenceOf(work: ScheduleWork, result: ReferenceResult): readonly number[] {
  const number = new Map(work.jobs.map(({ id }, i) => [id, i]));
  return readOperations(result)
    .map(({ job, start }) => ({ start, job: number.get(job) ?? 0 }))
    .toSorted((a, b) => a.start - b.start || a.job - b.job)
    .map(({ job }) => job);
}

export const scheduleReference: ReferenceRules<ScheduleWork> = {
  check: checkSchedule,
  solution: (work, result) => ({ sequence: sequenceOf(work, result) }),
};
