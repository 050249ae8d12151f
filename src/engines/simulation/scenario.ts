/** The scenario of a request: its sectors, their energies without effort, and when each is disrupted. */
import type { Sector, SimulationRequest } from '../../codec/simulation.js';
import { capabilities } from './curve.js';

/** Growth of generated sectors. */
const generated_growth = 0.05;
/** The gain of a disrupted sector without effort, as a share of its entropy. */
export const innovation_gain = 0.1;

export type Scenario = Readonly<ReturnType<typeof scenarioOf>>;

/** One sector's years, the first at index 0. */
export interface Path {
  /** Energies if the sector were never disrupted. */
  readonly free: Float64Array;
  /** Actual energies: from the year of disruption on, the energy of that year plus the innovation gain. */
  readonly energy: Float64Array;
  /** 1 … horizon, or null. */
  readonly disrupted_year: number | null;
}

/** Returns the scenario, with the capability by year, the first at index 0. */
export function scenarioOf(request: SimulationRequest) {
  const { horizon } = request;
  return { request, horizon, sectors: sectorsOf(request), capability: capabilities(request, horizon) };
}

function sectorsOf({ sectors, num_sectors, energy, entropy }: SimulationRequest): readonly Sector[] {
  if (sectors !== null) return sectors;
  return Array.from({ length: num_sectors }, (_, i) => ({
    name: `s${String(i).padStart(2, '0')}`,
    energy,
    entropy,
    growth: generated_growth,
  }));
}

/**
 * Returns a sector's years without effort. Each year, while it is not disrupted, its energy grows; it is disrupted when energy −
 * capability · entropy < 0, strictly, gains its innovation energy once and then stays constant.
 */
export function pathOf({ horizon, capability }: Scenario, { energy, entropy, growth }: Sector): Path {
  const free = new Float64Array(horizon);
  const path = new Float64Array(horizon);
  let now = energy;
  let disrupted_year: number | null = null;
  for (let y = 0; y < horizon; y++) {
    now *= 1 + growth;
    free[y] = now;
    if (disrupted_year === null && now - (capability[y] as number) * entropy < 0) disrupted_year = y + 1;
    path[y] = disrupted_year === null ? now : (free[disrupted_year - 1] as number) + innovation_gain * entropy;
  }
  return { free, energy: path, disrupted_year };
}

/** Returns the number of sectors disrupted by each year, the first at index 0. */
export function affectedByYear(horizon: number, paths: readonly Path[]): number[] {
  const affected = Array.from({ length: horizon }, () => 0);
  for (const { disrupted_year } of paths) {
    if (disrupted_year !== null) affected[disrupted_year - 1] = (affected[disrupted_year - 1] as number) + 1;
  }
  for (let y = 1; y < horizon; y++) affected[y] = (affected[y] as number) + (affected[y - 1] as number);
  return affected;
}
