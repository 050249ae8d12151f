/** The work of a forecast mission: a series of observations, how far ahead to look, and optionally the dates of its steps. */
import { canStart, type DateUnit, dateUnits, momentAfter, parseMoment, year_max } from './calendar.js';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import type { Members } from '../../codec/field.js';
import {
  added,
  choice,
  either,
  flag,
  integer,
  list,
  mapOf,
  nullable,
  number,
  object,
  optional,
  required,
  text,
  withDefault,
} from '../../codec/kit.js';
import { title, unit } from '../fields.js';

const observation = number(-limits.observation_abs_max, limits.observation_abs_max);
const season = integer(1, limits.season_max);

/** The distance between observations. */
const step = object('DateStep', {
  unit: required(choice(...dateUnits)),
  count: withDefault(integer(1, limits.date_step_count_max), 1),
});

/** A value of the series; null for a gap, a step without a value. */
export type Observation = number | null;

const regressors_max = 20;
/** Regressors together with the observations, so that a mission stays within its size. */
const values_max = 45_000;

const members = {
  kind: required(choice('forecast')),
  observations: required(list(nullable(observation), limits.observations_min, limits.observations_max)),
  /** What the gaps stand for: the line between the values beside them, 0, or the value before. */
  gaps: optional(choice('interpolate', 'zero', 'previous')),
  horizon: withDefault(integer(1, limits.horizon_max), 3),
  holdout: withDefault(integer(limits.holdout_min, limits.holdout_max), 4),
  season: withDefault(either(choice('auto'), season), 'auto'),
  seasons: optional(list(season, 1, limits.seasons_max)),
  levels: withDefault(list(integer(1, 99), 1, limits.levels_max), [50, 80, 95]),
  /** Whether single values far from all others are replaced: absent, all but a last one, which may begin a step. */
  outliers: optional(choice('replace', 'keep')),
  /** A series that was never negative is forecast so, unless this says that it may become negative. */
  may_be_negative: optional(flag),
  /**
   * What is known beforehand and moves the series, such as holidays and promotions as 0 and 1, by name: a value for each observation and
   * each step ahead.
   */
  regressors: optional(mapOf(list(observation, 1, values_max))),
  unit: withDefault(unit, 'units'),
  /** The date of the first observation. */
  start: added('2.0.0', nullable(text({ max: limits.date_chars_max })), null),
  step: added('2.0.0', nullable(step), null),
};

export type ForecastWork = Members<typeof members>;

const startOf: Partial<Record<DateUnit, string>> = {
  business_day: 'must be a day from Monday to Friday',
  month_end: 'must be the last day of a month',
};

/** Returns what is wrong with the dates of a mission. */
function dateFaults({ start, step: given, observations, horizon }: ForecastWork): FieldError[] {
  if (start === null) return given === null ? [] : [{ path: 'start', message: 'is needed beside step' }];
  const moment = parseMoment(start);
  if (moment === null) {
    const message =
      'must be a date of the calendar, such as 2026-01-31, or a date and time, such as 2026-01-31T08:00:00Z or 2026-01-31T08:00:00+02:00';
    return [{ path: 'start', message }];
  }
  if (given === null) return [{ path: 'step', message: 'is needed beside start' }];
  if (!canStart(moment, given.unit)) return [{ path: 'start', message: startOf[given.unit] ?? '' }];
  const last = observations.length + horizon - 1;
  if (momentAfter(moment, given, last) !== null) return [];
  return [
    {
      path: 'step',
      message: `the ${observations.length} observations and ${horizon} steps ahead end after the year ${year_max}`,
    },
  ];
}

/** Observed values before the holdout: as many as the shortest series without gaps has. */
const trained_min = 8;

/** Returns what is wrong with the gaps of a series: most of it has to be observed, and some of what the error is measured on. */
function gapFaults({ observations, gaps, holdout }: ForecastWork): FieldError[] {
  const observed = (values: readonly Observation[]): number => values.filter((value) => value !== null).length;
  const all = observed(observations);
  if (all === observations.length)
    return gaps === undefined ? [] : [{ path: 'gaps', message: 'is for a series in which values are null' }];
  const held = observed(observations.slice(-holdout));
  const trained = all - held;
  const errors: FieldError[] = [];
  if (gaps === undefined)
    errors.push({ path: 'gaps', message: `is needed, because ${observations.length - all} of the observations are null` });
  if (all < limits.observations_min)
    errors.push({ path: 'observations', message: `has ${all} values, at least ${limits.observations_min} are needed` });
  else if (trained < trained_min)
    errors.push({
      path: 'observations',
      message: `has ${trained} values before the holdout, at least ${trained_min} are needed`,
    });
  if (held < limits.holdout_min)
    errors.push({ path: 'holdout', message: `holds ${held} values back, at least ${limits.holdout_min} are needed` });
  return errors;
}

/** Returns what is wrong with the regressors: each has a value for every observation and step ahead, and more than one among the observed. */
function regressorFaults({ observations, horizon, regressors = {} }: ForecastWork): FieldError[] {
  const entries = Object.entries(regressors);
  const wanted = observations.length + horizon;
  const count = entries.reduce((sum, [, values]) => sum + values.length, observations.length);
  const errors: FieldError[] = [];
  if (entries.length > regressors_max)
    errors.push({ path: 'regressors', message: `has ${entries.length} columns, at most ${regressors_max} are taken` });
  if (count > values_max)
    errors.push({ path: 'regressors', message: `makes ${count} values with the observations, at most ${values_max} are taken` });
  for (const [name, values] of entries) {
    const path = `regressors.${name}`;
    if (!title.is(name)) errors.push({ path, message: `must have a name of 1 to ${limits.title_chars_max} characters` });
    if (values.length !== wanted) {
      const message = `has ${values.length} values, ${wanted} are needed: one for each of ${observations.length} observations and ${horizon} steps ahead`;
      errors.push({ path, message });
    } else if (values.every((value, t) => value === values[0] || t >= observations.length || observations[t] === null)) {
      errors.push({ path, message: 'is the same at every observed step, so that its effect cannot be told: leave it out' });
    }
  }
  return errors;
}

export const forecastWork = object('Forecast', members, (work) => {
  const errors: FieldError[] = [];
  if (work.holdout * 3 > work.observations.length) {
    errors.push({ path: 'holdout', message: `must be at most a third of the ${work.observations.length} observations` });
  }
  const few = `needs two full seasons in the ${work.observations.length} observations`;
  const tooLong = (length: number): boolean => length > 1 && length * 2 > work.observations.length;
  if (work.season !== 'auto' && tooLong(work.season)) errors.push({ path: 'season', message: few });
  (work.seasons ?? []).forEach((length, i) => {
    if (tooLong(length)) errors.push({ path: `seasons[${i}]`, message: few });
  });
  if (new Set(work.levels).size < work.levels.length) errors.push({ path: 'levels', message: 'must be distinct' });
  return [...errors, ...gapFaults(work), ...dateFaults(work), ...regressorFaults(work)];
});
