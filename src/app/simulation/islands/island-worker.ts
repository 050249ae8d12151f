/** A thread of islands: evolves its islands one epoch at a time, as ordered. */
import { admit, type Evolution } from '../../../engines/evolution/evolution.js';
import { baselineOf } from '../../../engines/simulation/engine.js';
import { departing, evolveEpoch, islandSizes, newIsland } from '../../../engines/simulation/islands.js';
import { modelOf } from '../../../engines/simulation/model.js';
import { serveTasks } from '../../threads/watched-thread.js';
import type { IslandReply, IslandOrder, IslandTask } from './threads.js';

serveTasks<IslandTask, never, never, IslandOrder, IslandReply>(async (task, { order, reply, alive, checkpoint }) => {
  const { request, places, completed } = task;
  const { scenario, paths } = baselineOf(request);
  const model = modelOf(scenario, paths);
  const sizes = islandSizes(request.pop_size, task.islands.length);
  const islands = places.map((place) => newIsland(model, request, sizes[place] ?? 0, alive));
  const evolve = (island: Evolution, place: number, epoch: number, generations: number): void =>
    evolveEpoch(island, { seed: request.seed, place, epoch, generations }, (done) => {
      checkpoint();
      if (done > 0) Atomics.add(completed, place, 1);
    });
  const take = (given: IslandOrder): IslandReply => {
    if (given.type === 'settle')
      return {
        type: 'settled',
        variables: islands.map(({ size, union }) => union.variables.slice(0, size * model.count)),
      };
    const { epoch, generations, arriving } = given;
    for (const [i, migrants] of arriving.entries()) {
      const island = islands[i];
      if (island !== undefined) admit(island, migrants);
    }
    for (const [i, island] of islands.entries()) evolve(island, places[i] ?? 0, epoch, generations);
    return { type: 'evolved', leaving: islands.map(departing) };
  };
  for (;;) reply(take(await order()));
});
