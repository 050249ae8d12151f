/** An upper bound of a result's size. */
import { canonicalJson } from '../../base/canonical-json.js';
import { type Extent, marksIn, top_level_marks, type SizeBounds } from '../size.js';
import { date_chars_max } from '../../base/limits.js';
import type { ForecastWork } from './work.js';

/** A double in shortest form has at most 24 characters and a number of 12 digits below 1e21 at most 22; one more for the comma. */
const given_bytes = 25;
const computed_bytes = 23;
/** A character of the unit can take six bytes as an escape. */
const text_bytes = 6;
/** Names, weights, scores and parameters of at most 38 models, origins, at most 40 outliers and sentences. */
const rest_bytes = 24_000;
const level_bytes = 160;
/** A date in quotation marks with a comma. */
const date_bytes = date_chars_max + 3;

/** What the effect of a regressor takes: its figures in result and diagnostics, and its name also in sentences. */
const effect_bytes = 300;
const effect_names = 5;
const effect_marks = 40;

/** The models' names and parameters take less than half of `rest_bytes`. */
const model_marks = 12_000;

function result({ start, holdout, horizon, levels, unit, regressors = {} }: ForecastWork): Extent {
  const values = holdout + horizon + 2 * horizon * levels.length;
  const dates = start === null ? 0 : holdout + horizon;
  let bytes = rest_bytes + given_bytes * holdout + computed_bytes * values;
  bytes += level_bytes * levels.length + date_bytes * dates + text_bytes * unit.length;
  let marks = top_level_marks + model_marks + marksIn(canonicalJson(unit)) + 2 * dates;
  for (const name of Object.keys(regressors)) {
    bytes += effect_bytes + effect_names * text_bytes * name.length;
    marks += effect_marks + 2 * effect_names * marksIn(canonicalJson(name));
  }
  return { bytes, marks };
}

export const forecastSize: SizeBounds<ForecastWork> = { result };
