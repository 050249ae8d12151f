/** Chooses parents by binary tournament on rank and crowding distance. */
import type { Prng } from '../../base/prng.js';

/** Scratch space for one population of `size`. */
export interface Mating {
  readonly size: number;
  /** The winners, two for each pair of children: one more than `size` if that is odd. */
  readonly parents: Int32Array;
  /** The contenders, two for each parent. */
  readonly contenders: Int32Array;
  readonly order: Int32Array;
}

export function newMating(size: number): Mating {
  const parents = size + (size % 2);
  return {
    size,
    parents: new Int32Array(parents),
    contenders: new Int32Array(2 * parents),
    order: new Int32Array(size),
  };
}

const two_minus32 = 1 / 4_294_967_296;

/**
 * Fills `parents` with the winners of tournaments between neighbours in random orders of the individuals: if their number is
 * even, each takes part exactly twice, as in the authors' program.
 */
export function drawParents(mating: Mating, rank: Int32Array, crowding: Float64Array, random: Prng): void {
  const { size, contenders, order } = mating;
  // In an order of an odd number, the last one has no opponent.
  const paired = size - (size % 2);
  for (let from = 0; from < contenders.length; from += paired) {
    shuffle(order, random);
    contenders.set(order.subarray(0, Math.min(paired, contenders.length - from)), from);
  }
  decide(mating, rank, crowding);
}

/**
 * Writes a random order of 0 … n − 1 (Fisher and Yates). Draws by multiplication; their bias, n·2^-32, is too small to measure.
 */
export function shuffle(order: Int32Array, random: Prng): void {
  for (let i = 0; i < order.length; i++) {
    const k = Math.floor(random.uint32() * (i + 1) * two_minus32);
    order[i] = order[k] as number;
    order[k] = i;
  }
}

/** Decides a tournament: a smaller rank wins, then a larger distance, then the one that was drawn first. */
function decide({ parents, contenders }: Mating, rank: Int32Array, crowding: Float64Array): void {
  for (let i = 0; i < parents.length; i++) {
    const a = contenders[2 * i] as number;
    const b = contenders[2 * i + 1] as number;
    const difference = (rank[b] as number) - (rank[a] as number);
    const isSecond = difference < 0 || (difference === 0 && (crowding[b] as number) > (crowding[a] as number));
    parents[i] = isSecond ? b : a;
  }
}
