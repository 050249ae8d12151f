/** Series over dates: the step between them, the dates that are missing, and a coarser step. */
import { type DateStep, hours_per_unit, months_per_unit } from '../../kinds/forecast/calendar.js';
import { dayText, type CivilDate } from '../cells/dates.js';

const ms_per_day = 86_400_000;
const ms_per_hour = 3_600_000;
/** Two weeks of working days, so that they can be told from days that miss a weekend by chance. */
const business_span_days_min = 11;

/** A moment without zone, as milliseconds since 1970. */
export type Instant = number;

export const instantOf = ({ year, month, day, time }: CivilDate): Instant =>
  Date.parse(`${dayText({ year, month, day })}T${time ?? '00:00:00'}Z`);

export const instantText = (instant: Instant): string => {
  const text = new Date(instant).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
};

const partsOf = (
  instant: Instant,
): { readonly months: number; readonly day: number; readonly last: number; readonly weekday: number } => {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    months: year * 12 + month,
    day: date.getUTCDate(),
    last: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    weekday: (date.getUTCDay() + 6) % 7,
  };
};

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** Returns the step between dates in ascending order, each once; null where they are nearer than an hour, or are fewer than two. */
export function stepOf(instants: readonly Instant[]): DateStep | null {
  const [start] = instants;
  if (start === undefined || instants.length < 2) return null;
  if (instants.some((each) => each % ms_per_day !== 0)) return hourStep(instants, start);
  const parts = instants.map(partsOf);
  const first = partsOf(start);
  const months = parts.reduce((gcd, { months: each }) => divisor(gcd, each - first.months), 0);
  const areMonths = months > 0 && new Set(parts.map((each) => each.months)).size === parts.length;
  if (areMonths && months % 12 === 0 && parts.every(({ day }) => day === first.day)) return { unit: 'year', count: months / 12 };
  if (areMonths && parts.every(({ day, last }) => day === last)) return { unit: 'month_end', count: months };
  if (areMonths && parts.every(({ day, last }) => day === Math.min(first.day, last))) {
    return months % 3 === 0 ? { unit: 'quarter', count: months / 3 } : { unit: 'month', count: months };
  }
  const days = instants.reduce((gcd, each) => divisor(gcd, (each - start) / ms_per_day), 0);
  if (days % 7 === 0) return { unit: 'week', count: days / 7 };
  const span = ((instants.at(-1) ?? start) - start) / ms_per_day;
  const isBusiness = days === 1 && span >= business_span_days_min && parts.every(({ weekday }) => weekday < 5);
  return isBusiness ? { unit: 'business_day', count: 1 } : { unit: 'day', count: days };
}

function hourStep(instants: readonly Instant[], start: Instant): DateStep | null {
  const span = instants.reduce((gcd, each) => divisor(gcd, each - start), 0);
  return span % ms_per_hour === 0 ? { unit: 'hour', count: span / ms_per_hour } : null;
}

/** Returns how many steps a date is after the start. */
export function stepsBetween(start: Instant, end: Instant, { unit, count }: DateStep): number {
  if (unit === 'hour' || unit === 'day' || unit === 'week') return (end - start) / (ms_per_hour * hours_per_unit[unit] * count);
  if (unit === 'business_day') return businessDays(end) - businessDays(start);
  return (partsOf(end).months - partsOf(start).months) / (months_per_unit[unit] * count);
}

/** Returns the working days before a day since a Monday of 1969. */
function businessDays(instant: Instant): number {
  const days = instant / ms_per_day + 3;
  const weeks = Math.floor(days / 7);
  return weeks * 5 + Math.min(days - weeks * 7, 5);
}

/** Returns the date so many steps after the start. */
export function instantAfter(start: Instant, { unit, count }: DateStep, steps: number): Instant {
  if (unit === 'hour' || unit === 'day' || unit === 'week') return start + steps * ms_per_hour * hours_per_unit[unit] * count;
  if (unit === 'business_day') {
    const position = businessDays(start) + steps;
    const weeks = Math.floor(position / 5);
    return (weeks * 7 + position - weeks * 5 - 3) * ms_per_day;
  }
  const { months: from, day } = partsOf(start);
  const months = from + steps * months_per_unit[unit] * count;
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  return Date.UTC(Math.floor(months / 12), months % 12, unit === 'month_end' ? last : Math.min(day, last));
}

/** Periods that values can be gathered into. */
export const periods = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof periods)[number];

/** Returns the period that a word names, such as `month`, `months` or `monthly`; null for another word. */
export function periodOf(word: string): Period | null {
  const bare = word
    .trim()
    .toLowerCase()
    .replace(/^dai(?:ly|s)$/, 'day')
    .replace(/(?:ly|s)$/, '');
  return periods.find((period) => period === bare) ?? null;
}

/** Returns the first moment of the period in which a date is. A week begins on Monday. */
export function periodStart(instant: Instant, period: Period): Instant {
  if (period === 'hour') return instant - (((instant % ms_per_hour) + ms_per_hour) % ms_per_hour);
  const day = instant - (((instant % ms_per_day) + ms_per_day) % ms_per_day);
  if (period === 'day') return day;
  const { months, weekday } = partsOf(instant);
  if (period === 'week') return day - weekday * ms_per_day;
  const size = months_per_unit[period];
  const first = months - (months % size);
  return Date.UTC(Math.floor(first / 12), first % 12, 1);
}
