/**
 * What a result says that follows from its request and its predictions: the errors on the holdout (Hyndman and Koehler 2006) and the dates of its
 * steps. Sums are in the order of time, so that who computes them again gets the same digits.
 */
import { round12 } from '../../base/decimal.js';
import { dateOfStep } from './calendar.js';
import type { ForecastWork } from './work.js';

/** Null or NaN where nothing was observed. */
type Values = ArrayLike<number | null>;

/** Returns the distance of two values, NaN where one of them was not observed. */
const apart = (a: number | null = null, b: number | null = null): number => Math.abs((a ?? Number.NaN) - (b ?? Number.NaN));

/** Returns the mean of `of(0)`, `of(1)`, …, of those that are known; NaN where none is. */
function meanOf(count: number, of: (k: number) => number): number {
  let [sum, known] = [0, 0];
  for (let k = 0; k < count; k++) {
    const value = of(k);
    if (Number.isNaN(value)) continue;
    sum += value;
    known++;
  }
  return sum / known;
}

/** The training observations without outliers: with their gaps, the last of them with what stands for one, and the period of MASE. */
interface Training {
  readonly values: Values;
  readonly last: number;
  readonly period: number;
}

export function errorsOf(actual: Values, path: Values, { values, last, period }: Training) {
  const off = (k: number): number => apart(actual[k], path[k]);
  /** 200·|a − f| / (|a| + |f|), in per cent; a step where both are 0 counts 0. */
  const percentage = (k: number): number => {
    const size = Math.abs(actual[k] ?? 0) + Math.abs(path[k] ?? 0);
    return size > 0 ? (200 * off(k)) / size : off(k);
  };
  const mae = round12(meanOf(actual.length, off));
  const scale = meanOf(values.length - period, (k) => apart(values[k + period], values[k]));
  const baseline = round12(meanOf(actual.length, (k) => apart(actual[k], last)));
  return {
    holdout_mae: mae,
    holdout_mase: scale > 0 ? round12(mae / scale) : null,
    holdout_smape: round12(meanOf(actual.length, percentage)),
    baseline_mae: baseline,
    improvement: baseline > 0 ? round12(1 - mae / baseline) : null,
  };
}

/** Returns the dates of the holdout and of the steps ahead; nothing for a mission without dates. */
export function datesOf({ start, step, observations: { length }, holdout, horizon }: ForecastWork) {
  if (start === null || step === null) return {};
  const from = (first: number, count: number): string[] =>
    Array.from({ length: count }, (_, i) => dateOfStep(start, step, first + i) ?? '');
  return { holdout_dates: from(length - holdout, holdout), forecast_dates: from(length, horizon) };
}
