/** The dates of a mission's steps, counted from 1 for the oldest observation. */
import { dateOfStep, type DateStep, type DateUnit, stepText } from '../../../../kinds/forecast/calendar.js';

export type Dates = { readonly start: string; readonly step: DateStep };

/** Returns the date of a step, or null where there is none. */
export const dateOf = (dates: Dates | null, step: number): string | null =>
  dates === null ? null : dateOfStep(dates.start, dates.step, step - 1);

/** Returns what people call the date of a step. */
export function dateTextOf(dates: Dates | null, step: number): string | null {
  const date = dateOf(dates, step);
  return date === null || dates === null ? null : stepText(date, dates.step);
}

/** Returns the offset of a mission's times, such as "+02:00"; null where it has dates only. */
export function offsetOf({ start, step }: Dates): string | null {
  const offset = /(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(start.slice(10))?.[0];
  if (offset === undefined) return step.unit === 'hour' ? 'UTC' : null;
  return /^z$/i.test(offset) ? 'UTC' : `UTC${offset}`;
}

/** Distances between labels, in steps, that fall on like days: weeks, quarters, years. */
const distances: Readonly<Record<DateUnit, readonly number[]>> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 72, 168],
  day: [1, 2, 7, 14, 28, 56, 91, 182, 364],
  business_day: [1, 5, 10, 20, 65, 130, 260],
  week: [1, 2, 4, 13, 26, 52, 104],
  month: [1, 2, 3, 6, 12, 24, 60, 120],
  month_end: [1, 2, 3, 6, 12, 24, 60, 120],
  quarter: [1, 2, 4, 8, 20, 40],
  year: [1, 2, 5, 10, 20, 50, 100],
};

/** Returns at most about `wanted` steps from `first` to `last`, the first one ahead among them. */
export function dateTicks(first: number, last: number, ahead: number, unit: DateUnit, wanted: number): number[] {
  const least = (last - first) / Math.max(1, wanted);
  const distance = distances[unit].find((each) => each >= least) ?? Math.ceil(least);
  const start = ahead - Math.floor((ahead - first) / distance) * distance;
  return Array.from({ length: Math.max(0, Math.floor((last - start) / distance) + 1) }, (_, i) => start + i * distance);
}
