/**
 * The interface of every engine: a pure function of (request, effort, warm start), deterministic to the byte on every machine, bounded by
 * iterations and never by the clock; and a verifier that shares no code with it. Where time runs out, the clock chooses that bound once, and the
 * result names it.
 */
import type { Result } from '../base/refusal.js';

/**
 * Reports the share of the work done (0 … 1) at bounded steps; throws to stop the engine, whose partial work is dropped. A value of true tells
 * an engine that can to end with the best that it has.
 */
export type Checkpoint = (done: number) => unknown;

export interface Effort {
  /** The operator's limit on search effort; each engine documents what one unit buys. */
  readonly max_evaluations: number;
  /** The iterations after which the search ended because of time, which ends it there again; absent for a search that did not. */
  readonly iterations_limit?: number | undefined;
}

export interface EngineInput<Work> {
  readonly goal: string;
  readonly work: Work;
  readonly seed: number;
  readonly population: number;
  readonly generations: number;
  readonly effort: Effort;
  /** The compact solution of an earlier approved mission with the same ids (`Answer.solution`), or null. */
  readonly warm_start: unknown;
}

export interface Answer<R> {
  readonly result: R;
  /** Units of search work done, or null for a kind that does not search. */
  readonly iterations: number | null;
  /** The limit that ended the search because of time; absent for a search that used its effort. */
  readonly iterations_limit?: number | undefined;
  /** A compact form of the answer from which a later mission can start its search, or null. */
  readonly solution: unknown;
}

export interface Verification {
  readonly passed: boolean;
  /** Descriptions of the checks; the first failed check ends the list with its reason in `failure`. */
  readonly checks: readonly string[];
  readonly failure: string | null;
}

export interface Engine<Work, R> {
  readonly name: string;
  /** Increased whenever a golden result changes. */
  readonly version: string;
  readonly run: (input: EngineInput<Work>, checkpoint: Checkpoint) => Result<Answer<R>>;
}

/** Thrown within a search at the checkpoint that ends it because of time. */
export class TimeUp extends Error {}

/** Returns the limitation of a result whose search ended because of time. */
export const endedText = (limit: number, most: number): string =>
  `ended after ${grouped(limit)} of ${grouped(most)} iterations, because of time`;

const grouped = (value: number): string => String(value).replace(/\B(?=(?:[0-9]{3})+$)/g, ' ');

/** Re-checks a result against its input without the engine. `result` is untrusted JSON. */
export type Verify<Work> = (input: EngineInput<Work>, result: unknown) => Verification;
