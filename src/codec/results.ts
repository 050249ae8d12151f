/**
 * The members of a result that a picture of it is drawn from. Results of other versions may carry more members, which are left
 * alone; one that lacks a member of these is not drawn.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { choice, nullable, number } from './kit.js';

/** Differences and sums of a few of these stay finite. */
const finite = number(-1e300, 1e300);
const numbers = t.array(finite);
const proof = choice('bound', 'search', false);
const texts = t.union([t.string, t.array(t.string)]);
/** A member that may be missing. */
const maybe = <A>(codec: t.Type<A, unknown>): t.Type<A | undefined, unknown> => t.union([codec, t.undefined]);

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
    jobs: t.array(t.type({ id: t.string, due: maybe(finite) })),
  }),
});

export const forecastResult = t.type({
  models: t.array(t.type({ name: t.string, weight: finite })),
  train_count: number(0, Number.MAX_SAFE_INTEGER),
  holdout_actual: numbers,
  holdout_predictions: numbers,
  holdout_mae: finite,
  holdout_mase: nullable(finite),
  holdout_smape: finite,
  baseline_mae: finite,
  improvement: nullable(finite),
  coverage: t.array(t.type({ level: finite, share: finite })),
  forecast: numbers,
  intervals: t.array(t.type({ level: finite, lower: numbers, upper: numbers })),
  unit: t.string,
  limits: texts,
});

export const forecastRequest = t.type({ work: t.type({ observations: numbers }) });

const totals = { value: finite, cost: finite, risk: finite };
const whatIf = t.type({ ...totals, budget: finite, bound: finite, optimality_proven: proof });

export const allocationResult = t.type({
  ...totals,
  selected: t.array(t.string),
  bound: finite,
  gap: finite,
  optimality_proven: proof,
  baseline: t.type({ ...totals, method: t.string }),
  pareto: t.array(t.type(totals)),
  excluded_because: t.array(t.type({ id: t.string, reason: t.string })),
  sensitivity: t.type({ budget_minus_10: whatIf, budget_plus_10: whatIf }),
  unit: t.string,
  limits: texts,
});

export const allocationRequest = t.type({
  work: t.type({
    budget: finite,
    max_risk: maybe(finite),
    items: t.array(t.type({ id: t.string, cost: finite, value: finite, risk: maybe(finite) })),
  }),
});

export const researchResult = t.type({
  findings: t.array(
    t.type({ source_id: t.string, quote: t.string, start: finite, end: finite, score: finite, terms: t.array(t.string) }),
  ),
  sources: t.array(t.type({ id: t.string, title: t.string, url: t.string })),
  coverage: t.type({ terms: t.array(t.string), uncovered: t.array(t.string) }),
  limits: texts,
});

export type ScheduleView = t.TypeOf<typeof scheduleResult>;
export type ScheduleInput = t.TypeOf<typeof scheduleRequest>['work'];
export type ForecastView = t.TypeOf<typeof forecastResult>;
export type AllocationView = t.TypeOf<typeof allocationResult>;
export type AllocationInput = t.TypeOf<typeof allocationRequest>['work'];
export type ResearchView = t.TypeOf<typeof researchResult>;

/** The value as the codec sees it, or null where it is something else. */
export function viewOf<A>(codec: t.Type<A, unknown>, value: unknown): A | null {
  const decoded = codec.decode(value);
  return E.isRight(decoded) ? decoded.right : null;
}
