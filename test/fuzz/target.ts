/** A part of the program that the fuzzer gives inputs to, and what must hold after each of them. */
import type { Prng } from '../../src/base/prng.js';
import type { Mutant } from '../support/byte-mutations.js';
import type { Place } from './place.js';

export interface Target {
  /** Makes an input from random numbers alone: the same numbers make the same input in every run. */
  readonly make: (random: Prng) => Mutant | Promise<Mutant>;
  /** Gives the program an input. Returns what is wrong after it: nothing if every invariant holds. */
  readonly try: (bytes: Buffer) => Promise<readonly string[]>;
  /** Looks at what the inputs left behind, and ends; the daemon goes on. Returns what is wrong. */
  readonly close: () => Promise<readonly string[]>;
}

export interface TargetKind {
  readonly name: string;
  /** What is given to what. */
  readonly what: string;
  /** What must hold after each input. */
  readonly invariants: readonly string[];
  readonly open: (place: Place) => Promise<Target>;
}

/** Returns the message of a failed assertion as what is wrong; nothing if it holds. */
export function faultsOf(assertion: () => void): readonly string[] {
  try {
    assertion();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Text that no response may repeat. */
export const canary = 'c4n4ry-in-an-input';
