/** The bands of the holdout, from residuals of the training observations, and those of the forecast, from residuals of all observations. */
import { round12 } from '../../../base/decimal.js';
import type { Band } from '../result.js';
import type { ForecastWork } from '../work.js';
import { factorFor, type Residuals, sortedRatios, spreads } from './intervals.js';
import { levelAt, levelPower, levelRatio } from './level.js';
import type { Plan } from './plan.js';
import { masePeriod } from './score.js';

export interface Bands {
  readonly factors: readonly { readonly level: number; readonly factor: number }[];
  readonly spread: Float64Array;
  readonly power: number;
}

/** A path of the combination, and the number of values before it. */
export interface Tried {
  readonly origin: number;
  readonly path: Float64Array;
}

/** Returns the bands of the steps after `y`, which has no outliers. */
export function bandsOf({ levels, horizon, holdout }: ForecastWork, plan: Plan, y: Float64Array, tried: readonly Tried[]): Bands {
  const period = masePeriod(plan);
  // Whole paths fit only into the end of a long series, where the level is that of the forecast.
  const power = plan.isCut ? levelPower(y, period) : 0;
  const last = levelAt(y, y.length, period);
  const rows = tried.map(({ origin, path }) => {
    const ratio = levelRatio(last, levelAt(y, origin, period), power);
    return path.subarray(0, Math.min(plan.steps, y.length - origin)).map((v, k) => ((y[origin + k] ?? 0) - v) * ratio);
  });
  const residuals: Residuals = { rows, count: y.length };
  const spread = spreads(residuals, plan, Math.max(horizon, holdout));
  const ratios = sortedRatios(residuals, spread);
  const factors = levels.map((level) => ({ level, factor: round12(factorFor(level, ratios, residuals, plan)) }));
  return { factors, spread, power };
}

export function bandsAround({ factors, spread }: Bands, path: readonly number[]): Band[] {
  return factors.map(({ level, factor }) => ({
    level,
    lower: path.map((v, k) => round12(v - factor * (spread[k] ?? 0))),
    upper: path.map((v, k) => round12(v + factor * (spread[k] ?? 0))),
  }));
}

const origins_max = 24;

/** Returns the origins in the holdout, whose errors enter the bands of the forecast once the holdout is measured. */
export function holdoutOrigins({ trainCount, stride }: Plan, count: number): number[] {
  const step = Math.max(stride, Math.ceil((count - trainCount) / origins_max));
  const origins: number[] = [];
  for (let o = trainCount; o < count; o += step) origins.push(o);
  return origins;
}
