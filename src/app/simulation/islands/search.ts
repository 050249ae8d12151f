/**
 * Runs the search on several threads and on workers of queues. Each island and epoch has its own random stream, so that the outcome is bit
 * for bit that of one thread.
 */
import { thread_start_ms_max, worker_attempts_max } from '../../../base/limits.js';
import { type Baseline, search, type SearchOutcome } from '../../../engines/simulation/engine.js';
import { epoch_generations, islandSizes, type Migrants } from '../../../engines/simulation/islands.js';
import { modelOf } from '../../../engines/simulation/model.js';
import { type EvolvingIslands, type IslandsWatch, islandThread, Refuted, type ThreadTask } from './threads.js';

const look_ms = 20;

/**
 * Searches with the threads and workers of the task's groups. When a worker's result is refuted, its other results may be wrong too: the
 * search begins again without that worker, and after a few such attempts only this thread computes it.
 * @throws Stopped when the run must end; Fault when a thread dies
 */
export async function searchInGroups(found: Baseline, task: ThreadTask, watch: IslandsWatch): Promise<SearchOutcome> {
  const refuted = new Set(task.workers.refuted);
  for (let attempt = 1; attempt <= worker_attempts_max; attempt++) {
    try {
      return await searchOnce(found, { ...task, workers: { ...task.workers, refuted: [...refuted] } }, watch);
    } catch (error) {
      if (!(error instanceof Refuted)) throw error;
      refuted.add(error.key);
      watch.onWorker({ type: 'refuted', key: error.key });
    }
  }
  return search(found, task.islands, watch);
}

async function searchOnce(found: Baseline, task: ThreadTask, watch: IslandsWatch): Promise<SearchOutcome> {
  const { request, islands: names } = task;
  const count = names.length;
  const completed = new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
  const groups = await groupsOf(task, completed, watch);
  const look = teller(completed, request.generations, watch);
  const timer = setInterval(look, look_ms);
  try {
    let leaving: readonly Migrants[] = [];
    for (let epoch = 0; epoch * epoch_generations < request.generations; epoch++) {
      const generations = Math.min(epoch_generations, request.generations - epoch * epoch_generations);
      const before = leaving;
      const arriving = (place: number): readonly Migrants[] =>
        count === 1 ? [] : before.slice((place - 1 + count) % count).slice(0, 1);
      const evolved = await Promise.all(groups.map((group) => group.evolve(epoch, generations, arriving)));
      leaving = inPlaces(task.groups, evolved);
      watch.checkpoint((epoch * epoch_generations + generations) / request.generations);
      look();
    }
    const settled = inPlaces(task.groups, await Promise.all(groups.map((group) => group.settle())));
    const sizes = islandSizes(request.pop_size, count);
    const islands = settled.map((variables, place) => ({ size: sizes[place] ?? 0, variables }));
    return { model: modelOf(found.scenario, found.paths), islands };
  } finally {
    clearInterval(timer);
    for (const group of groups) group.end();
  }
}

/** Loads what speaks with queues only where a group has one. */
const groupsOf = (task: ThreadTask, completed: Int32Array, watch: IslandsWatch): Promise<EvolvingIslands[]> =>
  Promise.all(
    task.groups.map(async ({ places, queue }) => {
      if (queue === null) return islandThread({ ...task, places, completed }, watch);
      const { QueuedIslands } = await import('./queued-islands.js');
      return new QueuedIslands({ ...task, places, completed, queue }, watch);
    }),
  );

/** Returns the groups' answers in the order of the islands. */
function inPlaces<A>(groups: ThreadTask['groups'], answers: readonly (readonly A[])[]): A[] {
  const placed: [number, A][] = groups.flatMap(({ places }, i) =>
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
