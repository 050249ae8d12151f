/**
 * Simulated binary crossover and polynomial mutation for bounded variables, as in the authors' NSGA-II (Deb and Agrawal 1995; Deb
 * and Goyal 1996; Deb et al. 2002). Each random number has 32 bits and a half, so that one drawn for a spread is never 0 or 1.
 * The work is done on lists (choose, draw, raise, write) in short loops, each compiled once. Both have the index η = 20: the larger it is, the
 * closer children are to their parents.
 */
import type { Prng } from '../../base/prng.js';
import { raise, takeRoots } from './power.js';

export interface Probabilities {
  /** The probability that a pair is crossed; each of its genes is then crossed with probability ½. */
  readonly crossover_probability: number;
  /** The probability of mutation of each gene. */
  readonly mutation_probability: number;
}

/** Bounds and operators, prepared, and scratch space. */
export type Variation = Readonly<ReturnType<typeof newVariation>>;

/** Parents closer than this share of the bounds' distance are not crossed: their spread has no significant digits left. */
const least_gap = 1e-14;
const two_minus32 = 1 / 4_294_967_296;
/** The least number of genes varied at a time: small enough to stay in a processor's nearest cache. */
const batch = 512;
/** The number of mutations drawn at a time. */
const mutations = 64;

export function newVariation(
  lower: Float64Array,
  upper: Float64Array,
  { crossover_probability, mutation_probability }: Probabilities,
) {
  const room = Math.max(lower.length, batch);
  return {
    lower,
    upper,
    crossoverProbability: crossover_probability,
    /** The probability that a gene does not mutate. */
    spared: 1 - mutation_probability,
    /**
     * The genes to be varied: the position of each, its variable, its random number, and the numbers raised to a power (2 each).
     */
    chosen: new Int32Array(room),
    variable: new Int32Array(room),
    draws: new Float64Array(room),
    factors: new Float64Array(2 * room),
  };
}

/** Fills the first `count` draws with numbers uniform in (0, 1). */
export function draw({ draws }: Variation, count: number, random: Prng): void {
  for (let i = 0; i < count; i++) draws[i] = (random.uint32() + 0.5) * two_minus32;
}

/**
 * Writes two children of each pair of `parents` (rows of `genes`) to the rows from `child` on, one pair after the other. If a
 * gene is crossed, a coin decides which child gets which value.
 */
export function cross(variation: Variation, genes: Float64Array, parents: Int32Array, child: number, random: Prng): void {
  const share = 2 * Math.floor(variation.chosen.length / variation.lower.length);
  for (let from = 0; from < parents.length; from += share) {
    const count = chooseGenes(variation, genes, parents.subarray(from, from + share), child + from, random);
    crossGenes(variation, genes, count, random);
  }
}

/**
 * Copies parents to their children's rows, lists the genes to be crossed, and swaps the values of those whose children change
 * places. The two coins of each gene are bits of one random number for 16 genes. @returns the number of listed genes
 */
function chooseGenes(variation: Variation, genes: Float64Array, parents: Int32Array, child: number, random: Prng): number {
  const { lower, upper, chosen, variable, crossoverProbability } = variation;
  const n = lower.length;
  let count = 0;
  for (let i = 0; i < parents.length; i += 2) {
    const a = (parents[i] as number) * n;
    const b = (parents[i + 1] as number) * n;
    const row = (child + i) * n;
    const isCrossed = random.uint32() * two_minus32 < crossoverProbability;
    let coins = 0;
    for (let k = 0; k < n; k++, coins >>>= 2) {
      if (isCrossed && (k & 15) === 0) coins = random.uint32();
      const x = genes[a + k] as number;
      const y = genes[b + k] as number;
      const isSwapped = (coins & 3) === 3;
      genes[row + k] = isSwapped ? y : x;
      genes[row + n + k] = isSwapped ? x : y;
      if ((coins & 1) === 0) continue;
      if (Math.abs(x - y) <= least_gap * ((upper[k] as number) - (lower[k] as number))) continue;
      chosen[count] = row + k;
      variable[count++] = k;
    }
  }
  return count;
}

function crossGenes(variation: Variation, genes: Float64Array, count: number, random: Prng): void {
  measureRoom(variation, genes, count);
  raise(variation.factors, 2 * count);
  draw(variation, count, random);
  chooseSpreads(variation, count);
  takeRoots(variation.factors, 2 * count);
  spreadGenes(variation, genes, count);
}

