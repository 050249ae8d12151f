/**
 * The members of a schedule result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { finite, maybe, proof, texts } from '../view-fields.js';

export const scheduleResult = t.type({
  operations: t.array(t.type({ job: t.string, machine: t.string, start: finite, end: finite })),
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

export const scheduleRequest = t.type({
  work: t.type({
    objective: t.string,
    jobs: t.array(t.type({ id: t.string, title: maybe(t.string), due: maybe(t.union([finite, t.string])) })),
    machines: maybe(t.array(t.type({ id: t.string, title: t.string }))),
  }),
});

export type ScheduleView = t.TypeOf<typeof scheduleResult>;
export type ScheduleInput = t.TypeOf<typeof scheduleRequest>['work'];

type Operation = ScheduleView['operations'][number];

/** The number of late jobs whose delay is explained. */
const explained_max = 5;

/**
 * Returns the operations of other jobs on a job's critical path, in their order: each operation on the path begins when the one before it ends,
 * on its machine or in its job. Without one of them the job would end earlier, unless another path is as long.
 */
function inTheWay(operations: readonly Operation[], job: string): Operation[] {
  const path: Operation[] = [];
  let at = operations.findLastIndex((each) => each.job === job);
  for (let next = operations[at]; next !== undefined; next = operations[at]) {
    if (next.job !== job) path.unshift(next);
    const { job: own, machine, start, end } = next;
    const before = operations[at - 1];
    if (before?.job === own && before.end === start) at--;
    else if (end === start) break;
    else at = operations.findIndex((each) => each.machine === machine && each.end === start && each.start < start);
  }
  return path;
}

/** Returns the latest of the late jobs, each with what is in its way. */
export const delays = <J extends { readonly id: string; readonly late: number }>(
  { operations }: ScheduleView,
  jobs: readonly J[],
): readonly { readonly job: J; readonly others: readonly Operation[] }[] =>
  jobs
    .filter(({ late }) => late > 0)
    .toSorted((a, b) => b.late - a.late || (a.id < b.id ? -1 : 1))
    .slice(0, explained_max)
    .map((job) => ({ job, others: inTheWay(operations, job.id) }));
