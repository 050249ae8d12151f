/**
 * Checks of an outcome by the definitions of docs/model.md, year by year and sector by sector. They share no code with the engine: no
 * candidate years, no running sums. Computed numbers are printed with 12 digits, so they are compared with a tolerance; where a sector is so near
 * to its threshold that rounding decides, either result passes.
 */
import { exp } from '../../../base/math.js';
import type { SimulationRequest } from '../../../codec/simulation.js';
import { isNear, tolerance, type Claim, type World } from './claim.js';
import { populationFault } from './population.js';

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
  for (const [i, { year, capability, affected, p05, p25, p50, p75, p95 }] of forecast.entries()) {
    if (year !== i + 1) return `year ${i + 1} of the forecast is called ${year}`;
    const expected = capabilityAt(request, year / request.horizon);
    if (expected !== null && !isNear(capability, expected)) return `the capability of year ${year} is not that of the curve`;
    const disrupted = sectors.filter(({ disrupted_year }) => disrupted_year !== null && disrupted_year <= year).length;
    if (affected !== disrupted) return `year ${year} tells of ${affected} affected sectors, the sectors of ${disrupted}`;
    const bands = [p05, p25, p50, p75, p95].filter((value) => value !== undefined);
    if (bands.length !== (request.samples > 0 ? 5 : 0)) return `year ${year} has ${bands.length} quantiles`;
    if (bands.some((value, j) => j > 0 && value < (bands[j - 1] ?? 0))) return `the quantiles of year ${year} are not in order`;
  }
  return null;
}

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
