/**
 * The members of a forecast result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { nullable, number } from '../../codec/kit.js';
import { finite, numbers, texts } from '../view-fields.js';

export const forecastResult = t.type({
  models: t.array(t.type({ name: t.string, weight: finite })),
  train_count: number(0, Number.MAX_SAFE_INTEGER),
  holdout_actual: numbers,
  holdout_predictions: numbers,
  holdout_mae: finite,
  holdout_mase: nullable(finite),
  holdout_smape: finite,
  baseline_mae: finite,
  improvement: nullable(finite),
  coverage: t.array(t.type({ level: finite, share: finite })),
  forecast: numbers,
  intervals: t.array(t.type({ level: finite, lower: numbers, upper: numbers })),
  unit: t.string,
  limits: texts,
});

export const forecastRequest = t.type({ work: t.type({ observations: numbers }) });

export type ForecastView = t.TypeOf<typeof forecastResult>;
