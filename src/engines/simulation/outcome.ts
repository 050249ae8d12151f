/** The outcome of a run. Computed numbers have 12 significant digits; the population is evaluated from its genes as they are printed. */
import { round12 } from '../../base/decimal.js';
import type { ForecastEntry, Individual, SectorPath, SimulationOutcome } from '../../codec/simulation-results.js';
import { newFronts, rankFronts } from '../evolution/fronts.js';
import { hypervolume } from '../evolution/hypervolume.js';
import { drawnCapabilities, quantilesOf } from './draws.js';
import { evaluate, objectives, withoutEffort, type Model } from './model.js';
import { affectedByYear, type Path, type Scenario } from './scenario.js';
import { warningsOf } from './warnings.js';

/** The engine's name and version; the version is increased whenever a request may give another outcome. */
export const simulationEngine = { name: 'simulation', version: '1.0.0' } as const;

/** Eight decimals, so that a million genes fit in an outcome. */
const gene_decimals = 1e8;

/** The result of the search: the final population, and the volume that it dominates (null when JSON cannot represent it). */
export interface Valuation {
  readonly population: readonly Individual[];
  readonly volume: number | null;
}

export interface Findings extends Valuation {
  readonly forecast: readonly ForecastEntry[];
  readonly names: readonly string[];
}

export function outcomeOf(
  scenario: Scenario,
  paths: readonly Path[],
  { forecast, names, population, volume }: Findings,
): SimulationOutcome {
  const { request } = scenario;
  return {
    engine: simulationEngine,
    forecast,
    hypervolume: volume,
    islands: names,
    population,
    request,
    sectors: sectorsOf(scenario, paths),
    seed: request.seed,
    warnings: warningsOf(scenario, paths, volume),
  };
}

export function forecastOf(scenario: Scenario, paths: readonly Path[]): ForecastEntry[] {
  const { request, horizon, capability } = scenario;
  const { samples } = request;
  const affected = affectedByYear(horizon, paths);
  const rows = drawnCapabilities(scenario, samples);
  return affected.map((count, i) => {
    const entry = { year: i + 1, capability: round12(capability[i] as number), affected: count };
    if (samples === 0) return entry;
    const { p05, p25, p50, p75, p95 } = quantilesOf(rows, horizon, samples, i + 1);
    return { ...entry, p05: round12(p05), p25: round12(p25), p50: round12(p50), p75: round12(p75), p95: round12(p95) };
  });
}

const sectorsOf = ({ sectors }: Scenario, paths: readonly Path[]): SectorPath[] =>
  paths.map(({ disrupted_year, energy }, i) => ({
    name: sectors[i]?.name ?? '',
    disrupted_year,
    energy: Array.from(energy, round12),
  }));

/** Returns all islands' individuals, by rank, then by falling effectiveness, then in their original order. */
export function valuationOf(model: Model, islands: readonly Settled[], alive: () => void): Valuation {
  const genomes = islands.flatMap((island) => genomesOf(island, model.count));
  const values = new Float64Array(genomes.length * objectives);
  const out = new Float64Array(objectives);
  for (const [i, genome] of genomes.entries()) {
    evaluate(model, genome, out);
    values.set(out.map(round12), i * objectives);
    alive();
  }
  const fronts = newFronts(genomes.length, objectives);
  rankFronts(fronts, values, genomes.length, objectives);
  const population = genomes.map((genome, i) => ({
    effectiveness: round12(-(values[i * objectives] as number)),
    risk: values[i * objectives + 1] as number,
    complexity: values[i * objectives + 2] as number,
    rank: fronts.rank[i] as number,
    genome: Array.from(genome),
  }));
  const volume = round12(hypervolume(values, [0, round12(withoutEffort(model)[1] as number), model.count]));
  return {
    population: population.toSorted((a, b) => a.rank - b.rank || b.effectiveness - a.effectiveness),
    volume: volume - volume === 0 ? volume : null,
  };
}

/** An island's individuals at the end: rows of `genes` variables, possibly with other data after them. */
export interface Settled {
  readonly size: number;
  readonly variables: Float64Array;
}

function genomesOf({ size, variables }: Settled, genes: number): Float64Array[] {
  return Array.from({ length: size }, (_, i) =>
    variables.slice(i * genes, (i + 1) * genes).map((gene) => Math.round(gene * gene_decimals) / gene_decimals),
  );
}
