/**
 * Runs the search on several threads. Each thread holds some of the islands; between two epochs it receives the arriving migrants
 * and returns the departing ones. Each island and epoch has its own random stream, so that the outcome is bit for bit that of one
 * thread.
 */
import { Worker } from 'node:worker_threads';
import { Fault, shortageOf } from '../../base/fault.js';
import { thread_start_ms_max } from '../../base/limits.js';
import type { Baseline, RunWatch, Searched } from '../../engines/simulation/engine.js';
import { epoch_generations, islandSizes, type Migrants } from '../../engines/simulation/islands.js';
import { modelOf } from '../../engines/simulation/model.js';
import { thread_cell, type WatchedData } from '../threads/watched-thread.js';
import type { ThreadTask } from './protocol.js';
import { Stopped } from './stopped.js';

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

export interface IslandsWatch
  extends Required<Pick<RunWatch, 'checkpoint' | 'onGeneration' | 'alive'>>,
    Pick<WatchedData<never>, 'cells' | 'isBackground'> {}

const look_ms = 20;
const memory_mb_max = 1_024;

/** Searches on one thread per group. @throws Stopped when the run must end; Fault when a thread dies */
export async function searchOnThreads(found: Baseline, task: ThreadTask, watch: IslandsWatch): Promise<Searched> {
  const { request, islands: names, groups } = task;
  const count = names.length;
  const own = Atomics.load(watch.cells, thread_cell);
  const completed = new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
  const threads = groups.map((places) => new IslandThread({ ...task, places, completed }, watch));
  const look = teller(completed, request.generations, watch);
  const timer = setInterval(look, look_ms);
  try {
    let leaving: readonly Migrants[] = [];
    for (let epoch = 0; epoch * epoch_generations < request.generations; epoch++) {
      const generations = Math.min(epoch_generations, request.generations - epoch * epoch_generations);
      const before = leaving;
      const arriving = (place: number): readonly Migrants[] => before.slice((place - 1 + count) % count).slice(0, 1);
      const evolved = await Promise.all(threads.map((thread) => thread.evolve(epoch, generations, arriving)));
      leaving = inPlaces(groups, evolved);
      watch.checkpoint((epoch * epoch_generations + generations) / request.generations);
      look();
    }
    const settled = inPlaces(groups, await Promise.all(threads.map((thread) => thread.settle())));
    const sizes = islandSizes(request.pop_size, count);
    const islands = settled.map((variables, place) => ({ size: sizes[place] ?? 0, variables }));
    return { model: modelOf(found.scenario, found.paths), islands };
  } finally {
    clearInterval(timer);
    for (const thread of threads) thread.end();
    // Each island thread wrote its own ID here, as the thread whose waits for a processor count.
    Atomics.store(watch.cells, thread_cell, own);
  }
}

/** Returns the threads' answers in the order of the islands. */
function inPlaces<A>(groups: ThreadTask['groups'], answers: readonly (readonly A[])[]): A[] {
  const placed: [number, A][] = groups.flatMap((places, i) =>
    (answers[i] ?? []).map((answer, j): [number, A] => [places[j] ?? 0, answer]),
  );
  return placed.toSorted(([a], [b]) => a - b).map(([, answer]) => answer);
}

/** Returns a function that reports the generations completed by all islands, and sends heartbeats while the threads start. */
function teller(completed: Int32Array, generations: number, { onGeneration, alive }: IslandsWatch): () => void {
  const began = performance.now();
  let told = 0;
  return () => {
    if (performance.now() - began < thread_start_ms_max) alive();
    const least = Math.min(...Array.from(completed, (_, place) => Atomics.load(completed, place)), generations);
    if (least === told) return;
    told = least;
    onGeneration(least);
  };
}

class IslandThread {
  private readonly worker: Worker;
  private readonly places: readonly number[];
  /** Why the thread takes no more orders. */
  private fault: Fault | null = null;
  private waiting: { readonly resolve: (answer: IslandAnswer) => void; readonly reject: (error: unknown) => void } | null = null;

  constructor(task: IslandTask, { cells, isBackground }: IslandsWatch) {
    this.places = task.places;
    const workerData: WatchedData<IslandTask> = { task, cells, isBackground };
    this.worker = new Worker(new URL('./island-worker.js', import.meta.url), {
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
