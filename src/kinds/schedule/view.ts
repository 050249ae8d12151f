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
