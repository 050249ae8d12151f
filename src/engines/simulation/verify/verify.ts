/**
 * Checks of an outcome by the definitions of docs/model.md, year by year and sector by sector. They share no code with the engine: no
 * candidate years, no running sums. Computed numbers are printed with 12 digits, so they are compared with a tolerance; where a sector is so near
 * to its threshold that rounding decides, either result passes.
 */
import { exp, log } from '../../../base/math.js';
import type { Sector, SimulationRequest } from '../../../codec/simulation.js';
import type { Individual, SimulationOutcome } from '../../../codec/simulation-results.js';

// Checks a population: the objectives of each genome by their definitions, and the dominance. Part of verify.ts.

/** Number of individuals that are recomputed, spread over the population: a systematic error shows in some of them. Shape and order are checked in all. */
const judged_max = 500;
const judged = (count: number): number => Math.ceil(count / judged_max);

function populationFault({ population, request }: Claim, world: World, alive: () => void): string | null {
  if (population.length !== request.pop_size)
    return `the population has ${population.length} individuals, not ${request.pop_size}`;
  const judge = new Judge(world);
  const stride = judged(population.length);
  for (const [i, individual] of population.entries()) {
    alive();
    const { genome, rank, effectiveness } = individual;
    const before = population[i - 1];
    if (genome.length !== world.sectors.length) return `the genome of individual ${i} has ${genome.length} genes`;
    if (genome.some((gene) => !(gene >= 0 && gene <= 1))) return `a gene of individual ${i} is not in 0 to 1`;
    const isSorted =
      before === undefined || before.rank < rank || (before.rank === rank && before.effectiveness >= effectiveness);
    if (!isSorted) return `individual ${i} is out of order`;
    const fault = i % stride === 0 ? judge.fault(individual) : null;
    if (fault !== null) return `${fault} of individual ${i} is not what its genome gives`;
  }
  return ranksFault(population, alive);
}

interface Effect {
  readonly free: number;
  readonly meanEnergy: number;
  readonly meanExposure: number;
  readonly isDoubtful: boolean;
}

class Judge {
  private readonly none: Effect;
  private readonly meanCapability: number;
  /** The mean capability of the worst draws, derived from the risks: one number for the whole population. */
  private worst: number | null = null;

  constructor(private readonly world: World) {
    const known = world.capability.map((c) => c ?? Number.NaN);
    this.meanCapability = known.reduce((sum, c) => sum + c, 0) / known.length;
    this.none = this.effect(world.sectors.map(() => 0));
  }

  /** Returns the objective that differs from the one computed from the genome, or null. */
  fault({ genome, effectiveness, risk, complexity }: Individual): string | null {
    const total = genome.reduce((sum, gene) => sum + gene, 0);
    const parts = genome.map((gene) => gene / total).filter((p) => p > 0);
    const spread = total > 0 ? exp(-parts.reduce((sum, p) => sum + p * log(p), 0)) : 0;
    if (!isNear(complexity, spread, genome.length)) return 'the complexity';
    const effect = this.effect(genome.map((gene) => gene / Math.max(1, total)));
    if (effect.isDoubtful || this.none.isDoubtful) return null;
    const scale = effect.meanEnergy + effect.meanExposure;
    if (!isNear(effectiveness, effect.free - this.none.free, scale)) return 'the effectiveness';
    return this.isRisk(risk, effect, scale) ? null : 'the risk';
  }

  /** Checks that risk = worst · X − E in every individual; where X is far above its rounding, the same `worst` must result. */
  private isRisk(risk: number, { meanEnergy, meanExposure }: Effect, scale: number): boolean {
    if (!(meanExposure > scale * 1e-3)) return true;
    const worst = (risk + meanEnergy) / meanExposure;
    this.worst ??= worst;
    const slack = 1e-5;
    return worst >= -slack && worst <= 1 + slack && Math.abs(worst - this.worst) <= slack;
  }

