/** The dates of a forecast's steps. */
import { dateOfStep } from '../calendar.js';
import { Fault } from '../../../base/fault.js';
import type { ForecastDates } from '../result.js';
import type { ForecastWork } from '../work.js';

/** Returns the dates of the holdout and of the steps ahead; nothing for a mission without dates. */
export function datesOf({ start, step, observations, holdout, horizon }: ForecastWork): Partial<ForecastDates> {
  if (start === null || step === null) return {};
  const dateOf = (steps: number): string => {
    const date = dateOfStep(start, step, steps);
    if (date === null) throw new Fault('the work of the mission was not checked: a step has no date');
    return date;
  };
  const from = (first: number, count: number): string[] => Array.from({ length: count }, (_, i) => dateOf(first + i));
  return {
    holdout_dates: from(observations.length - holdout, holdout),
    forecast_dates: from(observations.length, horizon),
  };
}
