/** The outcome of a run. Computed numbers have 12 significant digits; the population is evaluated from its genes as they are printed. */
import { round12 } from '../../base/decimal.js';
import type {
  AffectedQuantiles,
  ForecastEntry,
  Individual,
  SectorPath,
  SimulationOutcome,
} from '../../codec/simulation-results.js';
import { newFronts, rankFronts } from '../evolution/fronts.js';
import { hypervolume } from '../evolution/hypervolume.js';
import { disruptionOf, type Disruption } from './disruption.js';
import { drawnCapabilities, quantilesOf, risk_draws } from './draws.js';
import { evaluate, objectives, withoutEffort, type Model } from './model.js';
import { affectedByYear, type Path, type Scenario } from './scenario.js';

// Warnings about a run's inputs.

function warningsOf(scenario: Scenario, paths: readonly Path[], hypervolume: number | null): string[] {
  return [
    ...disruptionWarning(scenario, paths),
    ...unusedWarning(scenario),
    ...(hypervolume === null ? ['the hypervolume is beyond the numbers that can be written, so it is null'] : []),
  ];
}

function disruptionWarning({ sectors }: Scenario, paths: readonly Path[]): string[] {
  if (sectors.every(({ entropy }) => entropy === 0))
    return ['no sector has entropy: none can be disrupted, effort changes nothing, and neither curve, k nor x0 matters'];
  if (paths.some(({ disrupted_year }) => disrupted_year !== null)) return [];
  const isPossible = paths.some(({ free }, i) => free.some((energy) => energy < (sectors[i]?.entropy ?? 0)));
  return [
    isPossible
      ? 'no sector is disrupted within the horizon: capability × entropy never exceeds energy; a steeper curve, more entropy or less energy would change that'
      : "no sector can be disrupted under these inputs: each sector's energy is at least its entropy in every year, so that not even full capability (1) disrupts it; raise entropy, or lower energy or growth",
  ];
}

function unusedWarning({ request: { curve, k, x0, sectors, energy, entropy, num_sectors } }: Scenario): string[] {
  const steep = curve === 'linear' && (k !== null || x0 !== null) ? ['k and x0 do not apply to the linear curve'] : [];
  const isGiven = energy !== 1 || entropy !== 1 || num_sectors !== 6;
  const beside = sectors !== null && isGiven ? ['energy, entropy and num_sectors are not used beside a list of sectors'] : [];
  return [...steep, ...beside];
}

/** The engine's name and version; the version is increased whenever a request may give another outcome. */
export const simulationEngine = { name: 'simulation', version: '1.1.0' } as const;

/** Eight decimals, so that a million genes fit in an outcome. */
const gene_decimals = 1e8;

/** The result of the search: the final population, and the volume that it dominates (null when JSON cannot represent it). */
export interface Valuation {
  readonly population: readonly Individual[];
  readonly volume: number | null;
}

/** The forecast, and for each sector the probability by year that it is disrupted. */
export interface Foreseen {
  readonly forecast: readonly ForecastEntry[];
  readonly probability: Disruption['probability'];
}

export interface Findings extends Valuation, Foreseen {
  readonly names: readonly string[];
}

export function outcomeOf(
  scenario: Scenario,
  paths: readonly Path[],
  { forecast, probability, names, population, volume }: Findings,
): SimulationOutcome {
  const { request } = scenario;
  return {
    engine: simulationEngine,
    forecast,
    hypervolume: volume,
    islands: names,
    population,
    request,
    sectors: sectorsOf(scenario, paths, probability),
    seed: request.seed,
    warnings: warningsOf(scenario, paths, volume),
  };
}

export function forecastOf(scenario: Scenario, paths: readonly Path[], alive: () => void): Foreseen {
  const { request, horizon, capability } = scenario;
  const { samples } = request;
  const affected = affectedByYear(horizon, paths);
  const draws = Math.max(risk_draws, samples);
  const rows = drawnCapabilities(scenario, draws);
  const disruption = disruptionOf(scenario, paths, rows, draws, alive);
  const forecast = affected.map((count, i): ForecastEntry => {
    const known = { year: i + 1, capability: round12(capability[i] as number), affected: count };
    const entry = { ...known, ...(disruption.affected[i] as AffectedQuantiles) };
    if (samples === 0) return entry;
    const { p05, p25, p50, p75, p95 } = quantilesOf(rows, horizon, samples, i + 1);
    return { ...entry, p05: round12(p05), p25: round12(p25), p50: round12(p50), p75: round12(p75), p95: round12(p95) };
  });
  return { forecast, probability: disruption.probability };
}

const sectorsOf = ({ sectors }: Scenario, paths: readonly Path[], probability: Foreseen['probability']): SectorPath[] =>
  paths.map(({ disrupted_year, energy }, i) => ({
    name: sectors[i]?.name ?? '',
    disrupted_year,
    energy: Array.from(energy, round12),
    probability: probability[i] ?? [],
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
