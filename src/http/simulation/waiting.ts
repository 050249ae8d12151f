/** How long a request waits for the end of a run, and when a client that does not wait is to ask again. */
import { firstAbort } from '../../base/first-abort.js';
import { integerText, object, optional } from '../../codec/kit.js';
import { problem } from '../core/endpoint.js';
import type { Simulation } from './simulation.js';

/** A request waits for the end of a run for at most this time, in seconds. */
export const wait_s_max = 30;
const retry_after_s_max = 60;
const minute_s = 60;

export const waitQuery = object('WaitQuery', { wait: optional(integerText(0, wait_s_max)) });

/** The response while no more requests are accepted. */
export const full = {
  ...problem('Too many runs are queued, or the server stops; wait for the number of seconds in Retry-After'),
  headers: ['Retry-After'],
};

/** Returns when the run has ended, when this time is over, or when the client is gone. */
export function waitForEnd({ service }: Simulation, id: string, wait_s: number, gone: AbortSignal): Promise<void> {
  return service.untilEnded(id, firstAbort(gone, AbortSignal.timeout(wait_s * 1_000)));
}

/**
 * Returns the seconds of the preference `wait` in a Prefer field, at most `wait_s_max`; null without one. Other preferences, and those that
 * are not well-formed, are ignored.
 * @see RFC 7240, sections 2 and 4.3
 */
export function preferredWait(prefer: string | undefined): number | null {
  for (const preference of prefer?.split(',') ?? []) {
    const [, wait_s] = /^[ \t]*wait[ \t]*=[ \t]*"?([0-9]{1,9})"?[ \t]*(?:;|$)/i.exec(preference) ?? [];
    if (wait_s !== undefined) return Math.min(Number(wait_s), wait_s_max);
  }
  return null;
}

/**
 * Returns after how many seconds a client asks again for a run that has not ended: when it is expected to end, but not so often that a client of
 * all the requests in flight uses more than half of the requests of a minute.
 */
export function retryAfter({ service, rate_limit }: Simulation, id: string): number {
  const spacing_s = rate_limit === 0 ? 1 : Math.ceil((2 * service.requests() * minute_s) / rate_limit);
  return Math.min(Math.max(spacing_s, service.remainingOf(id) ?? 1), retry_after_s_max);
}
