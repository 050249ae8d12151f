/** One fault of the drill, and what came of it. */
import type { Field } from './field.js';

export interface Outcome {
  readonly effect: string;
  /** Until a mission went from submission to review again. */
  readonly seconds: number;
  /** The time of a request for health meanwhile, where enough of them were measured. */
  readonly health_p99_ms?: number;
  /** What a response, a command or the log said. */
  readonly told: string;
  /** Anything that must not be. */
  readonly wrong?: readonly string[];
}

export interface Fault {
  readonly name: string;
  readonly cause: string;
  /** The time until normal service on a machine that does nothing else. */
  readonly seconds_max: number;
  /** Why the fault cannot be made on this machine, or null. */
  readonly absent?: (field: Field) => string | null;
  readonly run: (field: Field) => Promise<Outcome>;
}

/** Returns what is said about a condition that does not hold. */
export const unless = (holds: boolean, what: string): readonly string[] => (holds ? [] : [what]);
