/**
 * The search: a population on each island, evolved in epochs of five generations. Between two epochs each island sends its two
 * best to the next name, the last to the first. Each island and epoch has its own random stream, so that the islands of an epoch
 * may be evolved on any thread, in any order.
 */
import { prng } from '../../base/prng.js';
import type { SimulationRequest } from '../../codec/simulation.js';
import { admit, initialise, newEvolution, snapshot, step, type Evolution } from '../evolution/evolution.js';
import type { Population } from '../evolution/problem.js';
import { objectives, problemOf, type Model } from './model.js';

export const epoch_generations = 5;
const emigrants = 2;
export const island_size_min = 2;
/** The label of the search's random streams; an island's place and the epoch follow it. */
const search_label = 2;

/** Returns the number of individuals on each of `count` islands: equal parts, the first ones one more. */
export const islandSizes = (pop_size: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.floor(pop_size / count) + (i < pop_size % count ? 1 : 0));

/** @param alive called after every evaluation */
export const newIslands = (
  model: Model,
  request: SimulationRequest,
  count: number,
  alive: () => void = () => undefined,
): Evolution[] => islandSizes(request.pop_size, count).map((population) => newIsland(model, request, population, alive));

export const newIsland = (model: Model, request: SimulationRequest, population: number, alive: () => void): Evolution =>
  newEvolution(problemOf(model, alive), {
    population,
    crossover_probability: request.xover_rate,
    mutation_probability: request.mut_rate,
  });

/**
 * Evolves one island through one epoch: `generations` is at most five. `onStep` is called before each generation and after the last.
 */
export function evolveEpoch(
  island: Evolution,
  {
    seed,
    place,
    epoch,
    generations,
  }: { readonly seed: number; readonly place: number; readonly epoch: number; readonly generations: number },
  onStep: (done: number) => void,
): void {
  const random = prng(seed, search_label, place, epoch);
  onStep(0);
  if (epoch === 0) initialise(island, random);
  for (let generation = 1; generation <= generations; generation++) {
    step(island, random);
    onStep(generation);
  }
}

/** Sends the best of every island, chosen before any immigrant arrives, to the next one. */
export function migrate(islands: readonly Evolution[]): void {
  const leaving = islands.map(departing);
  for (const [i, best] of leaving.entries()) {
    const next = islands[(i + 1) % islands.length];
    if (next !== undefined && islands.length > 1) admit(next, best);
  }
}

/** Migrating individuals: two rows. */
export interface Migrants {
  readonly variables: Float64Array<ArrayBuffer>;
  readonly objectives: Float64Array<ArrayBuffer>;
}

/** Returns the two best by rank, then crowding distance, then index. */
export const departing = (island: Evolution): Migrants => bestOf(snapshot(island));

export function bestOf({ variables, objectives: values, rank, crowding }: Population): Migrants {
  const genes = variables.length / rank.length;
  const order = Array.from(rank.keys()).toSorted(
    (a, b) => (rank[a] as number) - (rank[b] as number) || descending(crowding[a] as number, crowding[b] as number) || a - b,
  );
  const best = { variables: new Float64Array(emigrants * genes), objectives: new Float64Array(emigrants * objectives) };
  for (const [row, i] of order.slice(0, emigrants).entries()) {
    best.variables.set(variables.subarray(i * genes, (i + 1) * genes), row * genes);
    best.objectives.set(values.subarray(i * objectives, (i + 1) * objectives), row * objectives);
  }
  return best;
}

/** Treats two infinite distances as equal: their difference would be NaN. */
const descending = (a: number, b: number): number => (a === b ? 0 : b - a);
