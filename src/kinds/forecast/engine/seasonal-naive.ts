/**
 * Seasonal naive methods: the last cycle repeated, and the weighted mean of all cycles with weights that fall by lambda per cycle
 * of age.
 */
import type { Core } from './cores.js';

export const seasonalNaive = (m: number): Core => ({
  name: `seasonal-naive-${m}`,
  parameters: [],
  walk: (y, _theta, origins, h) => origins.map((n) => new Float64Array(h).map((_, k) => y[n - m + (k % m)] ?? 0)),
});

export const weightedSeasonalNaive = (m: number): Core => ({
  name: `weighted-seasonal-naive-${m}`,
  parameters: [{ name: 'lambda', min: 0, max: 1, start: 0.5 }],
  walk: (y, [lambda = 0], origins, h) => {
    const sums = new Float64Array(m);
    const weights = new Float64Array(m);
    let t = 0;
    return origins.map((n) => {
      for (; t < n; t++) {
        sums[t % m] = (sums[t % m] ?? 0) * lambda + (y[t] ?? 0);
        weights[t % m] = (weights[t % m] ?? 0) * lambda + 1;
      }
      return new Float64Array(h).map((_, k) => (sums[(n + k) % m] ?? 0) / (weights[(n + k) % m] ?? 1));
    });
  },
});
