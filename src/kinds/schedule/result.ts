/** The schedule result, the members of its canonical JSON. */
import type * as t from 'io-ts';
import { choice, eitherBy, integer, list, mapOf, nullable, number, object, optional, required, text } from '../../codec/kit.js';
import { price_periods_max } from './constants.js';

const count = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const share = number(-Number.MAX_VALUE, Number.MAX_VALUE);

const operation = object('ScheduledOperation', {
  job: required(text()),
  /** Position in the job, from 0. */
  operation: required(count),
  machine: required(text()),
  /** Times in the mission's unit, `end` exclusive. */
  start: required(count),
  end: required(count),
  /** The same as civil times, such as 2026-12-07 08:00, in a mission with a start. */
  start_at: optional(text()),
  end_at: optional(text()),
});

/**
 * The tree of a refutation: that no schedule has an objective of at most `lower_bound` − 1. In preorder, either `.`, where the time
 * windows of the operations contradict each other; or two operations of one machine, then the subtree in which the first precedes the
 * second, and the one in which it follows. Operations that take time are numbered in the input's order, in base 64.
 */
const refutation = object('Refutation', { refutation: required(text()) });

/**
 * The price of a machine's time, in parts of 1 / `scale` per unit: `prices[i]` from `from` + i · `width` until `width` later. If every
 * job does its last work on the machine when that costs it least, tardiness and time together, all of them pay at least `lower_bound`
 * more than all time costs.
 */
const prices = object('PriceCertificate', {
  machine: required(text()),
  from: required(count),
  width: required(count),
  scale: required(count),
  prices: required(list(count, 0, price_periods_max)),
});

export const scheduleResult = object('ScheduleResult', {
  method: required(text()),
  /** The operations in the input's order of jobs, then of operations. */
  operations: required(list(operation, 0, Number.MAX_SAFE_INTEGER)),
  makespan: required(count),
  /** Σ weight · max(0, completion − due). */
  tardiness: required(count),
  /** A bound on the objective: from single jobs and single machines, or by the certificate. */
  lower_bound: required(count),
  /** What shows the bound where single jobs and machines give less, else null. */
  certificate: required(nullable(eitherBy('refutation', refutation, prices))),
  /** (value − lower_bound) / value, 0 when they are equal. */
  gap: required(share),
  optimality_proven: required(choice('bound', 'search', false)),
  /** The objective of the non-delay dispatcher (`dispatchOrder`). */
  baseline: required(count),
  /** (baseline − value) / baseline, 0 for a baseline of 0. */
  improvement: required(share),
  /** Tabu iterations; a walk that finds no move counts as one that stalled. */
  iterations: required(count),
  /** The iterations that the effort bought, and the formula for one evaluation. */
  iterations_max: required(count),
  iterations_formula: required(text()),
  /** Share of the makespan during which each machine works. */
  utilisation: required(mapOf(share)),
  unit: required(text()),
  limits: required(list(text(), 0, Number.MAX_SAFE_INTEGER)),
});

export type ScheduleResult = t.TypeOf<typeof scheduleResult>;
export type ScheduledOperation = t.TypeOf<typeof operation>;
export type Refutation = t.TypeOf<typeof refutation>;
export type PriceCertificate = t.TypeOf<typeof prices>;
export type Certificate = Refutation | PriceCertificate;
