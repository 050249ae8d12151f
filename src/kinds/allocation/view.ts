/**
 * The members of an allocation result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { given, inputsFor, listed } from '../inputs.js';
import { finite, maybe, proof, texts } from '../view-fields.js';
import { allocationWork } from './work.js';

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
    items: t.array(
      t.type({
        id: t.string,
        title: maybe(t.string),
        cost: finite,
        value: finite,
        risk: maybe(finite),
        required: maybe(t.boolean),
      }),
    ),
  }),
});

const ids = (of: readonly string[] | undefined): string | undefined => of?.join(', ');

export const allocationInputs = inputsFor(allocationWork, ({ budget, max_risk, unit, items }) => ({
  facts: given({ budget, max_risk, unit }),
  tables: [
    listed('items', items, {
      id: ({ id }) => id,
      title: ({ title }) => title,
      cost: ({ cost }) => cost,
      value: ({ value }) => value,
      risk: ({ risk }) => (risk === 0 ? null : risk),
      group: ({ group }) => group,
      requires: ({ requires }) => ids(requires),
      excludes: ({ excludes }) => ids(excludes),
      required: ({ required }) => (required === true ? 'true' : null),
    }),
  ],
  names: { max_risk: 'risk limit', required: 'must be chosen', 'required.true': 'yes' },
}));

export type AllocationView = t.TypeOf<typeof allocationResult>;
export type AllocationInput = t.TypeOf<typeof allocationRequest>['work'];

/** Why an item was left out, in words. */
export const reasonTexts: Readonly<Record<string, string>> = {
  impossible: 'with what it requires and what must be chosen, it exceeds a limit or meets an exclusion',
  'zero value': 'has no value',
  requires: 'requires an item that is not selected',
  excludes: 'excluded by a selected item',
  group: 'another item of its group is selected',
  budget: 'over budget',
  risk: 'over the risk limit',
  'lower value': 'less value than the selected items',
};

/** Returns the unit of the costs: what a unit has after a semicolon is that of the values. */
export const costUnit = ({ unit }: AllocationView): string => unit.replace(/;.*/s, '');
