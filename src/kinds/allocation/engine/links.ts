/** The implications and conflicts of a core as arrays, each with a price, for the relaxation. */
import type { Core } from './model.js';

/** The pairs (i, j): first the implications (i requires j), then the conflicts with i < j. */
export class LinkPairs {
  readonly size: number;
  readonly implications: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The best prices found. */
  readonly price: Float64Array;
  /** The indices of the pairs that start at each item. */
  readonly of: readonly (readonly number[])[];

  /** @param priced whether the links are priced at all */
  constructor(core: Core, priced = true) {
    const pairs: [number, number][] = [];
    const all = Array.from({ length: priced ? core.n : 0 }, (_, i) => i);
    for (const i of all) for (const j of core.requires[i] ?? []) pairs.push([i, j]);
    this.implications = pairs.length;
    for (const i of all) for (const j of core.excludes[i] ?? []) if (j > i) pairs.push([i, j]);
    this.size = pairs.length;
    this.from = Int32Array.from(pairs, ([i]) => i);
    this.to = Int32Array.from(pairs, ([, j]) => j);
    this.price = new Float64Array(pairs.length);
    const of: number[][] = Array.from({ length: core.n }, () => []);
    for (const [pair, [i]] of pairs.entries()) of[i]?.push(pair);
    this.of = of;
  }

  /** Returns whether a pair is an implication, x_i ≤ x_j; otherwise it is a conflict, x_i + x_j ≤ 1. */
  implies(pair: number): boolean {
    return pair < this.implications;
  }

  /** Returns the values of the items less the prices of their links. */
  gains(values: Float64Array): Float64Array {
    if (this.size === 0) return values;
    const gains = values.slice();
    for (let pair = 0; pair < this.size; pair++) {
      const price = this.price[pair] ?? 0;
      if (price === 0) continue;
      const i = this.from[pair] ?? 0;
      const j = this.to[pair] ?? 0;
      gains[i] = (gains[i] ?? 0) - price;
      gains[j] = (gains[j] ?? 0) + (this.implies(pair) ? price : -price);
    }
    return gains;
  }
}
