/** The work of a forecast mission: a series of observations and how far ahead to look. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import { choice, either, integer, list, number, object, optional, required, withDefault } from '../../codec/kit.js';
import { unit } from '../fields.js';

const season = integer(1, limits.season_max);

export const forecastWork = object(
  'Forecast',
  {
    kind: required(choice('forecast')),
    observations: required(
      list(number(-limits.observation_abs_max, limits.observation_abs_max), limits.observations_min, limits.observations_max),
    ),
    horizon: withDefault(integer(1, limits.horizon_max), 3),
    holdout: withDefault(integer(limits.holdout_min, limits.holdout_max), 4),
    season: withDefault(either(choice('auto'), season), 1),
    seasons: optional(list(season, 1, limits.seasons_max)),
    levels: withDefault(list(integer(1, 99), 1, limits.levels_max), [50, 80, 95]),
    unit: withDefault(unit, 'units'),
  },
  (work) => {
    const errors: FieldError[] = [];
    const train = work.observations.length - work.holdout;
    if (work.holdout * 3 > work.observations.length) {
      errors.push({ path: 'holdout', message: `must be at most a third of the ${work.observations.length} observations` });
    }
    const tooLong = (length: number): boolean => length > 1 && length * 2 > train;
    if (work.season !== 'auto' && tooLong(work.season)) {
      errors.push({ path: 'season', message: `needs two full seasons in the ${train} training observations` });
    }
    (work.seasons ?? []).forEach((length, i) => {
      if (tooLong(length))
        errors.push({ path: `seasons[${i}]`, message: `needs two full seasons in the ${train} training observations` });
    });
    if (new Set(work.levels).size < work.levels.length) errors.push({ path: 'levels', message: 'must be distinct' });
    return errors;
  },
);

export type ForecastWork = t.TypeOf<typeof forecastWork>;
