/** The work of a forecast mission: a series of observations, how far ahead to look, and optionally the dates of its steps. */
import type * as t from 'io-ts';
import { dateUnits, momentAfter, parseMoment, year_max } from './calendar.js';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import {
  added,
  choice,
  either,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  required,
  text,
  withDefault,
} from '../../codec/kit.js';
import { unit } from '../fields.js';

const season = integer(1, limits.season_max);

/** The distance between observations. */
const step = object('DateStep', {
  unit: required(choice(...dateUnits)),
  count: withDefault(integer(1, limits.date_step_count_max), 1),
});

type Step = t.TypeOf<typeof step>;

interface Dated {
  readonly start: string | null;
  readonly step: Step | null;
  readonly observations: readonly number[];
  readonly horizon: number;
}

/** Returns what is wrong with the dates of a mission. */
function dateFaults({ start, step: given, observations, horizon }: Dated): FieldError[] {
  if (start === null) return given === null ? [] : [{ path: 'start', message: 'is needed beside step' }];
  const moment = parseMoment(start);
  if (moment === null) {
    const message =
      'must be a date of the calendar, such as 2026-01-31, or a date and time, such as 2026-01-31T08:00:00Z or 2026-01-31T08:00:00+02:00';
    return [{ path: 'start', message }];
  }
  if (given === null) return [{ path: 'step', message: 'is needed beside start' }];
  const last = observations.length + horizon - 1;
  if (momentAfter(moment, given, last) !== null) return [];
  return [
    {
      path: 'step',
      message: `the ${observations.length} observations and ${horizon} steps ahead end after the year ${year_max}`,
    },
  ];
}

export const forecastWork = object(
  'Forecast',
  {
    kind: required(choice('forecast')),
    observations: required(
      list(number(-limits.observation_abs_max, limits.observation_abs_max), limits.observations_min, limits.observations_max),
    ),
    horizon: withDefault(integer(1, limits.horizon_max), 3),
    holdout: withDefault(integer(limits.holdout_min, limits.holdout_max), 4),
    season: withDefault(either(choice('auto'), season), 'auto'),
    seasons: optional(list(season, 1, limits.seasons_max)),
    levels: withDefault(list(integer(1, 99), 1, limits.levels_max), [50, 80, 95]),
    unit: withDefault(unit, 'units'),
    /** The date of the first observation. */
    start: added('2.0.0', nullable(text({ max: limits.date_chars_max })), null),
    step: added('2.0.0', nullable(step), null),
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
    return [...errors, ...dateFaults(work)];
  },
);

export type ForecastWork = t.TypeOf<typeof forecastWork>;
