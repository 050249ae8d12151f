/** Verifies results of version 1.0.0. */
import type { ForecastWork } from '../../work.js';
import type { EngineInput, Verification } from '../../../../engines/engine.js';
import { claims } from '../claims.js';
import { firstDifference } from '../shape.js';
import { expectedModels, outline } from './plan.js';
import { rebuild } from './rebuild.js';

export function verifyFirstForecast({ work }: EngineInput<ForecastWork>, result: unknown): Verification {
  const checks: string[] = [];
  const failed = (failure: string): Verification => ({ passed: false, checks, failure });
  const plan = outline(work);
  const expected = expectedModels(plan);
  checks.push('every model of the pool once, its fitted parameters on their grid and in their range');
  const claimed = claims(result, expected);
  if (typeof claimed === 'string') return failed(claimed);
  checks.push(
    'scores, weights, predictions, measures, bands and forecast recomputed from the parameters, equal to the last digit',
  );
  if (work.start !== null) checks.push('the date of every step counted from the start');
  const rebuilt = rebuild(work, plan, expected, claimed);
  const difference = firstDifference(rebuilt, result, 'result');
  return difference === null ? { passed: true, checks, failure: null } : failed(difference);
}
