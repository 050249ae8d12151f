/**
 * Rebuilds the whole result from the request and the fitted parameters in the result, with its own code, and compares every
 * member without tolerance. The parameters themselves must lie on their grid and within their range.
 */
import { round12 } from '../../../../base/decimal.js';
import type { ForecastWork } from '../../work.js';
import type { EngineInput, Verification } from '../../../../engines/engine.js';
import { rebuild } from './rebuild.js';
import { firstDifference, isRecord } from '../shape.js';
import { type Expected, expectedModels, outline, type Range } from './plan.js';
import type { Claimed, Parameters } from './models.js';

export function verifyForecast({ work }: EngineInput<ForecastWork>, result: unknown): Verification {
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

/** Returns the parameters by model, or what is wrong with them. */
function claims(result: unknown, expected: Expected): ReadonlyMap<string, Claimed> | string {
  const models = isRecord(result) ? result['models'] : undefined;
  if (!Array.isArray(models)) return 'result.models: is not a list';
  const found = new Map<string, Claimed>();
  for (const [i, row] of (models as readonly unknown[]).entries()) {
    const where = `result.models[${i}]`;
    if (!isRecord(row) || typeof row['name'] !== 'string') return `${where}: has no name`;
    const ranges = expected.get(row['name']);
    if (ranges === undefined || found.has(row['name'])) return `${where}.name: is no model of this pool, or is there twice`;
    const parameters = within(row['parameters'], ranges);
    const refit = row['refit'] === null ? null : within(row['refit'], ranges);
    if (parameters === undefined) return `${where}.parameters: not as the model takes them`;
    if (refit === undefined) return `${where}.refit: not as the model takes them`;
    found.set(row['name'], { parameters, refit });
  }
  const missing = [...expected.keys()].find((name) => !found.has(name));
  return missing === undefined ? found : `result.models: lacks ${missing}`;
}

function within(value: unknown, ranges: Readonly<Record<string, Range>>): Parameters | undefined {
  if (!isRecord(value) || Object.keys(value).length !== Object.keys(ranges).length) return undefined;
  const parameters: Record<string, number> = {};
  for (const [name, { low, high, grid }] of Object.entries(ranges)) {
    const v = value[name];
    if (typeof v !== 'number' || !(v >= low && v <= high) || v !== Math.round(v * grid) / grid || v !== round12(v))
      return undefined;
    parameters[name] = v;
  }
  return parameters;
}
