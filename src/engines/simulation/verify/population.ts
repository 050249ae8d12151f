/** Checks a population: the objectives of each genome by their definitions, and the dominance. Part of verify.ts. */
import { exp, log } from '../../../base/math.js';
import type { Individual } from '../../../codec/simulation-results.js';
import { isNear, tolerance, type Claim, type World } from './claim.js';

/** Number of individuals that are recomputed, spread over the population: a systematic error shows in some of them. Shape and order are checked in all. */
const judged_max = 500;
const judged = (count: number): number => Math.ceil(count / judged_max);

export function populationFault({ population, request }: Claim, world: World, alive: () => void): string | null {
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
