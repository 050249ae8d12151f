/** Civil times of a schedule: local times without a zone, as people write them. `clock.ts` maps them to the working time of operations. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import { type FieldError, ok, refuse } from '../../base/refusal.js';
import { list, object, optional, refined, required, text } from '../../codec/kit.js';

const date = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const time = '(?:[01]?[0-9]|2[0-3]):[0-5][0-9]';

/** Returns a text whose hours have two digits, as they are recorded: 8:00 is 08:00. */
const padded = (value: string): string => value.replace(/(?<!\d)\d:/g, '0$&');

/** Returns a codec of texts that begin with a date of the calendar. @param rest what may follow it, as a pattern @param form what it is, for people */
const dated = (rest: string, form: string): t.Type<string, unknown> =>
  refined(text({ pattern: new RegExp(`^${date}${rest}$`), form }), (value) =>
    isDate(value) ? ok(padded(value)) : refuse({ code: 'invalid', detail: 'is not a date of the calendar' }),
  );

function isDate(value: string): boolean {
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split('-').map(Number);
  return year > 0 && new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() === day;
}

const civilDate = dated('', 'a date such as 2026-12-25');
/** A date and a time of day, such as 2026-12-07 08:00. */
export const civilTime = dated(`[ T]${time}(?::[0-5][0-9])?`, 'a date and time such as 2026-12-07 08:00');
/** A date, with a time of day or without. */
export const civilMoment = dated(
  `(?:[ T]${time}(?::[0-5][0-9])?)?`,
  'a date such as 2026-12-07, or a date and time such as 2026-12-07 08:00',
);

/** Open times of one day, such as 08:00-12:00, in their order. */
const hours = refined(
  list(
    text({ pattern: new RegExp(`^${time}-(?:${time}|24:00)$`), form: 'open times such as 08:00-12:00' }),
    1,
    limits.calendar_hours_max,
  ),
  (given) => {
    const spans = given.map(padded);
    const ends = spans.flatMap((span) => span.split('-'));
    const isRising = ends.every((end, i) => i === 0 || end > (ends[i - 1] ?? '') || (i % 2 === 0 && end === ends[i - 1]));
    const detail = 'must be in their order without overlap; a night is 22:00-24:00 and, on the day after, 00:00-06:00';
    return isRising ? ok(spans) : refuse({ code: 'invalid', detail });
  },
);

const week = object(
  'Week',
  {
    mon: optional(hours),
    tue: optional(hours),
    wed: optional(hours),
    thu: optional(hours),
    fri: optional(hours),
    sat: optional(hours),
    sun: optional(hours),
  },
  undefined,
  'must be a day: mon, tue, wed, thu, fri, sat or sun',
);

/** A day with hours of its own, in place of those of the week. */
const extraDay = object('ExtraDay', { date: required(civilDate), hours: required(hours) });

/** When the shop is open: outside of these times work pauses. */
export const calendar = object(
  'Calendar',
  {
    weekly: required(week),
    holidays: optional(list(civilDate, 0, limits.calendar_exceptions_max)),
    extra: optional(list(extraDay, 0, limits.calendar_exceptions_max)),
  },
  ({ weekly, holidays = [], extra = [] }) => {
    const dates = [...holidays, ...extra.map((day) => day.date)];
    const days = dates.map((day) => Number(day.replaceAll('-', '')));
    const errors: FieldError[] = [];
    if (Object.keys(weekly).length + extra.length === 0) errors.push({ path: 'weekly', message: 'has no open hour' });
    if (dates.length > limits.calendar_exceptions_max)
      errors.push({ path: 'extra', message: `with the holidays these are more than ${limits.calendar_exceptions_max} days` });
    if (new Set(dates).size < dates.length)
      errors.push({ path: 'extra', message: 'a date is there twice, also among the holidays' });
    if (dates.length > 0 && Math.max(...days) - Math.min(...days) > limits.calendar_years_max * 10_000)
      errors.push({ path: 'holidays', message: `spans more than ${limits.calendar_years_max} years with the extra days` });
    return errors;
  },
);
