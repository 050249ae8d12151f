/** The allocation result and its certificate, the members of their canonical JSON. */
import type * as t from 'io-ts';
import { round12 } from '../../base/decimal.js';
import { ok, refuse } from '../../base/refusal.js';
import { choice, integer, list, nullable, number, object, optional, refined, required, text } from '../../codec/kit.js';
import { choices_max, link_prices_max, pareto_points_max } from './constants.js';

const amount = number(-Number.MAX_VALUE, Number.MAX_VALUE);

/** A point of value, cost and risk in the mission's units. */
const totals = { value: required(amount), cost: required(amount), risk: required(amount) };

const proof = choice('bound', 'search', false);

/** Whether a number has at most 12 digits, as which its decimals are exact, and no sign. */
const isMultiplier = (x: number): boolean => x >= 0 && round12(x) === x && !Object.is(x, -0);
const noMultiplier = { code: 'invalid', detail: 'must be a multiplier of at most 12 digits' } as const;
const multiplier = refined(amount, (x) => (isMultiplier(x) ? ok(x) : refuse(noMultiplier)));

/** Multipliers in items per unit of cost, risk and value: they prove how many items a choice worth more than `value` holds. */
const countPrices = object('CountPrices', {
  budget: required(multiplier),
  risk: required(multiplier),
  value: required(multiplier),
});

/** What proves the most and the fewest items; multipliers of 0 where no bound uses them. */
const counts = object('Counts', { most: required(countPrices), least: required(countPrices) });

/**
 * Multipliers of the Lagrangian bound. `budget` and `risk` are value per unit of cost and of risk; `at_most` and `at_least` are value per item, the
 * prices of the cardinality cuts. The multipliers in `counts` prove the most and the fewest items that a feasible choice worth more than `value`
 * holds.
 */
const multipliers = {
  budget: required(multiplier),
  risk: required(multiplier),
  at_most: required(multiplier),
  at_least: required(multiplier),
  counts: required(counts),
  /**
   * How many choices the multipliers leave, of which none is better, so that the value is the bound. Absent where the multipliers alone prove the
   * value, or leave more than a certificate compares.
   */
  choices: optional(integer(1, choices_max)),
};

/** A link's price: index of the item, index of the other item, multiplier. Indices count `work.items` from 0. */
const linkPrice = refined(list(amount, 3, 3), ([i = 0, j = 0, price = 0]) =>
  isMultiplier(price) ? ok([i, j, price] as const) : refuse(noMultiplier),
);
const linkPrices = list(linkPrice, 0, link_prices_max);

/** Chosen items as a hexadecimal bitmap: item i is bit 3 − (i mod 4) of digit ⌊i / 4⌋. */
const bitmap = text();

const scenario = object('Scenario', { ...multipliers, selection: required(bitmap) });

const certificate = object('Certificate', {
  ...multipliers,
  requires: required(linkPrices),
  excludes: required(linkPrices),
  /** Null for a budget that what must be chosen exceeds. */
  budget_minus_10: required(nullable(scenario)),
  budget_plus_10: required(nullable(scenario)),
  /** One bitmap for each point of `pareto`. */
  pareto: required(list(bitmap, 0, pareto_points_max)),
  /** SHA-256 of the canonical JSON of the members above. */
  digest: required(text()),
});

const sensitivity = object('Sensitivity', {
  ...totals,
  budget: required(amount),
  bound: required(amount),
  optimality_proven: required(proof),
});

/** An impossible item is one that no choice within the limits and exclusions can hold, with what it requires and what must be chosen. */
const reason = choice('impossible', 'zero value', 'requires', 'excludes', 'group', 'budget', 'risk', 'lower value');

const all = Number.MAX_SAFE_INTEGER;

export const allocationResult = object('AllocationResult', {
  ...totals,
  method: required(text()),
  selected: required(list(text(), 0, all)),
  /** The proved upper bound on the value of any choice; checked from `certificate`. */
  bound: required(amount),
  /** (bound − value) / bound, 0 when the bound is 0. */
  gap: required(amount),
  optimality_proven: required(proof),
  certificate: required(certificate),
  baseline: required(object('Baseline', { ...totals, method: required(text()) })),
  /** value − baseline.value */
  improvement: required(amount),
  unit: required(text()),
  pareto: required(list(object('Totals', totals), 0, pareto_points_max)),
  excluded_because: required(list(object('LeftOut', { id: required(text()), reason: required(reason) }), 0, all)),
  sensitivity: required(
    object('Sensitivities', {
      budget_minus_10: required(nullable(sensitivity)),
      budget_plus_10: required(nullable(sensitivity)),
    }),
  ),
  limits: required(text()),
});

export type AllocationResult = t.TypeOf<typeof allocationResult>;
export type Certificate = t.TypeOf<typeof certificate>;
export type Scenario = t.TypeOf<typeof scenario>;
export type Sensitivity = t.TypeOf<typeof sensitivity>;
export type Counts = t.TypeOf<typeof counts>;
export type CountPrices = t.TypeOf<typeof countPrices>;
export type Multipliers = Pick<Scenario, 'budget' | 'risk' | 'at_most' | 'at_least'>;
export type LinkPrice = t.TypeOf<typeof linkPrice>;
export type Proof = AllocationResult['optimality_proven'];
export type Reason = AllocationResult['excluded_because'][number]['reason'];
export type Totals = AllocationResult['pareto'][number];
