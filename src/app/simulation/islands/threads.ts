/** Islands that are evolved together, one epoch at a time, and those of a thread of this process. */
import { Worker } from 'node:worker_threads';
import { Fault, shortageOf } from '../../../base/refusal.js';
import { threadScript } from '../../../base/thread-script.js';
import type { RunWatch } from '../../../engines/simulation/engine.js';
import type { Migrants } from '../../../engines/simulation/islands.js';
import { Stopped, type WatchedData } from '../../threads/watched-thread.js';
import type { WorkerAccess, WorkerNotice } from '../../workers/register.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';
import type { IslandGroup } from './settings.js';

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

export type IslandAnswer =
  | { readonly type: 'evolved'; readonly leaving: readonly Migrants[] }
  | { readonly type: 'settled'; readonly variables: readonly Float64Array<ArrayBuffer>[] }
  | { readonly type: 'stopped' };

const memory_mb_max = 1_024;

/** A thread of islands. It holds some of the islands; between two epochs it receives the arriving migrants and returns the departing ones. */
export class IslandThread implements EvolvingIslands {
  private readonly worker: Worker;
  private readonly places: readonly number[];
  /** Why the thread takes no more orders. */
  private fault: Fault | null = null;
  private waiting: { readonly resolve: (answer: IslandAnswer) => void; readonly reject: (error: unknown) => void } | null = null;

  constructor(task: IslandTask, { cells, isBackground }: IslandsWatch) {
    this.places = task.places;
    const workerData: WatchedData<IslandTask> = { task, cells, isBackground };
    this.worker = new Worker(threadScript(new URL('./island-worker.js', import.meta.url)), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memory_mb_max },
    });
    this.worker.on('message', (answer: IslandAnswer) => {
      if (answer.type === 'stopped') this.waiting?.reject(new Stopped());
      else this.waiting?.resolve(answer);
    });
    this.worker.on('error', (error) => this.fail(new Fault(`an island's thread failed${shortageOf(error)}`, error)));
    this.worker.on('exit', (code) => this.fail(new Fault(`an island's thread ended with code ${code}`)));
  }

  async evolve(
    epoch: number,
    generations: number,
    arriving: (place: number) => readonly Migrants[],
  ): Promise<readonly Migrants[]> {
    const answer = await this.order({ type: 'evolve', epoch, generations, arriving: this.places.flatMap(arriving) });
    return answer.type === 'evolved' ? answer.leaving : [];
  }

  async settle(): Promise<readonly Float64Array<ArrayBuffer>[]> {
    const answer = await this.order({ type: 'settle' });
    return answer.type === 'settled' ? answer.variables : [];
  }

  end(): void {
    void this.worker.terminate();
  }

  /** Records a fault, also between two orders, because the next order would never be answered. */
  private fail(fault: Fault): void {
    this.fault ??= fault;
    this.waiting?.reject(this.fault);
  }

  private order(order: IslandOrder): Promise<IslandAnswer> {
    if (this.fault !== null) return Promise.reject(this.fault);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker.postMessage(order);
    });
  }
}
