/** Islands that are evolved together, one epoch at a time, and those of a thread of this process. */
import { threadScript } from '../../../base/thread-script.js';
import type { RunWatch } from '../../../engines/simulation/engine.js';
import type { Migrants } from '../../../engines/simulation/islands.js';
import { Stopped, type TaskWatch } from '../../threads/watched-thread.js';
import { watchThread } from '../../threads/watched-worker.js';
import type { WorkerAccess, WorkerNotice } from '../../workers/register.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';
import type { IslandGroup } from './settings.js';

export type EvolvingIslands = Readonly<ReturnType<typeof islandThread>>;

export interface IslandsWatch
  extends Required<Pick<RunWatch, 'checkpoint' | 'onGeneration' | 'alive'>>,
    Pick<TaskWatch, 'mustStop' | 'isBackground'> {
  readonly onWorker: (notice: WorkerNotice) => void;
}

/** Thrown when a worker's result is not what its recomputation gave. */
export class Refuted extends Error {
  /** @param key the worker's public key */
  constructor(readonly key: string) {
    super(`the worker ${key} gave a wrong result`);
  }
}

/** The task of a run's thread. */
export interface ThreadTask extends SimulationTask {
  /** The groups of the search's islands; a single group without a queue is evolved by the run's own thread. */
  readonly groups: readonly IslandGroup[];
  /** How the workers of queues are reached, and which count. */
  readonly workers: WorkerAccess;
}

/** The task of a thread of islands. */
export interface IslandTask extends ThreadTask {
  readonly places: readonly number[];
  /** The number of generations that the island at each place has completed, shared by all threads. */
  readonly completed: Int32Array;
}

/** An order to a thread; `arriving` has the migrants for each of the thread's places, none before the first epoch. */
export type IslandOrder =
  | { readonly type: 'evolve'; readonly epoch: number; readonly generations: number; readonly arriving: readonly Migrants[] }
  | { readonly type: 'settle' };

export type IslandReply =
  | { readonly type: 'evolved'; readonly leaving: readonly Migrants[] }
  | { readonly type: 'settled'; readonly variables: readonly Float64Array<ArrayBuffer>[] };

const memory_mb_max = 1_024;

/** Returns the islands of a thread. Between two epochs it receives the arriving migrants and returns the departing ones. */
export function islandThread(task: IslandTask, { mustStop, alive, isBackground }: IslandsWatch) {
  const thread = watchThread<never, never, IslandOrder, IslandReply>({
    script: threadScript(new URL('./island-worker.js', import.meta.url)),
    memory_mb_max,
    isBackground,
    task,
    name: 'an island',
    mustStop,
    // One that waits for a processor is as good as alive.
    observer: { heartbeat: alive, starved: (ms) => ms > 0 && alive() },
  });
  // A failure between two orders has no awaiter; the next order receives it.
  thread.answer.catch(() => undefined);
  const ask = async (order: IslandOrder): Promise<IslandReply> => {
    const reply = await thread.ask(order);
    if (reply.type === 'stopped') throw new Stopped();
    return reply;
  };
  return {
    /** Evolves one epoch and returns the departing migrants of each island. @param arriving the migrants for each place, none before the first epoch */
    evolve: async (epoch: number, generations: number, arriving: (place: number) => readonly Migrants[]) => {
      const reply = await ask({ type: 'evolve', epoch, generations, arriving: task.places.flatMap(arriving) });
      return reply.type === 'evolved' ? reply.leaving : [];
    },
    /** Returns the variables of each island's final population. */
    settle: async () => {
      const reply = await ask({ type: 'settle' });
      return reply.type === 'settled' ? reply.variables : [];
    },
    end: (): void => void thread.end(),
  };
}
