/**
 * The members of an allocation result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { finite, maybe, proof, texts } from '../view-fields.js';

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
  /** Null for a budget that the items which must be chosen exceed. */
  sensitivity: t.type({ budget_minus_10: t.union([whatIf, t.null]), budget_plus_10: t.union([whatIf, t.null]) }),
  unit: t.string,
  limits: texts,
});

export const allocationRequest = t.type({
  work: t.type({
    budget: finite,
    max_risk: maybe(finite),
    items: t.array(t.type({ id: t.string, title: maybe(t.string), cost: finite, value: finite, risk: maybe(finite) })),
  }),
});

export type AllocationView = t.TypeOf<typeof allocationResult>;
export type AllocationInput = t.TypeOf<typeof allocationRequest>['work'];
