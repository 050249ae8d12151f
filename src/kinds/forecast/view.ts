/**
 * The members of a forecast result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { dateOfStep, dateUnits } from './calendar.js';
import { choice, nullable, number } from '../../codec/kit.js';
import { given, inputsFor, listed } from '../inputs.js';
import { finite, maybe, numbers, texts } from '../view-fields.js';
import { forecastWork } from './work.js';

/** Null for a gap. */
const observations = t.array(nullable(finite));
const dates = maybe(t.array(t.string));
/** What results of the engine's version 1 lack. */
const diagnostics = t.type({
  seasons: maybe(numbers),
  median_share: maybe(finite),
  median_of: maybe(t.array(t.string)),
  outliers: maybe(t.array(t.type({ index: number(0, Number.MAX_SAFE_INTEGER), value: finite, replacement: finite }))),
});

const effect = t.type({
  name: t.string,
  effect: nullable(finite),
  lower: nullable(finite),
  upper: nullable(finite),
  applied: finite,
});

export const forecastResult = t.type({
  models: t.array(t.type({ name: t.string, weight: finite })),
  train_count: number(0, Number.MAX_SAFE_INTEGER),
  holdout_actual: observations,
  holdout_predictions: numbers,
  holdout_mae: finite,
  holdout_mase: nullable(finite),
  holdout_smape: finite,
  baseline_mae: finite,
  improvement: nullable(finite),
  coverage: t.array(t.type({ level: finite, share: finite })),
  forecast: numbers,
  intervals: t.array(t.type({ level: finite, lower: numbers, upper: numbers })),
  effects: maybe(t.array(effect)),
  diagnostics: maybe(diagnostics),
  /** The dates are there where the mission has them. */
  holdout_dates: dates,
  forecast_dates: dates,
  unit: t.string,
  limits: texts,
});

const step = t.type({ unit: choice(...dateUnits), count: number(1, Number.MAX_SAFE_INTEGER) });

export const forecastRequest = t.type({
  work: t.type({ observations, start: maybe(t.string), step: maybe(step) }),
});

const own_columns: readonly string[] = ['step', 'date', 'value'];

export const forecastInputs = inputsFor(forecastWork, ({ observations: values, start, step: each, ...work }) => {
  const { unit, horizon, holdout, season, seasons, levels, gaps, outliers, may_be_negative, regressors = {} } = work;
  const known = Object.entries(regressors).map(
    ([name, steps]) => [own_columns.includes(name) ? `${name} (2)` : name, (_: unknown, i: number) => steps[i]] as const,
  );
  // What is known beforehand has values for the steps ahead too.
  const rows = [...values, ...Array.from({ length: known.length === 0 ? 0 : horizon }, () => null)];
  return {
    facts: given({
      unit,
      horizon,
      holdout,
      season,
      seasons: seasons?.join(', '),
      levels: levels.join(', '),
      gaps,
      outliers,
      may_be_negative: may_be_negative === undefined ? null : String(may_be_negative),
    }),
    tables: [
      listed('observations', rows, {
        step: (_, i) => (start === null ? i + 1 : null),
        date: (_, i) => (start === null || each === null ? null : dateOfStep(start, each, i)),
        value: (value) => value,
        ...Object.fromEntries(known),
      }),
    ],
    names: {
      horizon: 'steps ahead',
      levels: 'intervals, %',
      'may_be_negative.true': 'yes',
      'may_be_negative.false': 'no',
      'gaps.interpolate': 'the line between the values beside them',
      'gaps.previous': 'the value before',
    },
  };
});

export type ForecastView = t.TypeOf<typeof forecastResult>;
export type ForecastInput = t.TypeOf<typeof forecastRequest>['work'];

/** An observation that the forecast was made without. */
export interface OutlierView {
  /** Counted from 1 for the oldest observation. */
  readonly step: number;
  readonly value: number;
  /** What the methods take in its place. */
  readonly replacement: number;
}

export const outliersOf = ({ diagnostics }: ForecastView): readonly OutlierView[] =>
  (diagnostics?.outliers ?? []).map(({ index, value, replacement }) => ({ step: index + 1, value, replacement }));

/** Returns whether a scale leaves an outlier out: with it, the other values would have less than half of the height. */
export const isBeyond = ({ value }: OutlierView, [low, high]: readonly [number, number]): boolean =>
  high > low && (value > high + (high - low) || value < low - (high - low));

/** What weighs less changes no figure that people read. */
const weight_min = 0.0005;

/** Returns what a forecast combines, each with its weight in the whole, the heaviest first. @param nameOf names the median of models */
export function weightsOf(
  result: ForecastView,
  nameOf: (models: string) => string,
): readonly { readonly name: string; readonly weight: number }[] {
  const { share, models } = medianOf(result);
  const mean = result.models.map(({ name, weight }) => ({ name, weight: weight * (1 - share) }));
  return [...mean, { name: nameOf(models.join(', ')), weight: share }]
    .filter(({ weight }) => weight >= weight_min)
    .toSorted((a, b) => b.weight - a.weight);
}

/** Returns the share of the median in the combination and the models that it is of; 0 without one. */
export const medianOf = ({ diagnostics }: ForecastView): { readonly share: number; readonly models: readonly string[] } => ({
  share: diagnostics?.median_share ?? 0,
  models: diagnostics?.median_of ?? [],
});
