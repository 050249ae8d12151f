/** The verifier's own dates, by counting the days of years and months one after the other. */
import type { ForecastWork } from '../../../../src/kinds/forecast/work.js';

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const hours_of = { hour: 1, day: 24, week: 7 * 24 } as const;
const months_of = { month: 1, quarter: 3, year: 12 } as const;

function monthLength(year: number, month: number): number {
  const hasLeapDay = month === 2 && (year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0));
  return (lengths[month - 1] ?? 0) + (hasLeapDay ? 1 : 0);
}

const yearLength = (year: number): number => 337 + monthLength(year, 2);

interface Place {
  year: number;
  month: number;
  day: number;
}

/** Moves a date forward by whole years while they fit, then by whole months, then by days. */
function forward(from: Readonly<Place>, days: number): Place {
  let left = days + from.day - 1;
  for (let month = 1; month < from.month; month++) left += monthLength(from.year, month);
  let year = from.year;
  while (left >= yearLength(year)) {
    left -= yearLength(year);
    year += 1;
  }
  let month = 1;
  while (left >= monthLength(year, month)) {
    left -= monthLength(year, month);
    month += 1;
  }
  return { year, month, day: left + 1 };
}

/** Moves a date forward by months, to the last day of a month that is too short. */
function forwardMonths(from: Readonly<Place>, months: number): Place {
  const total = from.month - 1 + months;
  const month = (total % 12) + 1;
  const year = from.year + (total - (total % 12)) / 12;
  const length = monthLength(year, month);
  return { year, month, day: from.day > length ? length : from.day };
}

const padded = (value: number, width: number): string => `${'0'.repeat(width)}${value}`.slice(-width);

/** Returns the members of a result that hold dates; none for a mission without them. */
export function expectedDates({ start, step, observations, holdout, horizon }: ForecastWork): Record<string, readonly string[]> {
  if (start === null || step === null) return {};
  const { unit, count } = step;
  const from: Place = { year: Number(start.slice(0, 4)), month: Number(start.slice(5, 7)), day: Number(start.slice(8, 10)) };
  const isTimed = start.length > 10;
  const hour = isTimed ? Number(start.slice(11, 13)) : 0;
  const tail = isTimed ? start.slice(13) : ':00:00Z';
  const dateOf = (index: number): string => {
    const hours = hour + (unit === 'hour' || unit === 'day' || unit === 'week' ? hours_of[unit] * count * index : 0);
    const { year, month, day } =
      unit === 'month' || unit === 'quarter' || unit === 'year'
        ? forwardMonths(from, months_of[unit] * count * index)
        : forward(from, (hours - (hours % 24)) / 24);
    const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
    return isTimed || unit === 'hour' ? `${date}T${padded(hours % 24, 2)}${tail}` : date;
  };
  const first = observations.length - holdout;
  const all = Array.from({ length: holdout + horizon }, (_, i) => dateOf(first + i));
  return { holdout_dates: all.slice(0, holdout), forecast_dates: all.slice(holdout) };
}
