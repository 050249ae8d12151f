/** The fitted parameters that an untrusted result claims. */
import { round12 } from '../../../base/decimal.js';
import type { Expected, Range } from './former/plan.js';
import type { Parameters } from './plain.js';
import { isRecord } from './shape.js';

/** A model's fitted parameters in a result: on the training data, and on all observations. */
export interface Claimed {
  readonly parameters: Parameters;
  readonly refit: Parameters | null;
}

export type Claims = ReadonlyMap<string, Claimed>;

/** Returns the parameters by model, or what is wrong with them. */
export function claims(result: unknown, expected: Expected): Claims | string {
  const models = isRecord(result) ? result['models'] : undefined;
  if (!Array.isArray(models)) return 'result.models: is not a list';
  const found = new Map<string, Claimed>();
  for (const [i, row] of (models as readonly unknown[]).entries()) {
    const where = `result.models[${i}]`;
    if (!isRecord(row) || typeof row['name'] !== 'string') return `${where}: has no name`;
    const ranges = expected.get(row['name']);
    if (ranges === undefined || found.has(row['name'])) return `${where}.name: is not a model of this pool, or appears twice`;
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