/** Computes for each chosen gene the spread factors that would reach the lower and the upper bound. */
function measureRoom({ lower, upper, chosen, variable, factors }: Variation, genes: Float64Array, count: number): void {
  const n = lower.length;
  for (let i = 0; i < count; i++) {
    const gene = chosen[i] as number;
    const k = variable[i] as number;
    const x = genes[gene] as number;
    const y = genes[gene + n] as number;
    const twice = 2 / Math.abs(x - y);
    factors[2 * i] = 1 + (Math.min(x, y) - (lower[k] as number)) * twice;
    factors[2 * i + 1] = 1 + ((upper[k] as number) - Math.max(x, y)) * twice;
  }
}

/** Replaces each factor's power by the power of the spread that u chooses below it; both spreads of a gene have the same u. */
function chooseSpreads({ draws, factors }: Variation, count: number): void {
  for (let i = 0; i < count; i++) {
    const u = draws[i] as number;
    const below = u * (2 - 1 / (factors[2 * i] as number));
    const above = u * (2 - 1 / (factors[2 * i + 1] as number));
    factors[2 * i] = below <= 1 ? below : 1 / (2 - below);
    factors[2 * i + 1] = above <= 1 ? above : 1 / (2 - above);
  }
}

/** Sets each child to the parents' mean ± half their distance times the spread, clamped to the bounds because of rounding. */
function spreadGenes({ lower, upper, chosen, variable, factors }: Variation, genes: Float64Array, count: number): void {
  const n = lower.length;
  for (let i = 0; i < count; i++) {
    const gene = chosen[i] as number;
    const k = variable[i] as number;
    const x = genes[gene] as number;
    const y = genes[gene + n] as number;
    const half = 0.5 * Math.abs(x - y);
    const low = Math.min(x, y) + half * (1 - (factors[2 * i] as number));
    const high = Math.max(x, y) - half * (1 - (factors[2 * i + 1] as number));
    const least = Math.max(low, lower[k] as number);
    const most = Math.min(high, upper[k] as number);
    genes[gene] = x < y ? least : most;
    genes[gene + n] = x < y ? most : least;
  }
}

/**
 * Mutates the rows `from` … `to` − 1 of `genes`, in place. The number of genes between two that mutate is a geometric variate,
 * which needs one random number for each mutation instead of one for each gene; a batch of them is drawn at a time.
 */
export function mutate(variation: Variation, genes: Float64Array, from: number, to: number, random: Prng): void {
  const n = variation.lower.length;
  for (let gene = from * n; gene < to * n; ) {
    draw(variation, mutations, random);
    const count = chooseMutations(variation, gene, to * n);
    gene = count < mutations ? to * n : (variation.chosen[count - 1] as number) + 1;
    draw(variation, count, random);
    mutateGenes(variation, genes, count);
  }
}

/**
 * Lists the genes from `gene` to before `end` that the drawn gaps lead to: g genes are skipped with probability spared^g.
 * @returns the number of listed genes
 */
function chooseMutations({ lower, spared, draws, chosen, variable }: Variation, gene: number, end: number): number {
  let next = gene;
  for (let i = 0; i < mutations; i++) {
    const u = draws[i] as number;
    for (let passes = spared; u < passes && next < end; passes *= spared) next++;
    if (next >= end) return i;
    chosen[i] = next;
    variable[i] = next % lower.length;
    next++;
  }
  return mutations;
}

/** Moves each gene down (u < ½) or up by a share of the bounds' distance that cannot pass the bound. */
function mutateGenes(variation: Variation, genes: Float64Array, count: number): void {
  measureWay(variation, genes, count);
  raise(variation.factors, count);
  chooseSteps(variation, count);
  takeRoots(variation.factors, count);
  moveGenes(variation, genes, count);
}

/** Computes the share of the bounds' distance that is on the other side of the gene. */
function measureWay({ lower, upper, chosen, variable, draws, factors }: Variation, genes: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const x = genes[chosen[i] as number] as number;
    const low = lower[variable[i] as number] as number;
    const high = upper[variable[i] as number] as number;
    const way = (draws[i] as number) < 0.5 ? x - low : high - x;
    factors[i] = high > low ? 1 - way / (high - low) : 1;
  }
}

function chooseSteps({ draws, factors }: Variation, count: number): void {
  for (let i = 0; i < count; i++) {
    const u = draws[i] as number;
    const twice = u < 0.5 ? 2 * u : 2 * (1 - u);
    factors[i] = twice + (1 - twice) * (factors[i] as number);
  }
}

function moveGenes({ lower, upper, chosen, variable, draws, factors }: Variation, genes: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const gene = chosen[i] as number;
    const low = lower[variable[i] as number] as number;
    const high = upper[variable[i] as number] as number;
    const step = (1 - (factors[i] as number)) * (high - low);
    const moved = (genes[gene] as number) + ((draws[i] as number) < 0.5 ? -step : step);
    genes[gene] = Math.min(Math.max(moved, low), high);
  }
}
