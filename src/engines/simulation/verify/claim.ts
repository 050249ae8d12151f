/** The inputs of the checks of an outcome. */
import type { Sector } from '../../../codec/simulation.js';
import type { SimulationOutcome } from '../../../codec/simulation-results.js';

/** A world as computed by the checks. */
export interface World {
  readonly sectors: readonly Sector[];
  /** By year; null where the plain formula overflows or cancels, so that it cannot be checked. */
  readonly capability: readonly (number | null)[];
}

export type Claim = Omit<SimulationOutcome, 'engine' | 'warnings'>;

/** The difference that rounding explains, as a share of the larger number. */
export const tolerance = 1e-9;
export const isNear = (a: number, b: number, scale = 0): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b), scale);
