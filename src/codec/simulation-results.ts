/** The results of a run: as they are recorded (the outcome), and as they are shown (the results object). */
import * as t from 'io-ts';
import { canonicalJson } from '../base/canonical-json.js';
import { simulation_horizon_max, simulation_population_max, simulation_sectors_max } from '../base/limits.js';
import { CheckedType, integer, list, nullable, number, object, optional, required, requiredFor, text } from './kit.js';
import type { Members } from './field.js';
import { islandNames } from './events/simulation.js';
import { canonicalRequest, type SimulationRequest } from './simulation.js';

const finite = number(-Number.MAX_VALUE, Number.MAX_VALUE);
const share = number(0, 1);

/** A list of many numbers (genes, energies), checked in one pass without a codec context for each. */
class NumbersType extends CheckedType<readonly number[]> {
  readonly _tag = 'NumbersType' as const;
  constructor() {
    const is = (u: unknown): u is readonly number[] => Array.isArray(u) && u.every((x) => Number.isFinite(x));
    super('number[]', is, () => 'must be an array of numbers');
  }
}
const numbers = new NumbersType();

const quantiles = ['p05', 'p25', 'p50', 'p75', 'p95'] as const;
const affectedNames = quantiles.map((name) => `affected_${name}` as const);

/** Quantiles of the number of sectors disrupted by a year, over the draws. */
const affectedQuantiles = requiredFor(affectedNames, integer(0, simulation_sectors_max));
export type AffectedQuantiles = Members<typeof affectedQuantiles>;

export const forecastEntry = object('ForecastEntry', {
  year: required(integer(1, simulation_horizon_max)),
  capability: required(share),
  affected: required(integer(0, simulation_sectors_max)),
  ...affectedQuantiles,
  p05: optional(share),
  p25: optional(share),
  p50: optional(share),
  p75: optional(share),
  p95: optional(share),
});
export type ForecastEntry = t.TypeOf<typeof forecastEntry>;

export const individual = object('Individual', {
  effectiveness: required(finite),
  risk: required(finite),
  complexity: required(finite),
  rank: required(integer(0, simulation_population_max)),
  genome: required(numbers),
});
export type Individual = t.TypeOf<typeof individual>;

export const sectorPath = object('SectorPath', {
  name: required(text()),
  disrupted_year: required(nullable(integer(1, simulation_horizon_max))),
  energy: required(numbers),
  /** The share of the draws in which it is disrupted by each year. */
  probability: required(numbers),
});
export type SectorPath = t.TypeOf<typeof sectorPath>;

/** The hashed and recorded outcome without the request, which has a decoder of its own. */
export const outcomeCodec = object('SimulationOutcome', {
  engine: required(object('SimulationEngine', { name: required(text()), version: required(text()) })),
  forecast: required(list(forecastEntry, 1, simulation_horizon_max)),
  hypervolume: required(nullable(finite)),
  islands: required(islandNames),
  population: required(list(individual, 1, simulation_population_max)),
  request: required(t.unknown),
  sectors: required(list(sectorPath, 1, simulation_sectors_max)),
  seed: required(integer(0, 4_294_967_295)),
  warnings: required(list(text(), 0, 10)),
});

/** The SHA-256 of its canonical JSON is the run's `outcome_hash`. */
export interface SimulationOutcome extends Omit<t.TypeOf<typeof outcomeCodec>, 'request'> {
  readonly request: SimulationRequest;
}

/** Returns the canonical JSON of an outcome. */
export const canonicalOutcome = (outcome: SimulationOutcome): string =>
  canonicalJson({ ...outcome, request: canonicalRequest(outcome.request) });

type Rows = readonly (readonly (string | number | null)[])[];

/** Returns a forecast as a table: a header and a row a year, with quantiles when the run has any. */
export function forecastRows(forecast: readonly ForecastEntry[]): Rows {
  const bands = [...quantiles, ...affectedNames].filter((name) => forecast[0]?.[name] !== undefined);
  const rows = forecast.map((entry) => [
    entry.year,
    entry.capability,
    entry.affected,
    ...bands.map((name) => entry[name] ?? null),
  ]);
  return [['year', 'capability', 'affected', ...bands], ...rows];
}

/** Returns a population without its genomes as a table. */
export const populationRows = (population: readonly Omit<Individual, 'genome'>[]): Rows => [
  ['effectiveness', 'risk', 'complexity', 'rank'],
  ...population.map(({ effectiveness, risk, complexity, rank }) => [effectiveness, risk, complexity, rank]),
];

/** Returns the paths of the sectors as a table: a row for each year of each sector. */
export const sectorRows = (sectors: readonly SectorPath[]): Rows => [
  ['sector', 'year', 'energy', 'probability', 'disrupted_year'],
  ...sectors.flatMap(({ name, energy, probability, disrupted_year }) =>
    energy.map((value, i) => [name, i + 1, value, probability[i] ?? null, disrupted_year]),
  ),
];
