/**
 * A schedule between two others (path relinking in the sense of Nowicki and Smutnicki 2005): both linear orders are merged; a
 * biased coin decides from which the next operation not yet placed is taken. Decisions common to both stay, so every job's order
 * holds and no repair is needed. The bias is drawn for each merge, between a quarter and three quarters.
 */
import type { Prng } from '../../../base/prng.js';
import { at } from './ints.js';

export function merge(a: Int32Array, b: Int32Array, random: Prng): Int32Array {
  const n = a.length;
  const placed = new Uint8Array(n);
  const order = new Int32Array(n);
  const bar = 0x40000000 + random.below(0x80000000);
  let count = 0;
  let i = 0;
  let k = 0;
  while (count < n) {
    while (i < n && placed[at(a, i)] === 1) i++;
    while (k < n && placed[at(b, k)] === 1) k++;
    const x = random.uint32() < bar ? at(a, i) : at(b, k);
    placed[x] = 1;
    order[count++] = x;
  }
  return order;
}
