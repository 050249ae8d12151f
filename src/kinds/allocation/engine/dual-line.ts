/**
 * Lagrangian bound of a problem with one knapsack row, with a cardinality cut: no solution holds more items than the cheapest
 * that fit (`at_most`), and one with a value above the incumbent's holds at least as many as the most valuable ones need
 * (`at_least`); after Martello and Toth, Operations Research 45 (1997). The bound is λB + σK + Σ max(0, v − λc − σ), least over λ
 * and σ.
 */
export interface LineDual {
  /** Value per unit of weight. */
  readonly lambda: number;
  /** Value per item: positive for an at-most cut, negative for an at-least cut, 0 for none. */
  readonly sigma: number;
  /** The count K that the cut allows or requires; 0 without a cut. */
  readonly count: number;
  readonly bound: number;
}

type Cut = 'none' | 'at_most' | 'at_least';

export interface Line {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  readonly capacity: number;
}

/** Returns the greatest number of items that fit. */
export function countAtMost(weights: Float64Array, capacity: number): number {
  const sorted = weights.slice().sort();
  let sum = 0;
  for (let k = 0; k < sorted.length; k++) {
    sum += sorted[k] ?? 0;
    if (sum > capacity) return k;
  }
  return sorted.length;
}

/** Returns the least number of items whose values reach `target`; n + 1 when all of them together do not. */
export function countAtLeast(values: Float64Array, target: number): number {
  const sorted = values.slice().sort();
  let sum = 0;
  let count = 0;
  for (let k = sorted.length - 1; k >= 0 && sum < target; k--) {
    sum += sorted[k] ?? 0;
    count++;
  }
  return sum < target ? sorted.length + 1 : count;
}

/** Returns the best multipliers, with and without a cut, for solutions of value `target` and more. */
export function lineDual(line: Line, target: number, rounded: (x: number) => number): LineDual {
  const plain = minimise(line, 'none', 0, rounded);
  const most = minimise(line, 'at_most', countAtMost(line.weights, line.capacity), rounded);
  const least = countAtLeast(line.values, target);
  let best = most.bound < plain.bound * (1 - 1e-13) ? most : plain;
  if (least <= line.values.length) {
    const dual = minimise(line, 'at_least', least, rounded);
    if (dual.bound < best.bound * (1 - 1e-13)) best = dual;
  }
  return best;
}

function minimise(line: Line, cut: Cut, count: number, rounded: (x: number) => number): LineDual {
  let low = 0;
  let high = 0;
  for (let i = 0; i < line.values.length; i++) high = Math.max(high, (line.values[i] ?? 0) / (line.weights[i] ?? 1));
  // A required count can make weight more expensive than the value of any item.
  const doublings = cut === 'at_least' ? 40 : 0;
  for (let k = 0; k < doublings && weightAt(line, cut, count, high) > line.capacity; k++) high *= 2;
  if (weightAt(line, cut, count, 0) <= line.capacity) high = 0;
  for (let step = 0; step < 64 && high - low > high * 1e-15; step++) {
    const middle = (low + high) / 2;
    if (weightAt(line, cut, count, middle) > line.capacity) low = middle;
    else high = middle;
  }
  const lambda = rounded(high);
  const sigma = rounded(threshold(line, cut, count, lambda));
  return { lambda, sigma, count: sigma === 0 ? 0 : count, bound: evaluate(line, lambda, sigma, count) };
}

/** Returns the σ that is best for λ. */
function threshold(line: Line, cut: Cut, count: number, lambda: number): number {
  if (cut === 'none' || count < 1) return 0;
  const keys = new Float64Array(line.values.length);
  for (let i = 0; i < keys.length; i++) keys[i] = (line.values[i] ?? 0) - lambda * (line.weights[i] ?? 0);
  keys.sort();
  const key = keys[keys.length - count] ?? 0;
  return cut === 'at_most' ? Math.max(0, key) : Math.min(0, key);
}

/** Returns the weight of the items that the relaxation takes at λ: the slope of the bound is the capacity less this weight. */
function weightAt(line: Line, cut: Cut, count: number, lambda: number): number {
  const sigma = threshold(line, cut, count, lambda);
  let weight = 0;
  let taken = 0;
  const ties: number[] = [];
  for (let i = 0; i < line.values.length; i++) {
    const key = (line.values[i] ?? 0) - lambda * (line.weights[i] ?? 0);
    if (key > sigma) {
      weight += line.weights[i] ?? 0;
      taken++;
    } else if (key === sigma && sigma !== 0) ties.push(i);
  }
  for (let k = 0; taken < count && k < ties.length; k++, taken++) weight += line.weights[ties[k] ?? 0] ?? 0;
  return weight;
}

function evaluate(line: Line, lambda: number, sigma: number, count: number): number {
  let bound = lambda * line.capacity + sigma * count;
  for (let i = 0; i < line.values.length; i++) {
    bound += Math.max(0, (line.values[i] ?? 0) - lambda * (line.weights[i] ?? 0) - sigma);
  }
  return bound;
}
