/** A thread of islands. It holds some of the islands; between two epochs it receives the arriving migrants and returns the departing ones. */
import { Worker } from 'node:worker_threads';
import { Fault, shortageOf } from '../../base/fault.js';
import { threadScript } from '../../base/thread-script.js';
import type { Migrants } from '../../engines/simulation/islands.js';
import { type WatchedData, Stopped } from '../threads/watched-thread.js';
import type { EvolvingIslands, IslandsWatch } from './evolving-islands.js';
import type { ThreadTask } from './protocol.js';

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
