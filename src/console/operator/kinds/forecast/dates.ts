/** The dates of a mission's steps, counted from 1 for the oldest observation. */
import { dateOfStep, type DateStep } from '../../../../base/calendar.js';

export interface Dates {
  readonly start: string;
  readonly step: DateStep;
}

/** Returns the date of a step, or null where there is none. */
export const dateOf = (dates: Dates | null, step: number): string | null =>
  dates === null ? null : dateOfStep(dates.start, dates.step, step - 1);

/** Returns the offset of a mission's times, such as "+02:00"; null where it has dates only. */
export function offsetOf({ start, step }: Dates): string | null {
  const offset = /(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(start.slice(10))?.[0];
  if (offset === undefined) return step.unit === 'hour' ? 'UTC' : null;
  return /^z$/i.test(offset) ? 'UTC' : `UTC${offset}`;
}
