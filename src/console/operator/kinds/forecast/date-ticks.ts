/** Which steps of a forecast have their dates at the axis. */
import type { DateUnit } from '../../../../base/calendar.js';

/** Distances between labels, in steps, that fall on like days: weeks, quarters, years. */
const distances: Readonly<Record<DateUnit, readonly number[]>> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 72, 168],
  day: [1, 2, 7, 14, 28, 56, 91, 182, 364],
  week: [1, 2, 4, 13, 26, 52, 104],
  month: [1, 2, 3, 6, 12, 24, 60, 120],
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
