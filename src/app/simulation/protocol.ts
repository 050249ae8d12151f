/** The messages between a simulation's thread and the thread that started it. */
import type { Salted } from '../../journal/salted.js';
import type { WorkerNotice, WorkerAccess } from '../workers/register.js';
import type { SimulationTask } from '../workers/simulation-jobs.js';
import type { IslandGroup } from './islands.js';
import type { BytesParts } from './outcome-bytes.js';
import type { OutcomeMarks } from './outcome-parts.js';

/** The task of a run's thread. */
export interface ThreadTask extends SimulationTask {
  /** The groups of the search's islands; a single group without a queue is evolved by the run's own thread. */
  readonly groups: readonly IslandGroup[];
  /** How the workers of queues are reached, and which count. */
  readonly workers: WorkerAccess;
}

/** The steps that a run's thread executes, in order, each on request. Planning and recording are not executed on this thread. */
export const thread_stages = ['research', 'strategy', 'market', 'codegen', 'safety'] as const;
export type ThreadStage = (typeof thread_stages)[number];

export interface AnsweredSimulation {
  readonly type: 'answered';
  /**
   * The outcome's canonical JSON, whose SHA-256 is the hash; UTF-8 bytes if it is large, because they are sent without a copy.
   */
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly outcome_hash: string;
  /** Prepared parts of a large outcome, which would block the thread that serves requests for long. */
  readonly prepared?: PreparedOutcome;
}

export interface PreparedOutcome {
  /** The salted form that the journal stores. */
  readonly salted: Salted;
  /** The places of the members in the outcome. */
  readonly marks: OutcomeMarks;
  /** The members without genomes. */
  readonly brief: BytesParts;
}

export type SimulationAnswer =
  | AnsweredSimulation
  /** The outcome did not pass its checks. */
  | { readonly type: 'refuted'; readonly reason: string }
  | { readonly type: 'stopped' };

/** The messages of the thread: `years` once, before the search; then the completed `generation`, a few times a second. */
export type SimulationMessage =
  | SimulationAnswer
  | { readonly type: 'staged' }
  | { readonly type: 'years'; readonly affected: readonly number[] }
  | { readonly type: 'generation'; readonly generation: number; readonly done: number }
  | { readonly type: 'worker'; readonly notice: WorkerNotice };
