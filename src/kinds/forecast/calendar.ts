/**
 * Dates of the proleptic Gregorian calendar, years 0001 to 9999, as RFC 3339 writes them: a date, or a date and time in UTC or with a fixed
 * offset. Only whole numbers are used, so that every machine computes the same dates. Days are counted from 0000-03-01, the year's
 * end in February, after Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
 */

export const dateUnits = ['hour', 'day', 'business_day', 'week', 'month', 'month_end', 'quarter', 'year'] as const;
export type DateUnit = (typeof dateUnits)[number];

export interface DateStep {
  readonly unit: DateUnit;
  readonly count: number;
}

interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export interface Moment extends Day {
  /** 0 to 23; 0 for a date without time. */
  readonly hour: number;
  /** What follows the hour, as it was given: minutes, seconds and the offset. Null for a date without time. */
  readonly rest: string | null;
}

export const year_max = 9999;
const days_per_era = 146_097;
export const months_per_unit = { month: 1, month_end: 1, quarter: 3, year: 12 } as const;
export const hours_per_unit = { hour: 1, day: 24, week: 168 } as const;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Returns the number of days of a month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function daysUntil({ year, month, day }: Day): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * days_per_era + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
}

function dayAt(days: number): Day {
  const era = Math.floor(days / days_per_era);
  const dayOfEra = days - era * days_per_era;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  return { year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day };
}

const format =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[Tt](?<hour>\d{2})(?<rest>:(?<minute>\d{2}):(?<second>\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](?<offsetHour>\d{2}):(?<offsetMinute>\d{2}))))?$/;

/** Returns the moment that a text names, or null where it is not a date of the years 0001 to 9999. Leap seconds are not accepted. */
export function parseMoment(text: string): Moment | null {
  const found = format.exec(text)?.groups;
  if (found === undefined) return null;
  const part = (name: string): number => Number(found[name] ?? '0');
  const [year, month, day, hour] = [part('year'), part('month'), part('day'), part('hour')];
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  const isTime = hour <= 23 && part('minute') <= 59 && part('second') <= 59;
  const isOffset = part('offsetHour') <= 23 && part('offsetMinute') <= 59;
  return isDay && isTime && isOffset ? { year, month, day, hour, rest: found['rest'] ?? null } : null;
}

const business_days = 5;

/** Returns the day of the week, 0 for Monday. Day 0, 0000-03-01, is a Wednesday. */
const weekday = (days: number): number => (days + 2) % 7;

/** Returns whether steps of the unit can begin at the moment: business days on Monday to Friday, ends of months on a month's last day. */
export function canStart(start: Moment, unit: DateUnit): boolean {
  if (unit === 'business_day') return weekday(daysUntil(start)) < business_days;
  return unit !== 'month_end' || start.day === daysInMonth(start.year, start.month);
}

/** Returns the day `count` business days after a day from Monday to Friday. Holidays are not known here: they are business days. */
function businessDaysAfter(start: Day, count: number): Day {
  const days = daysUntil(start);
  const total = weekday(days) + count;
  const weeks = Math.floor(total / business_days);
  return dayAt(days - weekday(days) + weeks * 7 + total - weeks * business_days);
}

/**
 * Returns the moment `steps` steps after `start`, or null after the year 9999. Months, quarters and years are counted from `start` and end on
 * the month's last day where it has no such day, so that a series from the 31st falls on the last day of every month.
 */
export function momentAfter(start: Moment, { unit, count }: DateStep, steps: number): Moment | null {
  const { hour, rest } = start;
  if (unit === 'business_day') {
    const day = businessDaysAfter(start, count * steps);
    return day.year > year_max ? null : { ...day, hour, rest };
  }
  if (unit === 'hour' || unit === 'day' || unit === 'week') {
    const hours = hour + hours_per_unit[unit] * count * steps;
    const day = dayAt(daysUntil(start) + Math.floor(hours / 24));
    return day.year > year_max ? null : { ...day, hour: hours - Math.floor(hours / 24) * 24, rest };
  }
  const months = start.year * 12 + start.month - 1 + months_per_unit[unit] * count * steps;
  const year = Math.floor(months / 12);
  if (year > year_max) return null;
  const month = months - year * 12 + 1;
  const last = daysInMonth(year, month);
  return { year, month, day: unit === 'month_end' ? last : Math.min(start.day, last), hour, rest };
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

/** Returns the moment as a date, or as a date and time where it has one or the steps are hours. */
export function momentText({ year, month, day, hour, rest }: Moment, unit: DateUnit): string {
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
  if (rest === null && unit !== 'hour') return date;
  return `${date}T${digits(hour, 2)}${rest ?? ':00:00Z'}`;
}

/** Returns the date of a step counted from 0, or null where no step can begin at `start` or the step lies after the year 9999. */
export function dateOfStep(start: string, step: DateStep, steps: number): string | null {
  const from = parseMoment(start);
  const moment = from === null || !canStart(from, step.unit) ? null : momentAfter(from, step, steps);
  return moment === null ? null : momentText(moment, step.unit);
}
