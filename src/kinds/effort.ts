/** How long a mission searches, as its request may say in place of the configuration. */
import type { Config } from '../codec/config.js';
import type { MissionRequest } from './request.js';

const thorough_evaluations = 1_000_000;
/** A tenth of the configuration's effort. */
const quick_share = 0.1;

/** Returns the evaluations that a mission may use: those of the configuration when its request names none, and never more than its ceiling. */
export function evaluationsOf(
  effort: MissionRequest['effort'],
  { max_evaluations, effort_max }: Pick<Config, 'max_evaluations' | 'effort_max'>,
): number {
  switch (effort) {
    case undefined:
    case 'normal':
      return max_evaluations;
    case 'quick':
      return Math.max(1, Math.floor(max_evaluations * quick_share));
    case 'thorough':
      return Math.min(thorough_evaluations, effort_max);
    default:
      return Math.min(effort, effort_max);
  }
}
