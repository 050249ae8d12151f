/** Days of the reader's calendar, as date fields have them (YYYY-MM-DD), as moments in UTC. */

/** Returns when a day begins, or when the day after it begins; null for no day. */
export function dayBegins(day: string | null, daysLater = 0): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  const begin = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(begin.getTime()) ? null : begin.toISOString();
}