  private effect(shares: readonly number[]): Effect {
    const { sectors, capability } = this.world;
    let [energies, exposures] = [0, 0];
    let isDoubtful = capability.includes(null);
    for (const [i, { energy: first, entropy, growth }] of sectors.entries()) {
      const s = shares[i] ?? 0;
      const exposure = entropy * (1 - s / 2);
      let energy = first;
      let isDisrupted = false;
      for (const c of capability) {
        if (!isDisrupted) {
          energy *= 1 + growth;
          const margin = energy - (c ?? 0) * exposure;
          if (Math.abs(margin) <= tolerance * Math.max(1, energy, exposure)) isDoubtful = true;
          isDisrupted = margin < 0;
          if (isDisrupted) energy += 0.1 * entropy * (1 + s);
        }
        energies += energy;
      }
      exposures += exposure;
    }
    const meanEnergy = energies / (capability.length * sectors.length);
    const meanExposure = exposures / sectors.length;
    return { free: meanEnergy - this.meanCapability * meanExposure, meanEnergy, meanExposure, isDoubtful };
  }
}

/**
 * Checks the ranks: rank 0 is dominated by no individual; every other rank by one of the previous rank and by none of its own.
 */
function ranksFault(population: readonly Individual[], alive: () => void): string | null {
  const starts = [0];
  for (const [i, { rank }] of population.entries()) {
    if (rank === starts.length) starts.push(i);
    else if (rank !== starts.length - 1) return `there is no rank before that of individual ${i}`;
  }
  starts.push(population.length);
  const values = Float64Array.from(
    population.flatMap(({ effectiveness, risk, complexity }) => [-effectiveness, risk, complexity]),
  );
  const isDominated = (i: number, from: number, to: number): boolean => {
    for (let j = from; j < to; j++) if (dominates(values, 3 * j, 3 * i)) return true;
    return false;
  };
  for (let i = 0; i < population.length; i += judged(population.length)) {
    alive();
    const { rank = 0 } = population[i] ?? {};
    const [before = 0, from = 0, to = 0] = [starts[rank - 1], starts[rank], starts[rank + 1]];
    if (isDominated(i, from, to)) return `individual ${i} is dominated by one of its own rank`;
    if (rank > 0 && !isDominated(i, before, from)) return `individual ${i} is dominated by none of the rank before`;
  }
  return null;
}

/** Returns whether a is not worse in any of three objectives and better in one; all are minimised. */
function dominates(values: Float64Array, a: number, b: number): boolean {
  let isBetter = false;
  for (let k = 0; k < 3; k++) {
    const [mine, other] = [values[a + k] as number, values[b + k] as number];
    if (mine > other) return false;
    if (mine < other) isBetter = true;
  }
  return isBetter;
}

/** Returns what is wrong with the outcome, or null. @param alive called many times a second */
export function outcomeFault(claim: Claim, alive: () => void): string | null {
  const { request } = claim;
  const world = worldOf(request);
  const count = world.sectors.length;
  const volume = claim.hypervolume;
  if (claim.seed !== request.seed) return 'the seed is not the one of the request';
  if (volume !== null && !(volume >= 0)) return 'the hypervolume is negative';
  if (claim.sectors.length !== count) return `${claim.sectors.length} sectors are told of, not ${count}`;
  return forecastFault(claim) ?? pathsFault(claim, world, alive) ?? populationFault(claim, world, alive);
}

function worldOf(request: SimulationRequest): World {
  const { horizon, sectors, num_sectors, energy, entropy } = request;
  const generated = Array.from({ length: num_sectors }, (_, i) => ({
    name: `s${String(i).padStart(2, '0')}`,
    energy,
    entropy,
    growth: 0.05,
  }));
  return {
    sectors: sectors ?? generated,
    capability: Array.from({ length: horizon }, (_, y) => capabilityAt(request, (y + 1) / horizon)),
  };
}

const within = (x: number): number => Math.min(1, Math.max(0, x));

