/** The outcome of a run. Computed numbers have 12 significant digits; the population is evaluated from its genes as they are printed. */
import { round12 } from '../../base/decimal.js';
import type { AffectedQuantiles, ForecastEntry, SectorPath, SimulationOutcome } from '../../codec/simulation-results.js';
import { newFronts, rankFronts } from '../evolution/fronts.js';
import { hypervolume } from '../evolution/hypervolume.js';
import { drawnCapabilities, quantiles, quantilesOf, risk_draws } from './draws.js';
import { evaluate, objectives, withoutEffort, type Model } from './model.js';
import { affectedByYear, type Path, type Scenario } from './scenario.js';

// Warnings about a run's inputs.

const warningsOf = (scenario: Scenario, paths: readonly Path[], hypervolume: number | null): string[] => [
  ...disruptionWarning(scenario, paths),
  ...unusedWarning(scenario),
  ...(hypervolume === null ? ['the hypervolume is beyond the numbers that can be written, so it is null'] : []),
];

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
export type Valuation = Readonly<ReturnType<typeof valuationOf>>;

/** The forecast, and for each sector the probability by year that it is disrupted. */
export type Foreseen = Readonly<ReturnType<typeof forecastOf>>;

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

export function forecastOf(scenario: Scenario, paths: readonly Path[], alive: () => void) {
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
export function valuationOf(model: Model, islands: readonly SettledIsland[], alive: () => void) {
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
export interface SettledIsland {
  readonly size: number;
  readonly variables: Float64Array;
}

const genomesOf = ({ size, variables }: SettledIsland, genes: number): Float64Array[] =>
  Array.from({ length: size }, (_, i) =>
    variables.slice(i * genes, (i + 1) * genes).map((gene) => Math.round(gene * gene_decimals) / gene_decimals),
  );

// How sure the disruptions are: in how many draws of the curve each sector is disrupted by each year, and the quantiles of the number of disrupted
// sectors. Each draw has its own sector paths (docs/model.md).

export interface Disruption {
  /** By year, the first at index 0. */
  readonly affected: readonly AffectedQuantiles[];
  /** The share of the draws in which sector i is disrupted by year y, at [i][y − 1]. */
  readonly probability: readonly (readonly number[])[];
}

/** @param rows the capability of `draws` draws, row-major: draws × horizon. @param alive called for every sector */
export function disruptionOf(
  { horizon, sectors }: Scenario,
  paths: readonly Path[],
  rows: Float64Array,
  draws: number,
  alive: () => void,
): Disruption {
  /** The number of sectors of a draw that are disrupted in a year, by year and then by draw. */
  const counts = new Int32Array(horizon * draws);
  const probability = paths.map(({ free }, i) => {
    alive();
    const entropy = sectors[i]?.entropy ?? 0;
    const inYear = new Int32Array(horizon);
    for (let j = 0; j < draws; j++) {
      const year = firstDisrupted(free, rows.subarray(j * horizon, (j + 1) * horizon), entropy);
      if (year < 0) continue;
      inYear[year] = (inYear[year] as number) + 1;
      counts[year * draws + j] = (counts[year * draws + j] as number) + 1;
    }
    let sum = 0;
    return Array.from(inYear, (number) => round12((sum += number) / draws));
  });
  const affected = Array.from({ length: horizon }, (_, y) => {
    alive();
    const column = counts.subarray(y * draws, (y + 1) * draws);
    if (y > 0) for (let j = 0; j < draws; j++) column[j] = (column[j] as number) + (counts[(y - 1) * draws + j] as number);
    return quantilesOfCounts(column);
  });
  return { affected, probability };
}

/** Returns the index of the first year in which energy − capability · entropy < 0, or -1. */
function firstDisrupted(free: Float64Array, capability: Float64Array, entropy: number): number {
  for (let y = 0; y < free.length; y++) if ((free[y] as number) - (capability[y] as number) * entropy < 0) return y;
  return -1;
}

/** Returns the least number that at least this share of the draws does not exceed (Hyndman and Fan 1996, type 1): a count, never between two. */
function quantilesOfCounts(column: Int32Array): AffectedQuantiles {
  const sorted = column.toSorted();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
  const { p05, p25, p50, p75, p95 } = quantiles;
  return { affected_p05: at(p05), affected_p25: at(p25), affected_p50: at(p50), affected_p75: at(p75), affected_p95: at(p95) };
}
