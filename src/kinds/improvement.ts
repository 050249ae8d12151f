/** What a result gains over the baseline that it names, as the market stage states it. */
import type * as t from 'io-ts';
import { decimalDifference, round12 } from '../base/decimal.js';
import { Fault } from '../base/refusal.js';
import { viewOf } from './view-fields.js';

export interface Improvement {
  /** How much better the result's objective is than the baseline's, negative for a worse one; null for a kind without an objective. */
  readonly objective_improvement: number | null;
  /** The unit of `objective_improvement`; null for a value without a unit. */
  readonly unit: string | null;
  /** `objective_improvement` as a share of the baseline; null for a baseline of 0. */
  readonly improvement_ratio: number | null;
}

/** The improvement of a kind whose results have no objective. */
export const without_objective: Improvement = { objective_improvement: null, unit: null, improvement_ratio: null };

/** Returns the improvement of an objective to be minimised: how much of the baseline the result saves. */
export const saved = (baseline: number, value: number, unit: string): Improvement =>
  stated(decimalDifference(baseline, value), baseline, unit);

/** Returns the improvement of an objective to be maximised, which has no unit: how much the result adds to the baseline. */
export const gained = (baseline: number, value: number): Improvement =>
  stated(decimalDifference(value, baseline), baseline, null);

const stated = (difference: number, baseline: number, unit: string | null): Improvement => ({
  objective_improvement: Number.isSafeInteger(difference) ? difference : round12(difference),
  unit,
  improvement_ratio: baseline === 0 ? null : round12(difference / baseline),
});

/** Returns the figures of a result that passed its verifier. @throws Fault when it lacks any of them */
export function figuresOf<A>(codec: t.Type<A, unknown>, result: unknown): A {
  const figures = viewOf(codec, result);
  if (figures === null) throw new Fault('a verified result lacks the figures that its improvement is computed from');
  return figures;
}
