/** The server's clock: the browser's may be wrong, and what the server says of times is by its own. */

/** Less than this is the way of a response, and the second to which its Date is rounded. */
const differing_ms_min = 2_000;

let ahead_ms = 0;

/** @param date the Date field of a response that has just come (RFC 9110, section 6.6.1) */
export function noteDate(date: string | null): void {
  const now_ms = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(now_ms)) ahead_ms = Math.abs(now_ms) < differing_ms_min ? 0 : now_ms;
}

/** Returns the time of the server, in milliseconds since the epoch. */
export const serverNow = (): number => Date.now() + ahead_ms;
