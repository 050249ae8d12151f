/** The schedule result, the members of its canonical JSON. */

export interface ScheduledOperation {
  readonly job: string;
  /** Position in the job, from 0. */
  readonly operation: number;
  readonly machine: string;
  /** Times in the mission's unit, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** The same as civil times, such as 2026-12-07 08:00, in a mission with a start. */
  readonly start_at?: string;
  readonly end_at?: string;
}

/**
 * The tree of a refutation: that no schedule has an objective of at most `lower_bound` − 1. In preorder, either `.`, where the time
 * windows of the operations contradict each other; or two operations of one machine, then the subtree in which the first precedes the
 * second, and the one in which it follows. Operations that take time are numbered in the input's order, in base 64.
 */
export interface Refutation {
  readonly refutation: string;
}

/**
 * The price of a machine's time, in parts of 1 / `scale` per unit: `prices[i]` from `from` + i · `width` until `width` later. If every
 * job does its last work on the machine when that costs it least, tardiness and time together, all of them pay at least `lower_bound`
 * more than all time costs.
 */
export interface PriceCertificate {
  readonly machine: string;
  readonly from: number;
  readonly width: number;
  readonly scale: number;
  readonly prices: readonly number[];
}

export type Certificate = Refutation | PriceCertificate;

export interface ScheduleResult {
  readonly method: string;
  /** The operations in the input's order of jobs, then of operations. */
  readonly operations: readonly ScheduledOperation[];
  readonly makespan: number;
  /** Σ weight · max(0, completion − due). */
  readonly tardiness: number;
  /** A bound on the objective: from single jobs and single machines, or by the certificate. */
  readonly lower_bound: number;
  /** What shows the bound where single jobs and machines give less, else null. */
  readonly certificate: Certificate | null;
  /** (value − lower_bound) / value, 0 when they are equal. */
  readonly gap: number;
  readonly optimality_proven: 'bound' | 'search' | false;
  /** The objective of the non-delay dispatcher (`dispatchOrder`). */
  readonly baseline: number;
  /** (baseline − value) / baseline, 0 for a baseline of 0. */
  readonly improvement: number;
  /** Tabu iterations; a walk that finds no move counts as one that stalled. */
  readonly iterations: number;
  /** The iterations that the effort bought, and the formula for one evaluation. */
  readonly iterations_max: number;
  readonly iterations_formula: string;
  /** Share of the makespan during which each machine works. */
  readonly utilisation: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly limits: readonly string[];
}
