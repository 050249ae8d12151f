/** Choosing parents by binary tournament on rank and crowding distance. */
import type { Prng } from '../../base/prng.js';

const two_minus32 = 1 / 4_294_967_296;

/** Writes a random order of 0 … n − 1 (Fisher and Yates). Draws by multiplication; their bias, n·2^-32, is beyond measuring. */
export function shuffle(order: Int32Array, n: number, random: Prng): void {
  for (let i = 0; i < n; i++) {
    const k = Math.floor(random.uint32() * (i + 1) * two_minus32);
    order[i] = order[k] as number;
    order[k] = i;
  }
}

/**
 * Fills `parents` with the winners of tournaments between neighbours in random orders of the `n` individuals: with an even n each
 * one takes part exactly twice, as in the authors' program. A smaller rank wins, then a larger distance, then who was drawn first.
 */
export function drawParents(
  parents: Int32Array,
  n: number,
  rank: Int32Array,
  crowding: Float64Array,
  order: Int32Array,
  random: Prng,
): void {
  let drawn = n;
  for (let i = 0; i < parents.length; i++) {
    if (drawn + 1 >= n) {
      shuffle(order, n, random);
      drawn = 0;
    }
    const a = order[drawn] as number;
    const b = order[drawn + 1] as number;
    drawn += 2;
    const difference = (rank[b] as number) - (rank[a] as number);
    const isSecond = difference < 0 || (difference === 0 && (crowding[b] as number) > (crowding[a] as number));
    parents[i] = isSecond ? b : a;
  }
}
