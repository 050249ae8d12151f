/** The order of individuals from best to worst, for elites and for listing. */
import { newSorter, sortByKey } from './order.js';
import type { Population } from './problem.js';

/**
 * Returns the indices of the individuals by rank, then by falling crowding distance, then by index: the first k are the k best.
 */
export function byMerit({ rank, crowding }: Pick<Population, 'rank' | 'crowding'>): Int32Array {
  const n = rank.length;
  const sorter = newSorter(n);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < n; i++) sorter.keys[i] = -(crowding[i] as number);
  sortByKey(sorter, order, 0, n);
  for (let i = 0; i < n; i++) sorter.keys[i] = rank[order[i] as number] as number;
  sortByKey(sorter, order, 0, n);
  return order;
}

/** Returns copies of the rows of the given individuals: those that an island sends, or a result lists. */
export function take(population: Population, chosen: Int32Array): Population {
  const size = population.rank.length;
  const rows = (all: Float64Array): Float64Array => {
    const width = all.length / size;
    const some = new Float64Array(chosen.length * width);
    for (const [i, row] of chosen.entries()) some.set(all.subarray(row * width, (row + 1) * width), i * width);
    return some;
  };
  return {
    variables: rows(population.variables),
    objectives: rows(population.objectives),
    rank: chosen.map((row) => population.rank[row] as number),
    crowding: Float64Array.from(chosen, (row) => population.crowding[row] as number),
  };
}
