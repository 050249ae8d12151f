/**
 * Dates of the proleptic Gregorian calendar, years 0001 to 9999, as RFC 3339 writes them: a date, or a date and time in UTC or with a fixed
 * offset. The Date of the platform counts them in UTC, where ECMA-262 leaves it nothing to choose, so that every machine computes the same dates.
 */

export const dateUnits = ['hour', 'day', 'business_day', 'week', 'month', 'month_end', 'quarter', 'year'] as const;
export type DateUnit = (typeof dateUnits)[number];

export interface DateStep {
  readonly unit: DateUnit;
  readonly count: number;
}

/** A date and time without zone, as milliseconds since 1970. */
export type Instant = number;

export interface Moment {
  /** The full hour; the beginning of the day for a date without time. */
  readonly at: Instant;
  /** What follows the hour, as it was given: minutes, seconds and the offset. Null for a date without time. */
  readonly rest: string | null;
}

export const year_max = 9999;
export const ms_per_hour = 3_600_000;
export const ms_per_day = 86_400_000;
export const months_per_unit = { month: 1, month_end: 1, quarter: 3, year: 12 } as const;
const hours_per_unit = { hour: 1, day: 24, week: 168 } as const;

const format =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[Tt](?<hour>\d{2})(?<rest>:[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)))?$/;

/** Returns the moment that a text names, or null where it is not a date of the years 0001 to 9999. Leap seconds are not accepted. */
export function parseMoment(text: string): Moment | null {
  const { day = '', hour = '00', rest = null } = format.exec(text)?.groups ?? {};
  const at = Date.parse(`${day}T${hour}:00:00Z`);
  // Date counts a 30 February as 2 March.
  const isDate = !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${day}T${hour}`);
  return isDate && !day.startsWith('0000') ? { at, rest } : null;
}

/** Returns the moment at which a day of a month begins, the months counted since the year 0; day 0 is the last of the month before. */
export const dayOfMonth = (months: number, day: number): Instant => new Date(0).setUTCFullYear(0, months, day);

/** Returns the months since the year 0, the day from 1, as the last day of its month, and the weekday, 0 for Monday. */
export function dayParts(at: Instant) {
  const date = new Date(at);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const last = new Date(dayOfMonth(months + 1, 0)).getUTCDate();
  return { months, day: date.getUTCDate(), last, weekday: (date.getUTCDay() + 6) % 7 };
}

/** Returns whether steps of the unit can begin at the moment: business days on Monday to Friday, ends of months on a month's last day. */
export function canStart({ at }: Moment, unit: DateUnit): boolean {
  const { day, last, weekday } = dayParts(at);
  return unit === 'business_day' ? weekday < business_days : unit !== 'month_end' || day === last;
}

const business_days = 5;
/** From the Monday from which business days are counted to 1970. */
const monday_days = 3;

/** Returns the business days from a Monday of 1969 until a day. Holidays are not known here: they are business days. */
function businessDays(at: Instant): number {
  const days = Math.floor(at / ms_per_day) + monday_days;
  const weeks = Math.floor(days / 7);
  return weeks * business_days + Math.min(days - weeks * 7, business_days);
}

/**
 * Returns the moment so many steps after `start`. Months, quarters and years are counted from `start` and end on the month's last day where it
 * has no such day, so that a series from the 31st falls on the last day of every month.
 */
export function instantAfter(start: Instant, { unit, count }: DateStep, steps: number): Instant {
  if (unit === 'hour' || unit === 'day' || unit === 'week') return start + steps * ms_per_hour * hours_per_unit[unit] * count;
  const time = start - Math.floor(start / ms_per_day) * ms_per_day;
  if (unit === 'business_day') {
    const total = businessDays(start) + steps * count;
    const weeks = Math.floor(total / business_days);
    return (weeks * 7 + total - weeks * business_days - monday_days) * ms_per_day + time;
  }
  const { months: first, day } = dayParts(start);
  const months = first + steps * months_per_unit[unit] * count;
  const end = dayOfMonth(months + 1, 0);
  return (unit === 'month_end' ? end : Math.min(end, dayOfMonth(months, day))) + time;
}

/** Returns how many steps a date is after the start. */
export function stepsBetween(start: Instant, end: Instant, { unit, count }: DateStep): number {
  if (unit === 'hour' || unit === 'day' || unit === 'week') return (end - start) / (ms_per_hour * hours_per_unit[unit] * count);
  if (unit === 'business_day') return businessDays(end) - businessDays(start);
  return (dayParts(end).months - dayParts(start).months) / (months_per_unit[unit] * count);
}

/** Returns the moment `steps` steps after `start`, or null after the year 9999. */
export function momentAfter({ at, rest }: Moment, step: DateStep, steps: number): Moment | null {
  const after = instantAfter(at, step, steps);
  return new Date(after).getUTCFullYear() <= year_max ? { at: after, rest } : null;
}

/** Returns the date of a step counted from 0, or null where no step can begin at `start` or the step lies after the year 9999. */
export function dateOfStep(start: string, step: DateStep, steps: number): string | null {
  const from = parseMoment(start);
  const moment = from === null || !canStart(from, step.unit) ? null : momentAfter(from, step, steps);
  if (moment === null) return null;
  const text = new Date(moment.at).toISOString();
  // Hours are told apart by their time, also from a start without one.
  return moment.rest === null && step.unit !== 'hour' ? text.slice(0, 10) : `${text.slice(0, 13)}${moment.rest ?? ':00:00Z'}`;
}

/** Returns what people call a step by its date: its month or its year where steps of these begin on the first day, otherwise the date. */
export function stepText(date: string, { unit }: DateStep): string {
  if (unit === 'year' && date.endsWith('-01-01')) return date.slice(0, 4);
  return (unit === 'month' || unit === 'quarter') && /^.{8}01$/.test(date) ? date.slice(0, 7) : date;
}
