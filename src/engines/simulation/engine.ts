/** One run: a pure function of the request (which holds the seed) and the islands' names. */
import type { SimulationRequest } from '../../codec/simulation.js';
import type { SimulationOutcome } from '../../codec/simulation-results.js';
import { epoch_generations, evolveEpoch, migrate, newIslands } from './islands.js';
import { modelOf } from './model.js';
import { outcomeOf } from './outcome.js';
import { affectedByYear, pathOf, scenarioOf } from './scenario.js';

/** What is heard of a run under way. */
export interface RunWatch {
  /** Called before every generation of every island and at the end; what it throws ends the run. */
  readonly checkpoint: (done: number) => void;
  /** Each year once, in order, before the search begins: how many sectors are disrupted by then. */
  readonly onYear?: (year: number, affected: number) => void;
  /** Each generation once, in order, when all islands have completed it. */
  readonly onGeneration?: (generation: number) => void;
}

/** @param names of the islands, each with at least two individuals, in the order in which they send their best on */
export function simulate(request: SimulationRequest, names: readonly string[], watch: RunWatch): SimulationOutcome {
  const { seed, generations } = request;
  const scenario = scenarioOf(request);
  const paths = scenario.sectors.map((sector) => pathOf(scenario, sector));
  affectedByYear(scenario.horizon, paths).forEach((affected, i) => watch.onYear?.(i + 1, affected));
  const model = modelOf(scenario, paths);
  const islands = newIslands(model, request, names.length);
  for (let epoch = 0; epoch * epoch_generations < generations; epoch++) {
    const before = epoch * epoch_generations;
    const steps = Math.min(epoch_generations, generations - before);
    if (epoch > 0) migrate(islands);
    for (const [place, island] of islands.entries()) {
      evolveEpoch(island, { seed, place, epoch, generations: steps }, (done) => {
        watch.checkpoint((before + (steps * place + done) / islands.length) / generations);
        if (done > 0 && place === islands.length - 1) watch.onGeneration?.(before + done);
      });
    }
  }
  return outcomeOf(scenario, paths, model, islands, names);
}
