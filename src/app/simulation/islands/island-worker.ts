/** A thread of islands: evolves its islands one epoch at a time, as ordered. */
import { parentPort } from 'node:worker_threads';
import { admit, type Evolution } from '../../../engines/evolution/evolution.js';
import { baselineOf } from '../../../engines/simulation/engine.js';
import { departing, evolveEpoch, islandSizes, newIsland } from '../../../engines/simulation/islands.js';
import { modelOf } from '../../../engines/simulation/model.js';
import { Stopped, watchedTask } from '../../threads/watched-thread.js';
import type { IslandAnswer, IslandOrder, IslandTask } from './threads.js';

const { task, mustStop, alive } = watchedTask<IslandTask>();
const { request, islands: names, places, completed } = task;

const { scenario, paths } = baselineOf(request);
const model = modelOf(scenario, paths);
const sizes = islandSizes(request.pop_size, names.length);
const islands = places.map((place) => newIsland(model, request, sizes[place] ?? 0, alive));

function checkpoint(): void {
  if (mustStop()) throw new Stopped();
  alive();
}

function evolve(island: Evolution, place: number, epoch: number, generations: number): void {
  evolveEpoch(island, { seed: request.seed, place, epoch, generations }, (done) => {
    checkpoint();
    if (done > 0) Atomics.add(completed, place, 1);
  });
}

function take(order: IslandOrder): IslandAnswer {
  if (order.type === 'settle')
    return {
      type: 'settled',
      variables: islands.map(({ size, union }) => union.variables.slice(0, size * model.count)),
    };
  const { epoch, generations, arriving } = order;
  for (const [i, migrants] of arriving.entries()) {
    const island = islands[i];
    if (island !== undefined) admit(island, migrants);
  }
  for (const [i, island] of islands.entries()) evolve(island, places[i] ?? 0, epoch, generations);
  return { type: 'evolved', leaving: islands.map(departing) };
}

parentPort?.on('message', (order: IslandOrder) => {
  try {
    parentPort?.postMessage(take(order));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    parentPort?.postMessage({ type: 'stopped' } satisfies IslandAnswer);
  }
});
