/** What goes to a simulation's thread and what comes back. */
import type { SimulationRequest } from '../../codec/simulation.js';
import type { Salted } from '../../journal/salted.js';

export interface SimulationTask {
  readonly request: SimulationRequest;
  readonly islands: readonly string[];
}

/** What a run's thread is given. */
export interface ThreadTask extends SimulationTask {
  /** Places of the islands that each thread of the search evolves; with one group the run's thread does it itself. */
  readonly groups: readonly (readonly number[])[];
}

/** The steps of a run that its thread takes, in order; each waits until it is told to begin. Planning and recording are not the thread's. */
export const thread_stages = ['research', 'strategy', 'market', 'codegen', 'safety'] as const;
export type ThreadStage = (typeof thread_stages)[number];

export interface AnsweredSimulation {
  readonly type: 'answered';
  /** The outcome's canonical JSON, whose SHA-256 is the hash; as UTF-8 where it is large, which costs nothing to send. */
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly outcome_hash: string;
  /** Of a large one, what would keep the thread that answers requests for long. */
  readonly prepared?: PreparedOutcome;
}

export interface PreparedOutcome {
  /** What the journal stores it with. */
  readonly salted: Salted;
  /** The outcome's members in the results object, without genomes. */
  readonly members: string;
}

export type SimulationAnswer =
  | AnsweredSimulation
  /** The outcome did not pass its checks. */
  | { readonly type: 'refuted'; readonly reason: string }
  | { readonly type: 'stopped' };

/** `years` once, before the search; then the generation that is completed, a few times a second. */
export type SimulationMessage =
  | SimulationAnswer
  | { readonly type: 'staged' }
  | { readonly type: 'years'; readonly affected: readonly number[] }
  | { readonly type: 'generation'; readonly generation: number; readonly done: number };
