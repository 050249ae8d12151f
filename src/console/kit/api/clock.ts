/** The time by the server's clock, by which the server states all times. The browser's clock may be wrong. */

/** A smaller difference comes from the time that a response takes, and from its Date, which has whole seconds. */
const differing_ms_min = 2_000;

let ahead_ms = 0;

/** @param date the Date field of a response that has just come (RFC 9110, section 6.6.1) */
export function noteDate(date: string | null): void {
  const now_ms = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(now_ms)) ahead_ms = Math.abs(now_ms) < differing_ms_min ? 0 : now_ms;
}

/** Returns the time of the server, in milliseconds since the epoch. */
export const serverNow = (): number => Date.now() + ahead_ms;
