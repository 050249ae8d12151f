/** A whole evolution in one call. */
import { prng } from '../../base/prng.js';
import type { Checkpoint } from '../engine.js';
import { initialise, newEvolution, snapshot, step } from './evolution.js';
import type { Population, Problem, Settings } from './problem.js';

export interface Run extends Settings {
  readonly generations: number;
  /** 0 … 2^32 − 1, and any integers that distinguish this run from others with the same seed (for example the island). */
  readonly seed: number;
  readonly labels?: readonly number[];
  /** Rows of variables to start from, at most as many as individuals. */
  readonly initial?: Float64Array;
}

/**
 * Evolves a population for a number of generations: `population · (generations + 1)` evaluations. All random numbers come from
 * the one stream prng(seed, ...labels): a run is one island and one epoch.
 * @throws RangeError for a problem that cannot be evolved or objectives that are not finite; and any error of `checkpoint`
 */
export function evolve(problem: Problem, run: Run, checkpoint: Checkpoint): Population {
  const { seed, labels = [], generations, initial } = run;
  if (!Number.isInteger(generations) || generations < 0) throw new RangeError(`${generations} generations`);
  const evolution = newEvolution(problem, run);
  const random = prng(seed, ...labels);
  initialise(evolution, random, initial);
  for (let generation = 1; generation <= generations; generation++) {
    checkpoint((generation - 1) / generations);
    step(evolution, random);
  }
  checkpoint(1);
  return snapshot(evolution);
}
