/** The allocation result and its certificate, the members of their canonical JSON. */

export type Proof = 'bound' | 'search' | false;

/** A point of value, cost and risk in the mission's units. */
export interface Totals {
  readonly value: number;
  readonly cost: number;
  readonly risk: number;
}

/**
 * Multipliers ≥ 0 of the Lagrangian bound. `budget` and `risk` are value per unit of cost and of risk; `at_most` and `at_least`
 * are value per item, the prices of the cardinality cuts. The multipliers in `counts` prove the most
 * and the fewest items that a feasible choice worth more than `value` holds.
 */
export interface Multipliers {
  readonly budget: number;
  readonly risk: number;
  readonly at_most: number;
  readonly at_least: number;
}

/** Multipliers ≥ 0 in items per unit of cost, risk and value: they prove how many items a choice worth more than `value` holds. */
export interface CountPrices {
  readonly budget: number;
  readonly risk: number;
  readonly value: number;
}

/** What proves the most and the fewest items; multipliers of 0 where no bound uses them. */
export interface Counts {
  readonly most: CountPrices;
  readonly least: CountPrices;
}

/** A link's price: index of the item, index of the other item, multiplier. Indices count `work.items` from 0. */
export type LinkPrice = readonly [number, number, number];

export interface Scenario extends Multipliers {
  readonly counts: Counts;
  /** Chosen items as a hexadecimal bitmap: item i is bit 3 − (i mod 4) of digit ⌊i / 4⌋. */
  readonly selection: string;
}

export interface Certificate extends Multipliers {
  readonly counts: Counts;
  readonly requires: readonly LinkPrice[];
  readonly excludes: readonly LinkPrice[];
  /** Null for a budget that what must be chosen exceeds. */
  readonly budget_minus_10: Scenario | null;
  readonly budget_plus_10: Scenario | null;
  /** One bitmap for each point of `pareto`. */
  readonly pareto: readonly string[];
  /** SHA-256 of the canonical JSON of the members above. */
  readonly digest: string;
}

export interface Sensitivity extends Totals {
  readonly budget: number;
  readonly bound: number;
  readonly optimality_proven: Proof;
}

/** An impossible item is one that no choice can hold, because of what it requires or of what must be chosen. */
export type Reason = 'impossible' | 'zero value' | 'requires' | 'excludes' | 'group' | 'budget' | 'risk' | 'lower value';

export interface AllocationResult extends Totals {
  readonly method: string;
  readonly selected: readonly string[];
  /** The proved upper bound on the value of any choice; checked from `certificate`. */
  readonly bound: number;
  /** (bound − value) / bound, 0 when the bound is 0. */
  readonly gap: number;
  readonly optimality_proven: Proof;
  readonly certificate: Certificate;
  readonly baseline: Totals & { readonly method: string };
  /** value − baseline.value */
  readonly improvement: number;
  readonly unit: string;
  readonly pareto: readonly Totals[];
  readonly excluded_because: readonly { readonly id: string; readonly reason: Reason }[];
  readonly sensitivity: { readonly budget_minus_10: Sensitivity | null; readonly budget_plus_10: Sensitivity | null };
  readonly limits: string;
}
