/**
 * The members of a schedule result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { given, inputsFor, listed } from '../inputs.js';
import { finite, maybe, namesOf, proof, texts } from '../view-fields.js';
import { calendar } from './civil.js';
import { type Clock, clockOf } from './clock.js';
import { calendarText } from './open-hours.js';
import { scheduleWork } from './work.js';

export const scheduleResult = t.type({
  operations: t.array(
    t.intersection([
      t.type({ job: t.string, machine: t.string, start: finite, end: finite }),
      t.partial({ start_at: t.string, end_at: t.string }),
    ]),
  ),
  makespan: finite,
  tardiness: finite,
  lower_bound: finite,
  gap: finite,
  optimality_proven: proof,
  baseline: finite,
  improvement: finite,
  unit: t.string,
  limits: texts,
});

const moment = maybe(t.union([finite, t.string]));

export const scheduleRequest = t.type({
  work: t.type({
    objective: t.string,
    jobs: t.array(t.type({ id: t.string, title: maybe(t.string), release: moment, due: moment })),
    machines: maybe(t.array(t.type({ id: t.string, title: t.string }))),
    start: maybe(t.string),
    calendar: maybe(calendar),
  }),
});

export type ScheduleView = t.TypeOf<typeof scheduleResult>;
export type ScheduleInput = t.TypeOf<typeof scheduleRequest>['work'];

export const scheduleInputs = inputsFor(scheduleWork, ({ objective, unit, start, calendar: open, jobs, machines }) => {
  const machineName = namesOf(machines);
  return {
    facts: given({ objective, unit, start, calendar: calendarText(open) || null }),
    tables: [
      listed('jobs', jobs, {
        id: ({ id }) => id,
        title: ({ title }) => title,
        release: ({ release }) => (release === 0 ? null : release),
        due: ({ due }) => due,
        weight: ({ weight }) => (weight === 1 ? null : weight),
        operations: ({ operations }) =>
          operations.map(({ machine, duration }) => `${machineName(machine)} ${duration}`).join(', '),
      }),
    ],
    names: {
      'objective.makespan': 'finish as early as possible',
      'objective.weighted_tardiness': 'least weighted delay',
      calendar: 'open hours',
      release: 'earliest start',
      operations: 'operations: machine and duration, in order',
    },
  };
});

export type Operation = ScheduleView['operations'][number];

/** Returns the clock of a schedule; null without a start, and of an erased request. */
export const clockOfView = ({ unit }: Pick<ScheduleView, 'unit'>, input: ScheduleInput | null): Clock | null =>
  input === null ? null : clockOf({ ...input, unit });

export type JobView = ReturnType<typeof jobsOf>[number];

/** Returns the jobs in the order of the result. */
export function jobsOf(view: ScheduleView, input: ScheduleInput | null) {
  const clock = clockOfView(view, input);
  const spans = new Map<string, readonly [first: Operation, last: Operation]>();
  for (const operation of view.operations) {
    const [first, last] = spans.get(operation.job) ?? [operation, operation];
    spans.set(operation.job, [operation.start < first.start ? operation : first, operation.end > last.end ? operation : last]);
  }
  const asked = new Map(input?.jobs.map((job) => [job.id, job]));
  const nameOf = namesOf(input?.jobs);
  return [...spans].map(([id, [first, last]], index) => {
    const { due: given, release = null } = asked.get(id) ?? {};
    const due = (typeof given === 'string' ? clock?.due(given) : given) ?? null;
    return {
      id,
      /** What people call it. */
      name: nameOf(id),
      /** Place among the jobs, in the order of the result; its colour and number. */
      index,
      start: first.start,
      end: last.end,
      /** The same on the clock; absent without a start. */
      start_at: first.start_at,
      end_at: last.end_at,
      /** When it may begin; null where that is not known. */
      release: (typeof release === 'string' ? clock?.release(release) : release) ?? null,
      due,
      /** The due time as it was given, where it is a date. */
      due_at: typeof given === 'string' ? given.replace('T', ' ') : null,
      /** How long after its due time it ends; 0 in time. */
      late: due === null ? 0 : Math.max(0, last.end - due),
    };
  });
}

export type MachineView = ReturnType<typeof machinesOf>[number];

/** Returns the machines in the order of their first operation in the result. */
export function machinesOf({ operations, makespan }: ScheduleView, input: ScheduleInput | null) {
  const machines = new Map<string, Operation[]>();
  for (const operation of operations) {
    const own = machines.get(operation.machine);
    if (own === undefined) machines.set(operation.machine, [operation]);
    else own.push(operation);
  }
  const nameOf = namesOf(input?.machines);
  return [...machines].map(([id, own]) => {
    const worked = own.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
    return {
      id,
      name: nameOf(id),
      operations: own.toSorted((a, b) => a.start - b.start),
      /** How long it works, and the share of the whole time that this is. */
      worked,
      busy: makespan > 0 ? worked / makespan : 0,
    };
  });
}

/** The number of late jobs whose delay is explained. */
const explained_max = 5;

/**
 * Returns the operations of other jobs on a job's critical path, in their order: each operation on the path begins when the one before it ends,
 * on its machine or in its job, and the first at the release of its job. Without one of them the job would end earlier, unless another path is as
 * long.
 */
function inTheWay(operations: readonly Operation[], job: string, releases: ReadonlyMap<string, number | null>): Operation[] {
  const path: Operation[] = [];
  let at = operations.findLastIndex((each) => each.job === job);
  for (let next = operations[at]; next !== undefined; next = operations[at]) {
    if (next.job !== job) path.unshift(next);
    const { job: own, machine, start, end } = next;
    const before = operations[at - 1];
    if (before?.job === own && before.end === start) at--;
    else if (end === start || releases.get(own) === start) break;
    else at = operations.findIndex((each) => each.machine === machine && each.end === start && each.start < start);
  }
  return path;
}

/** Returns the latest of the late jobs, each with what is in its way. */
export function delays<J extends Pick<JobView, 'id' | 'late' | 'release'>>(
  { operations }: ScheduleView,
  jobs: readonly J[],
): readonly { readonly job: J; readonly others: readonly Operation[] }[] {
  const releases = new Map(jobs.map(({ id, release }) => [id, release]));
  return jobs
    .filter(({ late }) => late > 0)
    .toSorted((a, b) => b.late - a.late || (a.id < b.id ? -1 : 1))
    .slice(0, explained_max)
    .map((job) => ({ job, others: inTheWay(operations, job.id, releases) }));
}
