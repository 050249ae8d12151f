/** The problem that the evolution minimises, and its settings. */
import type { Operators } from './variation.js';

export interface Problem {
  /** Bounds of each variable, finite, lower ≤ upper; their length is the number of variables, n. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** The number of objectives, m. All are minimised: negate what is to be maximised. */
  readonly objectives: number;
  /** Writes the m objectives of the n variables `x` to `out`: a pure function. Both arrays are reused for the next individual. */
  readonly evaluate: (x: Float64Array, out: Float64Array) => void;
}

export interface Settings {
  readonly population: number;
  /** The operators; by default SBX with p 0.9, η 20 and polynomial mutation with p 1/n, η 20 (Deb et al. 2002). */
  readonly operators?: Partial<Operators>;
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

/** The largest population: the pool of staircases and all indices stay far inside 32 bits. */
const population_max = 1_000_000;

const isShare = (p: number): boolean => p >= 0 && p <= 1;

/**
 * Returns the operators with their defaults.
 * @throws RangeError when problem or settings cannot be evolved
 */
export function checkedOperators(problem: Problem, settings: Settings): Operators {
  const { lower, upper, objectives } = problem;
  const n = lower.length;
  if (n < 1 || upper.length !== n) throw new RangeError(`bounds of ${n} and ${upper.length} variables`);
  for (const [k, low] of lower.entries()) {
    const span = (upper[k] ?? Number.NaN) - low;
    if (!(span >= 0 && span < Infinity)) throw new RangeError(`bounds of variable ${k} are not a finite interval`);
  }
  if (!Number.isInteger(objectives) || objectives < 1) throw new RangeError(`${objectives} objectives`);
  const { population } = settings;
  if (!Number.isInteger(population) || population < 2 || population > population_max)
    throw new RangeError(`population ${population} is not in 2 … ${population_max}`);
  const standard = { crossover_probability: 0.9, crossover_index: 20, mutation_probability: 1 / n, mutation_index: 20 };
  const operators = { ...standard, ...settings.operators };
  if (!isShare(operators.crossover_probability) || !isShare(operators.mutation_probability))
    throw new RangeError('a probability is not in 0 … 1');
  if (!(operators.crossover_index >= 0 && operators.mutation_index >= 0))
    throw new RangeError('a distribution index is negative');
  return operators;
}
