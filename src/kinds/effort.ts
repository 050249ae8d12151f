/** How long a mission searches, as its request may say in place of the configuration. */
import { search_budget_ms } from '../base/limits.js';
import type { Config } from '../codec/config.js';
import type { Kind } from '../codec/kinds.js';
import type { MissionRequest } from './request.js';

export type EffortConfig = Pick<Config, 'max_evaluations' | 'effort_max'>;

const thorough_evaluations = 1_000_000;
/** A tenth of the configuration's effort. */
const quick_share = 0.1;

/** Returns the evaluations that a mission may use: those of the configuration when its request names none, and never more than its ceiling. */
export function evaluationsOf(effort: MissionRequest['effort'], { max_evaluations, effort_max }: EffortConfig): number {
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

/**
 * Processor time of one evaluation where the engines were measured, in ms. What an evaluation pays for depends on the size of a mission, so that
 * its time hardly does. Other kinds take seconds at most.
 */
const evaluation_ms: Readonly<Partial<Record<Kind, number>>> = { schedule: 8, allocation: 1.8 };

/** Whether a mission's time depends on its effort. */
export const isEstimated = (kind: Kind): boolean => Object.hasOwn(evaluation_ms, kind);

/** About how long a search takes, at most: one that proves its optimum ends before. */
export interface Estimate {
  readonly search_ms: number;
  /** How many evaluations fit into the time of a search; there where the effort does not. */
  readonly evaluations_in_time?: number;
}

/** Returns the estimate of a mission that searches so long; null for a kind whose time does not depend on the effort. */
export function estimateOf(kind: Kind, evaluations: number): Estimate | null {
  const each_ms = evaluation_ms[kind];
  if (each_ms === undefined) return null;
  const search_ms = Math.round(evaluations * each_ms);
  if (search_ms <= search_budget_ms) return { search_ms };
  return { search_ms, evaluations_in_time: Math.floor(Number((search_budget_ms / each_ms).toPrecision(2))) };
}

/** Returns a time as people read an estimate, in every language: `40 s`, `4 min`, `3 h`. */
export function roundedTime(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 90) return `${seconds < 10 ? Math.max(1, Math.ceil(seconds)) : Math.round(seconds / 5) * 5} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
