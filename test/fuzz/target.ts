/** A part of the program that the fuzzer gives inputs to, and what must hold after each of them. */
import type { Prng } from '../../src/base/prng.js';
import type { Mutant } from '../support/archive/byte-mutations.js';
import type { Place } from './fuzzed-daemon.js';

/** How often inputs came to what, such as a status or an exit code: inputs that are all refused alike try little. */
export class Outcomes {
  readonly counts = new Map<string, number>();

  add(outcome: string): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }

  addAll({ counts }: Outcomes): void {
    for (const [outcome, count] of counts) this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + count);
  }

  /** The most frequent ones, as in `200: 31, 422: 40`. */
  shown(most: number): string {
    const sorted = [...this.counts].toSorted(([, a], [, b]) => b - a);
    const rest = sorted.slice(most).reduce((sum, [, count]) => sum + count, 0);
    const all = rest === 0 ? sorted : [...sorted.slice(0, most), ['others', rest] as const];
    return all.map(([outcome, count]) => `${outcome}: ${count}`).join(', ');
  }
}

export interface Target {
  readonly outcomes: Outcomes;
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
export const canary = 'c4n4ry~in~an~input';
