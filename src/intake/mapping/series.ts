/** Series over dates: the step between them, the dates that are missing, and a coarser step. */
import {
  type DateStep,
  dayOfMonth,
  dayParts,
  type Instant,
  months_per_unit,
  ms_per_day,
  ms_per_hour,
} from '../../kinds/forecast/calendar.js';
import { dayText, type CivilDate } from '../cells/dates.js';

/** Two weeks of working days, so that they can be told from days that miss a weekend by chance. */
const business_span_days_min = 11;

export const instantOf = ({ year, month, day, time }: CivilDate): Instant =>
  Date.parse(`${dayText({ year, month, day })}T${time ?? '00:00:00'}Z`);

export const instantText = (instant: Instant): string => {
  const text = new Date(instant).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
};

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** Returns the step between dates in ascending order, each once; null where they are nearer than an hour, or are fewer than two. */
export function stepOf(instants: readonly Instant[]): DateStep | null {
  const [start] = instants;
  if (start === undefined || instants.length < 2) return null;
  if (instants.some((each) => each % ms_per_day !== 0)) return hourStep(instants, start);
  const parts = instants.map(dayParts);
  const first = dayParts(start);
  const months = parts.reduce((gcd, { months: each }) => divisor(gcd, each - first.months), 0);
  const isMonthly = months > 0 && new Set(parts.map((each) => each.months)).size === parts.length;
  if (isMonthly && months % 12 === 0 && parts.every(({ day }) => day === first.day)) return { unit: 'year', count: months / 12 };
  if (isMonthly && parts.every(({ day, last }) => day === last)) return { unit: 'month_end', count: months };
  if (isMonthly && parts.every(({ day, last }) => day === Math.min(first.day, last))) {
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
  const since = (unit_ms: number): Instant => Math.floor(instant / unit_ms) * unit_ms;
  if (period === 'hour') return since(ms_per_hour);
  if (period === 'day') return since(ms_per_day);
  const { months, weekday } = dayParts(instant);
  if (period === 'week') return since(ms_per_day) - weekday * ms_per_day;
  return dayOfMonth(months - (months % months_per_unit[period]), 1);
}
