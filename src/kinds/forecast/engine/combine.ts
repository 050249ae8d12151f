/** The best few models and their mean, weighted by the inverse square of the score (after Bates and Granger 1969). */
import { round12 } from '../../../base/decimal.js';

export const combined_max = 4;

export interface Member {
  /** Index of the model in the pool. */
  readonly model: number;
  /** The weight of the model; weights sum to 1 within rounding. */
  readonly weight: number;
}

/**
 * Returns the best few models. `scores[i]` belongs to the i-th model in order of name, so that a stable sort breaks ties by name.
 */
export function bestFew(scores: readonly number[]): Member[] {
  const order = scores.map((_, i) => i).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0) || a - b);
  const few = order.slice(0, combined_max);
  const best = scores[few[0] ?? 0] ?? 0;
  const raw = few.map((i) => {
    const score = scores[i] ?? 0;
    const ratio = score > 0 ? best / score : 1;
    return ratio * ratio;
  });
  const total = raw.reduce((sum, w) => sum + w, 0);
  return few.map((model, i) => ({ model, weight: round12((raw[i] ?? 0) / total) }));
}

export function weightedMean(members: readonly Member[], pathOf: (model: number) => Float64Array, h: number): Float64Array {
  const out = new Float64Array(h);
  let total = 0;
  for (const { model, weight } of members) {
    const path = pathOf(model);
    for (let k = 0; k < h; k++) out[k] = (out[k] ?? 0) + weight * (path[k] ?? 0);
    total += weight;
  }
  return out.map((v) => v / total);
}
