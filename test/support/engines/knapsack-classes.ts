/** Instances of the classes of Pisinger, "Where are the hard knapsack problems?", Computers & Operations Research 32 (2005). */
import { prng } from '../../../src/base/prng.js';

export const knapsackClasses = ['uncorrelated', 'weakly', 'strongly', 'inverse strongly', 'subset sum'] as const;

export interface Knapsack {
  readonly values: readonly number[];
  readonly costs: readonly number[];
  readonly budget: number;
}

/** n items with coefficients up to `range`; the budget is half of all costs. */
export function knapsack(kind: (typeof knapsackClasses)[number], n: number, range: number, seed: number): Knapsack {
  const random = prng(seed, n, range, knapsackClasses.indexOf(kind));
  const tenth = range / 10;
  const one = (): readonly [number, number] => {
    const base = 1 + random.below(range);
    switch (kind) {
      case 'uncorrelated':
        return [1 + random.below(range), base];
      case 'weakly':
        return [Math.max(1, base - tenth + random.below(2 * tenth + 1)), base];
      case 'strongly':
        return [base + tenth, base];
      case 'inverse strongly':
        return [base, base + tenth];
      case 'subset sum':
        return [base, base];
    }
  };
  const pairs = Array.from({ length: n }, one);
  const costs = pairs.map(([, cost]) => cost);
  const budget = Math.floor(costs.reduce((sum, cost) => sum + cost, 0) / 2);
  return { values: pairs.map(([value]) => value), costs, budget };
}
