/** The problem that the evolution minimises, and its settings. */
import type { Probabilities } from './variation.js';

export interface Problem {
  /** Bounds of each variable, finite, lower ≤ upper; their length is the number of variables, n. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** The number of objectives, m. All are minimised: negate what is to be maximised. */
  readonly objectives: 2 | 3;
  /** Writes the m objectives of the n variables `x` to `out`: a pure function. Both arrays are reused for the next individual. */
  readonly evaluate: (x: Float64Array, out: Float64Array) => void;
}

export interface Settings extends Probabilities {
  /** At least 2. */
  readonly population: number;
}

/** Individuals as arrays: row i of `variables` (n columns) and `objectives` (m columns), `rank[i]`, `crowding[i]`. */
export interface Population {
  readonly variables: Float64Array;
  readonly objectives: Float64Array;
  /** Front of the individual, 0 for the non-dominated ones. */
  readonly rank: Int32Array;
  /** Crowding distance; Infinity at the ends of a front. */
  readonly crowding: Float64Array;
}
