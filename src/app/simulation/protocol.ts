/** What goes to a simulation's thread and what comes back. */
import type { SimulationRequest } from '../../codec/simulation.js';

export interface SimulationTask {
  readonly request: SimulationRequest;
  readonly islands: readonly string[];
}

export type SimulationAnswer =
  | {
      readonly type: 'answered';
      /** The outcome's canonical JSON, whose SHA-256 is the hash. */
      readonly text: string;
      readonly outcome_hash: string;
    }
  | { readonly type: 'stopped' };

/** `years` once, before the search; then the generation that is completed, a few times a second. */
export type SimulationMessage =
  | SimulationAnswer
  | { readonly type: 'years'; readonly affected: readonly number[] }
  | { readonly type: 'generation'; readonly generation: number; readonly done: number };
