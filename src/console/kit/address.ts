/** Days of the reader's calendar, as date fields have them (YYYY-MM-DD), as moments in UTC. */

/** Returns when a day begins, or when the day after it begins; null for no day. */
export function dayBegins(day: string | null, daysLater = 0): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  const begin = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(begin.getTime()) ? null : begin.toISOString();
}

/** Goes to an address after `#` in place of the current one: for filters that change while one types. */
export function replaceHash(hash: string): void {
  history.replaceState(null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Members that say nothing (null, empty) are left out. */
export function withQuery(path: string, members: Readonly<Record<string, string | number | null>>): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== null && value !== '') words.set(name, String(value));
  return words.size === 0 ? path : `${path}?${words.toString()}`;
}
