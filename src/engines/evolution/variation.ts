/**
 * Simulated binary crossover and polynomial mutation for bounded variables, as in the authors' NSGA-II (Deb and Agrawal 1995; Deb
 * and Goyal 1996; Deb et al. 2002). Each random number has 32 bits, so that one drawn for a spread is never 0 nor 1.
 */
import { log } from '../../base/math.js';
import type { Prng } from '../../base/prng.js';
import { type Power, powerOf } from './power.js';

export interface Operators {
  /** Probability that a pair is crossed; each of its genes then is with probability ½. */
  readonly crossover_probability: number;
  /** η of the crossover: the larger, the closer are children to their parents. */
  readonly crossover_index: number;
  /** Probability of mutation of each gene. */
  readonly mutation_probability: number;
  readonly mutation_index: number;
}

/** Bounds and operators, prepared. */
export interface Variation {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly crossoverProbability: number;
  readonly crossoverPower: Power;
  readonly crossoverRoot: Power;
  readonly mutationPower: Power;
  readonly mutationRoot: Power;
  /** log(1 − mutation probability); 0 when nothing mutates. */
  readonly logSpared: number;
  /** Genes still to pass before the next that mutates. */
  genesSpared: number;
}

/** Parents closer than this share of the bounds' distance are not crossed: their spread has no digits left. */
const least_gap = 1e-14;
/** Below this 1 − p loses digits of p, and log(1 − p) = −p to the last. */
const small_probability = 1e-8;
const two_minus32 = 1 / 4_294_967_296;

export function newVariation(lower: Float64Array, upper: Float64Array, operators: Operators): Variation {
  const p = operators.mutation_probability;
  return {
    lower,
    upper,
    crossoverProbability: operators.crossover_probability,
    crossoverPower: powerOf(operators.crossover_index + 1),
    crossoverRoot: powerOf(1 / (operators.crossover_index + 1)),
    mutationPower: powerOf(operators.mutation_index + 1),
    mutationRoot: powerOf(1 / (operators.mutation_index + 1)),
    logSpared: p < small_probability ? -p : log(1 - p),
    genesSpared: 0,
  };
}

/** Uniform in (0, 1): 32 random bits and a half. */
const openUnit = (random: Prng): number => (random.uint32() + 0.5) * two_minus32;

/** Starts a generation: what it mutates depends on its own stream only. */
export function beginVariation(variation: Variation, random: Prng): void {
  variation.genesSpared = genesBetween(variation, random);
}

/**
 * How many genes pass between two that mutate: a geometric variate, which costs one random number for each mutation instead of one
 * for each gene.
 */
function genesBetween({ logSpared }: Variation, random: Prng): number {
  return logSpared === 0 ? Infinity : Math.floor(log(openUnit(random)) / logSpared);
}

/**
 * Writes two children of the parents at `genes[a …]` and `genes[b …]` to `genes[child …]`, one after the other. Where a gene is
 * crossed a coin says which child gets which; the coins are the bits of one random number for 16 genes.
 */
export function cross(variation: Variation, genes: Float64Array, a: number, b: number, child: number, random: Prng): void {
  const n = variation.lower.length;
  if (random.unit() >= variation.crossoverProbability) {
    genes.copyWithin(child, a, a + n);
    genes.copyWithin(child + n, b, b + n);
    return;
  }
  let coins = 0;
  for (let k = 0; k < n; k++) {
    if ((k & 15) === 0) coins = random.uint32();
    const x = genes[a + k] as number;
    const y = genes[b + k] as number;
    const span = (variation.upper[k] as number) - (variation.lower[k] as number);
    genes[child + k] = x;
    genes[child + n + k] = y;
    if ((coins & 1) === 1 && Math.abs(x - y) > least_gap * span) {
      const swap = (coins & 2) === 0 ? 0 : n;
      crossGene(variation, genes, child + swap + k, child + n - swap + k, k, openUnit(random));
    }
    coins >>>= 2;
  }
}

/**
 * Replaces the values of gene k at `low` and `high` by their children, the smaller one at `low`: mean ± half the distance times the
 * spread factor, which is drawn so that neither child leaves the bounds.
 */
function crossGene(variation: Variation, genes: Float64Array, low: number, high: number, k: number, u: number): void {
  const x = Math.min(genes[low] as number, genes[high] as number);
  const y = Math.max(genes[low] as number, genes[high] as number);
  const lower = variation.lower[k] as number;
  const upper = variation.upper[k] as number;
  const gap = y - x;
  const below = spread(variation, 1 + (2 * (x - lower)) / gap, u);
  const above = spread(variation, 1 + (2 * (upper - y)) / gap, u);
  genes[low] = Math.min(Math.max(x + 0.5 * gap * (1 - below), lower), upper);
  genes[high] = Math.min(Math.max(y - 0.5 * gap * (1 - above), lower), upper);
}

/** The spread factor for u in (0, 1), at most `most`, the factor that would reach the bound. */
function spread(variation: Variation, most: number, u: number): number {
  const share = u * (2 - 1 / variation.crossoverPower(most));
  return variation.crossoverRoot(share <= 1 ? share : 1 / (2 - share));
}

/** Mutates the row at `genes[row …]`, in place. */
export function mutate(variation: Variation, genes: Float64Array, row: number, random: Prng): void {
  const n = variation.lower.length;
  while (variation.genesSpared < n) {
    mutateGene(variation, genes, row, variation.genesSpared, openUnit(random));
    variation.genesSpared += 1 + genesBetween(variation, random);
  }
  variation.genesSpared -= n;
}

/** Moves gene k down (u < ½) or up by a share of the bounds' distance that cannot pass the bound. */
function mutateGene(variation: Variation, genes: Float64Array, row: number, k: number, u: number): void {
  const lower = variation.lower[k] as number;
  const upper = variation.upper[k] as number;
  const span = upper - lower;
  if (span === 0) return;
  const x = genes[row + k] as number;
  const isDown = u < 0.5;
  const free = variation.mutationPower(1 - (isDown ? x - lower : upper - x) / span);
  const twice = isDown ? 2 * u : 2 * (1 - u);
  const step = 1 - variation.mutationRoot(twice + (1 - twice) * free);
  genes[row + k] = Math.min(Math.max(isDown ? x - step * span : x + step * span, lower), upper);
}
