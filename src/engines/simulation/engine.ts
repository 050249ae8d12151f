/**
 * One run: a pure function of the request (which holds the seed) and the islands' names. Its steps can be called one by one, so
 * that a server can supervise each: the baseline, the search, the evaluation of the population, and the outcome.
 */
import { round12 } from '../../base/decimal.js';
import type { SimulationRequest } from '../../codec/simulation.js';
import type { SimulationOutcome } from '../../codec/simulation-results.js';
import { capabilities } from './curve.js';
import { epoch_generations, evolveEpoch, migrate, newIslands } from './islands.js';
import { modelOf } from './model.js';
import { forecastOf, type Foreseen, outcomeOf, valuationOf } from './outcome.js';
import { affectedByYear, pathOf, scenarioOf, type Path, type Scenario } from './scenario.js';

const nothing = (): void => undefined;

/** Callbacks for the progress of a run. */
export interface RunWatch {
  /** Called before every generation of every island and at the end; an error that it throws ends the run. */
  readonly checkpoint: (done: number) => void;
  /** Called once for each generation, in order, when all islands have completed it. */
  readonly onGeneration?: (generation: number) => void;
  /** Called after every evaluation of a genome, many times a second. */
  readonly alive?: () => void;
}

/** The path without effort. */
export interface Baseline {
  readonly scenario: Scenario;
  readonly paths: readonly Path[];
  /** The number of sectors disrupted by each year, the first at index 0. */
  readonly affected: readonly number[];
}

export function baselineOf(request: SimulationRequest): Baseline {
  const scenario = scenarioOf(request);
  const paths = scenario.sectors.map((sector) => pathOf(scenario, sector));
  return { scenario, paths, affected: affectedByYear(scenario.horizon, paths) };
}

/** Returns the capabilities of the forecast that `research` makes, by year. */
export const capabilityOf = (request: SimulationRequest): number[] => Array.from(capabilities(request, request.horizon), round12);

/** Returns the last year of the forecast that `research` makes, without its draws. */
export function endOf(request: SimulationRequest) {
  const { scenario, affected } = baselineOf(request);
  const last = scenario.horizon - 1;
  return {
    capability: round12(scenario.capability[last] ?? 0),
    /** How many sectors are disrupted by then, of how many. */
    disrupted: affected[last] ?? 0,
    sectors: scenario.sectors.length,
  };
}

export interface Research extends Baseline, Foreseen {}

/** @param alive called for every sector */
export function research(request: SimulationRequest, alive: () => void = nothing): Research {
  const baseline = baselineOf(request);
  return { ...baseline, ...forecastOf(baseline.scenario, baseline.paths, alive) };
}

export type SearchOutcome = Readonly<ReturnType<typeof search>>;

/** @param names the names of the islands, each with at least two individuals, in the order in which they send their best on */
export function search({ scenario, paths }: Baseline, names: readonly string[], watch: RunWatch) {
  const { request } = scenario;
  const { seed, generations } = request;
  const model = modelOf(scenario, paths);
  const islands = newIslands(model, request, names.length, watch.alive ?? nothing);
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
  return { model, islands: islands.map(({ size, union }) => ({ size, variables: union.variables })) };
}

export function simulate(request: SimulationRequest, names: readonly string[], watch: RunWatch): SimulationOutcome {
  const found = research(request, watch.alive);
  const { model, islands } = search(found, names, watch);
  const valuation = valuationOf(model, islands, watch.alive ?? nothing);
  return outcomeOf(found.scenario, found.paths, {
    forecast: found.forecast,
    probability: found.probability,
    names,
    ...valuation,
  });
}
