/**
 * The reference agent's rule for forecasts: the whole result is computed again, as Python computes it, and must be equal. The
 * entry does not record which of Python's two sums the runtime used, so either is accepted, but only one for the whole result.
 */
import type { ReferenceRules } from '../kind.js';
import type { ForecastWork } from './work.js';
import { need } from '../claims.js';
import type { ReferenceResult } from '../reading.js';

/**
 * Python's sum of floats, accumulated step by step: plain additions from left to right before Python 3.12; from 3.12 on with
 * Neumaier's compensation (A. Neumaier, ZAMM 54, 1974), whose correction is added at the end.
 */
type Summation = 'plain' | 'compensated';

export class PythonSum {
  private high = 0;
  private low = 0;

  constructor(private readonly kind: Summation) {}

  add(x: number): void {
    const sum = this.high + x;
    if (this.kind === 'compensated') this.low += Math.abs(this.high) >= Math.abs(x) ? this.high - sum + x : x - sum + this.high;
    this.high = sum;
  }

  get value(): number {
    return this.low !== 0 && Number.isFinite(this.low) ? this.high + this.low : this.high;
  }
}

const policies = ['drift', 'last', 'mean', 'seasonal'] as const;
type Policy = (typeof policies)[number];
/** Texts about the result: data under its hash, which are not compared. */
const described: readonly string[] = ['method', 'limits'];

function checkForecast(work: ForecastWork, { node }: ReferenceResult): readonly string[] {
  need(work.season !== 'auto', 'the season must be a number');
  need(node.members !== null, 'the result must be an object');
  const given: Members = Object.fromEntries([...node.members].map(([name, member]) => [name, member.value]));
  const { season } = work;
  const observations = work.observations.filter((value) => value !== null);
  need(observations.length === work.observations.length, 'the observations must have no gaps');
  const series: Series = { ...work, observations };
  const faults = (['compensated', 'plain'] as const).map((kind) => difference(given, recompute(series, season, kind)));
  need(faults.includes(null), `${faults[0] ?? 'a member'} is not what its observations give`);
  return ['training and holdout apart', 'every number computed again'];
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the name of the first member that differs, or null. */
function difference(given: Members, expected: Members): string | null {
  for (const [name, value] of Object.entries(expected)) if (!isSame(given[name], value)) return name;
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(expected, name)) continue;
    if (!described.includes(name) || typeof value !== 'string') return name;
  }
  return described.find((name) => !Object.hasOwn(given, name)) ?? null;
}

function isSame(given: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return given === expected;
  if (typeof given !== 'object' || given === null || Array.isArray(given) !== Array.isArray(expected)) return false;
  const [known, wanted] = [Object.entries(given), Object.entries(expected)];
  return known.length === wanted.length && wanted.every(([name, value]) => isSame((given as Members)[name], value));
}

/** A mission without gaps, which the Python agent does not know. */
interface Series extends Pick<ForecastWork, 'holdout' | 'horizon' | 'unit'> {
  readonly observations: readonly number[];
}

function recompute({ observations, holdout, horizon, unit }: Series, season: number, kind: Summation): Members {
  const split = observations.length - holdout;
  const train = observations.slice(0, split);
  const half = Math.max(2 * season, Math.floor(split / 2));
  const start = half >= split ? split - 1 : half;
  const error = (series: readonly number[], from: number, policy: Policy): number =>
    meanAbsoluteError(series.slice(from), walk(series, from, policy, season, kind), kind);
  const training_scores = Object.fromEntries(policies.map((policy) => [policy, error(train, start, policy)]));
  // The policies are in the order of their names, so the first of equal scores is also the first by name.
  const policy = policies.reduce((best, name) => ((training_scores[name] ?? 0) < (training_scores[best] ?? 0) ? name : best));
  const baseline_mae = error(observations, split, 'last');
  const holdout_mae = error(observations, split, policy);
  return {
    policy,
    training_scores,
    train_count: split,
    holdout_actual: observations.slice(split),
    holdout_predictions: walk(observations, split, policy, season, kind),
    holdout_mae,
    baseline_mae,
    improvement: baseline_mae - holdout_mae,
    forecast: future(observations, horizon, policy, season, kind),
    unit,
  };
}

function meanAbsoluteError(expected: readonly number[], predicted: readonly number[], kind: Summation): number {
  const sum = new PythonSum(kind);
  expected.forEach((value, i) => sum.add(Math.abs(value - (predicted[i] ?? Number.NaN))));
  return sum.value / expected.length;
}

const at = (series: readonly number[], i: number): number => series[i] ?? Number.NaN;
const slope = (series: readonly number[], length: number): number =>
  (at(series, length - 1) - at(series, 0)) / Math.max(1, length - 1);

/**
 * Forecasts one step ahead from each history `series[0 … i − 1]`, for i from `from` on. The sum of a history grows by one value
 * per step.
 */
function walk(series: readonly number[], from: number, policy: Policy, season: number, kind: Summation): number[] {
  const sum = new PythonSum(kind);
  const predictions: number[] = [];
  for (let i = 0; i < series.length; i++) {
    if (i >= from) predictions.push(step(series, i, 1, policy, season, sum));
    sum.add(at(series, i));
  }
  return predictions;
}

/** Returns the policy's forecast `ahead` steps after the first `length` values, whose sum is `sum`. */
function step(series: readonly number[], length: number, ahead: number, policy: Policy, season: number, sum: PythonSum): number {
  switch (policy) {
    case 'last':
      return at(series, length - 1);
    case 'mean':
      return sum.value / length;
    case 'drift':
      return at(series, length - 1) + slope(series, length) * ahead;
    case 'seasonal':
      return at(series, length - season + ((ahead - 1) % season));
  }
}

function future(series: readonly number[], horizon: number, policy: Policy, season: number, kind: Summation): number[] {
  const sum = new PythonSum(kind);
  for (const value of series) sum.add(value);
  return Array.from({ length: horizon }, (_, i) => step(series, series.length, i + 1, policy, season, sum));
}

export const forecastReference: ReferenceRules<ForecastWork> = { check: checkForecast, solution: () => null };
