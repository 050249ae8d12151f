import * as t from 'io-ts';
import { figuresOf, saved, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import type { ForecastWork } from './work.js';

const figures = t.type({ holdout_mae: finite, baseline_mae: finite });

/** Returns what the forecast saves of the mean absolute error that repeating the last training value makes on the holdout. */
export function forecastImprovement({ unit }: ForecastWork, result: unknown): Improvement {
  const { holdout_mae, baseline_mae } = figuresOf(figures, result);
  return saved(baseline_mae, holdout_mae, unit);
}