function capabilityAt({ curve, k, x0 }: SimulationRequest, t: number): number | null {
  if (curve === 'linear') return within(t);
  const steep = k ?? (curve === 'logistic' ? 10 : 3);
  const power = steep * (t - (x0 ?? 0));
  if (curve === 'logistic') return 1 / (1 + exp(-power));
  const isPlain = Math.abs(steep) > 1e-3 && Math.abs(steep) < 300 && Math.abs(power) < 300;
  return isPlain ? within((exp(power) - 1) / (exp(steep) - 1)) : null;
}

/** Checks years, capabilities, disrupted sectors and quantiles. */
function forecastFault({ forecast, sectors, request }: Claim): string | null {
  if (forecast.length !== request.horizon) return `the forecast has ${forecast.length} years, not ${request.horizon}`;
  for (const [i, { year, capability, affected, p05, p25, p50, p75, p95, ...counts }] of forecast.entries()) {
    if (year !== i + 1) return `year ${i + 1} of the forecast is called ${year}`;
    const expected = capabilityAt(request, year / request.horizon);
    if (expected !== null && !isNear(capability, expected)) return `the capability of year ${year} is not that of the curve`;
    const disrupted = sectors.filter(({ disrupted_year }) => disrupted_year !== null && disrupted_year <= year).length;
    if (affected !== disrupted) return `year ${year} tells of ${affected} affected sectors, the sectors of ${disrupted}`;
    const bands = [p05, p25, p50, p75, p95].filter((value) => value !== undefined);
    if (bands.length !== (request.samples > 0 ? 5 : 0)) return `year ${year} has ${bands.length} quantiles`;
    const { affected_p05, affected_p25, affected_p50, affected_p75, affected_p95 } = counts;
    const affectedBands = [affected_p05, affected_p25, affected_p50, affected_p75, affected_p95, sectors.length];
    for (const each of [bands, affectedBands])
      if (each.some((value, j) => j > 0 && value < (each[j - 1] ?? 0))) return `the quantiles of year ${year} are not in order`;
  }
  return null;
}

/** Returns whether the numbers are probabilities that an event has happened by each year. */
const isProbability = (values: readonly number[], years: number): boolean =>
  values.length === years && values.every((p, y) => p >= (values[y - 1] ?? 0) && p <= 1);

/**
 * Checks every sector's path without effort: it grows until energy − capability · entropy < 0, then gains a tenth of its entropy
 * and stays constant.
 */
function pathsFault({ sectors }: Claim, world: World, alive: () => void): string | null {
  for (const [i, sector] of world.sectors.entries()) {
    alive();
    const told = sectors[i];
    if (told?.name !== sector.name) return `sector ${i} is not called ${sector.name}`;
    if (told.energy.length !== world.capability.length) return `sector ${i} has ${told.energy.length} years`;
    if (!isProbability(told.probability, world.capability.length)) return `the probabilities of sector ${i} are none`;
    let energy = sector.energy;
    let isDisrupted = false;
    for (const [y, c] of world.capability.entries()) {
      if (!isDisrupted) {
        energy *= 1 + sector.growth;
        const margin = c === null ? null : energy - c * sector.entropy;
        const isDoubtful = margin === null || Math.abs(margin) <= tolerance * Math.max(1, energy, sector.entropy);
        isDisrupted = told.disrupted_year === y + 1;
        if (!isDoubtful && isDisrupted !== margin < 0)
          return `sector ${i} is${isDisrupted ? '' : ' not'} disrupted in year ${y + 1}`;
        if (isDisrupted) energy += 0.1 * sector.entropy;
      }
      if (!isNear(told.energy[y] ?? Number.NaN, energy)) return `the energy of sector ${i} in year ${y + 1} is another`;
    }
  }
  return null;
}

/** A world as computed by the checks. */
export interface World {
  readonly sectors: readonly Sector[];
  /** By year; null where the plain formula overflows or cancels, so that it cannot be checked. */
  readonly capability: readonly (number | null)[];
}

export type Claim = Omit<SimulationOutcome, 'engine' | 'warnings'>;

/** The difference that rounding explains, as a share of the larger number. */
export const tolerance = 1e-9;
export const isNear = (a: number, b: number, scale = 0): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b), scale);
