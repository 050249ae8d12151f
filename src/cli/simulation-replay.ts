/** Parses the flags of `replay`. */
import { invalid } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import { replay_speed_max } from '../base/simulation-limits.js';

const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const moment = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?Z$/;

/**
 * Returns a day or a time in UTC as milliseconds since the epoch; undefined if absent.
 * @throws RefusalError for any other text
 */
export function replaySince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = day.test(text) || moment.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new RefusalError(invalid('since', 'must be a day (2026-11-20) or a time in UTC (2026-11-20T05:00:00Z)'));
}

/** Returns the speed. @throws RefusalError unless it is a number above 0 and within the limit */
export function replaySpeed(text: string): number {
  const speed = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  if (speed > 0 && speed <= replay_speed_max) return speed;
  throw new RefusalError(invalid('speed', `must be a number above 0, ${replay_speed_max} at most`));
}
