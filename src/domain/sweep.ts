/** Sweeps: one field of a request over a range of values, each value with the same seeds, and what the results say of the field's influence. */
import * as E from 'fp-ts/lib/Either.js';
import { round12 } from '../base/decimal.js';
import { invalid } from '../base/refusal.js';
import { ok, type Result } from '../base/result.js';
import { seed_max, sweep_runs_max } from '../base/limits.js';
import type { ForecastEntry } from '../codec/simulation-results.js';

export const sweepFields = [
  'horizon',
  'k',
  'x0',
  'energy',
  'entropy',
  'pop_size',
  'generations',
  'mut_rate',
  'xover_rate',
  'num_sectors',
  'samples',
] as const;
export type SweepField = (typeof sweepFields)[number];

export interface Sweep {
  readonly field: SweepField;
  readonly values: readonly number[];
}

const number = '(-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)';
const pattern = new RegExp(`^([a-z0-9_-]{1,40})=${number}\\.\\.${number}:${number}$`);

/** Returns the sweep that a text as `k=5..15:1` names: the values from 5 to 15 in steps of 1. */
export function readSweep(text: string): Result<Sweep> {
  const [, given = '', from, to, step] = pattern.exec(text) ?? [];
  if (from === undefined) return E.left(invalid('sweep', 'must be FIELD=FROM..TO:STEP, as in k=5..15:1'));
  const field = sweepFields.find((name) => name === given.replaceAll('-', '_'));
  if (field === undefined) return E.left(invalid('sweep', `must name one of ${sweepFields.join(', ')}`));
  const [first, last, by] = [Number(from), Number(to), Number(step)];
  if (!(by > 0 && last >= first))
    return E.left(invalid('sweep', 'must have a step above 0 and an end that is not before the start'));
  // An end that the steps reach but for rounding belongs to the values.
  const steps = Math.floor(round12((last - first) / by));
  if (!(steps < sweep_runs_max)) return E.left(invalid('sweep', `must have at most ${sweep_runs_max} values`));
  return ok({ field, values: Array.from({ length: steps + 1 }, (_, i) => round12(first + i * by)) });
}

/** Returns the seeds of each value: the first one and those after it. */
export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => (first + i) % (seed_max + 1));

export const sweepMeasures = ['affected', 'effectiveness', 'hypervolume'] as const;
export type SweepMeasure = (typeof sweepMeasures)[number];

/** One run of a sweep. */
export interface SweepRun extends Readonly<Record<SweepMeasure, number>> {
  readonly id: string;
  readonly seed: number;
  readonly outcome_hash: string;
}

export interface Spread {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

export interface SweepPoint extends Readonly<Record<SweepMeasure, Spread>> {
  readonly value: number;
  readonly forecast: readonly Pick<ForecastEntry, 'year' | 'capability' | 'affected'>[];
  readonly runs: readonly SweepRun[];
}

export interface Sensitivity {
  readonly measure: SweepMeasure;
  /** Least-squares slope of the means over the field's values; null for a single value. */
  readonly slope: number | null;
  /** The share of the variance over all runs that the field explains (correlation ratio η²); null where nothing varies. */
  readonly explained: number | null;
}

export function pointOf(value: number, forecast: SweepPoint['forecast'], runs: readonly SweepRun[]): SweepPoint {
  const spread = (measure: SweepMeasure): Spread => spreadOf(runs.map((run) => run[measure]));
  return {
    value,
    forecast,
    affected: spread('affected'),
    effectiveness: spread('effectiveness'),
    hypervolume: spread('hypervolume'),
    runs,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

const spreadOf = (values: readonly number[]): Spread => ({
  mean: round12(mean(values)),
  min: values.reduce((least, value) => Math.min(least, value)),
  max: values.reduce((most, value) => Math.max(most, value)),
});

export const sensitivityOf = (points: readonly SweepPoint[]): Sensitivity[] =>
  sweepMeasures.map((measure) => ({ measure, slope: slopeOf(points, measure), explained: explainedBy(points, measure) }));

function slopeOf(points: readonly SweepPoint[], measure: SweepMeasure): number | null {
  const x = mean(points.map(({ value }) => value));
  const y = mean(points.map((point) => point[measure].mean));
  const squares = sum(points.map(({ value }) => (value - x) ** 2));
  if (!(squares > 0)) return null;
  return round12(sum(points.map((point) => (point.value - x) * (point[measure].mean - y))) / squares);
}

function explainedBy(points: readonly SweepPoint[], measure: SweepMeasure): number | null {
  const all = points.flatMap(({ runs }) => runs.map((run) => run[measure]));
  const middle = mean(all);
  const total = sum(all.map((value) => (value - middle) ** 2));
  if (!(total > 0)) return null;
  const between = sum(points.map(({ runs }) => runs.length * (mean(runs.map((run) => run[measure])) - middle) ** 2));
  return round12(Math.min(1, between / total));
}
