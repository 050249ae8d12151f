/** Simulation requests of tests, and the model written down once more in the plainest way. */
import { unwrap } from '../../../src/base/refusal.js';
import { decode } from '../../../src/codec/kit.js';
import { settled, simulationInput, type SimulationRequest } from '../../../src/codec/simulation.js';
import type { SimulationOutcome } from '../../../src/codec/simulation-results.js';
import { drawnCapabilities } from '../../../src/engines/simulation/draws.js';
import { simulate } from '../../../src/engines/simulation/engine.js';
import { pathOf, scenarioOf } from '../../../src/engines/simulation/scenario.js';

export const requestOf = (document: unknown, seed = 42): SimulationRequest =>
  settled(unwrap(decode(simulationInput, document)), seed);

export const run = (document: unknown, islands: readonly string[] = ['main'], seed = 42): SimulationOutcome =>
  simulate(requestOf(document, seed), islands, { checkpoint: () => undefined });

export interface Worth {
  readonly effectiveness: number;
  readonly risk: number;
  readonly complexity: number;
}

/** Objectives by their definitions in docs/model.md: every year, every sector, every draw. */
export function plainWorth(request: SimulationRequest, genome: readonly number[]): Worth {
  const scenario = scenarioOf(request);
  const { sectors, horizon, capability } = scenario;
  const total = genome.reduce((sum, a) => sum + a, 0);
  const shares = genome.map((a) => a / Math.max(1, total));
  const energies = (s: readonly number[]): number[][] =>
    sectors.map((sector, i) => {
      let energy = sector.energy;
      let isDisrupted = false;
      return Array.from(capability, (c) => {
        if (isDisrupted) return energy;
        energy *= 1 + sector.growth;
        if (energy - c * sector.entropy * (1 - s[i]! / 2) >= 0) return energy;
        isDisrupted = true;
        return (energy += 0.1 * sector.entropy * (1 + s[i]!));
      });
    });
  const free = (s: readonly number[], curve: ArrayLike<number>): number => {
    let sum = 0;
    for (const [i, path] of energies(s).entries())
      for (const [y, energy] of path.entries()) sum += energy - curve[y]! * sectors[i]!.entropy * (1 - s[i]! / 2);
    return sum / (horizon * sectors.length);
  };
  const none = sectors.map(() => 0);
  const rows = drawnCapabilities(scenario, 64);
  const losses = Array.from({ length: 64 }, (_, j) => -free(shares, rows.subarray(j * horizon, (j + 1) * horizon)));
  const worst = losses.toSorted((a, b) => b - a).slice(0, 4);
  const parts = genome.map((a) => a / total).filter((p) => p > 0);
  return {
    effectiveness: free(shares, capability) - free(none, capability),
    risk: worst.reduce((sum, loss) => sum + loss, 0) / 4,
    complexity: total === 0 ? 0 : Math.exp(-parts.reduce((sum, p) => sum + p * Math.log(p), 0)),
  };
}

export const disruptionYears = (request: SimulationRequest): (number | null)[] => {
  const scenario = scenarioOf(request);
  return scenario.sectors.map((sector) => pathOf(scenario, sector).disrupted_year);
};
