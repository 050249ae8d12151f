/** Islands that are evolved together, one epoch at a time. */
import type { RunWatch } from '../../engines/simulation/engine.js';
import type { Migrants } from '../../engines/simulation/islands.js';
import type { WatchedData } from '../threads/watched-thread.js';
import type { WorkerNotice } from '../workers/register.js';

export interface EvolvingIslands {
  /** Evolves one epoch and returns the departing migrants of each island. @param arriving the migrants for each place, none before the first epoch */
  readonly evolve: (
    epoch: number,
    generations: number,
    arriving: (place: number) => readonly Migrants[],
  ) => Promise<readonly Migrants[]>;
  /** Returns the variables of each island's final population. */
  readonly settle: () => Promise<readonly Float64Array<ArrayBuffer>[]>;
  readonly end: () => void;
}

export interface IslandsWatch
  extends Required<Pick<RunWatch, 'checkpoint' | 'onGeneration' | 'alive'>>,
    Pick<WatchedData<never>, 'cells' | 'isBackground'> {
  readonly onWorker: (notice: WorkerNotice) => void;
}
