/**
 * Methods for demand with many zeros: Croston (1972), its correction SBA (Syntetos and Boylan 2005), TSB (Teunter, Syntetos and Babai 2011)
 * and ADIDA (Nikolopoulos et al. 2011). Each forecasts the mean of a step, so its path is flat.
 */
import { type Core, flat, type Parameter } from './cores.js';
import { mean } from './series.js';

/** A series that is never negative is intermittent from this share of zeros. */
const zeros_min = 0.25;
/** The normal quantile of one in a thousand. */
const runs_min = -3.09;

/** Whether a series that is never negative has many zeros, scattered among its demands. */
export function isIntermittent(y: Float64Array): boolean {
  const zeros = y.reduce((count, v) => count + (v === 0 ? 1 : 0), 0);
  return zeros >= zeros_min * y.length && zeros < y.length && y.every((v) => v >= 0) && !isInBlocks(y, zeros);
}

/**
 * Whether zeros and demands come in far fewer runs than independent ones would (Wald and Wolfowitz 1940): the level then moves between 0 and
 * another one, and demand does not occur by chance at each step, as Croston's method takes it.
 */
function isInBlocks(y: Float64Array, zeros: number): boolean {
  const n = y.length;
  const runs = y.reduce((count, v, t) => count + (t > 0 && (v === 0) !== (y[t - 1] === 0) ? 1 : 0), 1);
  const pairs = 2 * zeros * (n - zeros);
  const variance = (pairs * (pairs - n)) / (n * n * (n - 1));
  return runs - (1 + pairs / n) < runs_min * Math.sqrt(variance);
}

/** A demand is a positive value. A negative one, which may be in the holdout, is none: goods that were returned say nothing of the next demand. */
const isDemand = (v: number): boolean => v > 0;

const alpha: Parameter = { name: 'alpha', min: 0.01, max: 0.2, start: 0.1 };
const beta: Parameter = { name: 'beta', min: 0.01, max: 0.2, start: 0.1 };

/** Returns the smoothing of the `count`-th value: a plain mean first, so that a small `a` does not hang on the first value. */
const smoothing = (a: number, count: number): number => Math.max(a, 1 / count);

/** The mean size of a demand over the mean distance of two, smoothed at each demand; `share` is what is kept of their quotient. */
const croston = (name: string, share: (a: number) => number): Core => ({
  name,
  parameters: [alpha],
  walk: (y, [a = 0], origins, h) => {
    let [size, interval, since, demands, t] = [0, 0, 0, 0, 0];
    return flat(origins, h, (n) => {
      for (; t < n; t++) {
        const v = y[t] ?? 0;
        since++;
        if (!isDemand(v)) continue;
        demands++;
        size += smoothing(a, demands) * (v - size);
        interval += smoothing(a, demands) * (since - interval);
        since = 0;
      }
      return interval > 0 ? (share(a) * size) / interval : 0;
    });
  },
});

/** The probability of a demand, smoothed at each step, times its size, smoothed at each demand: it falls when demand ends. */
const tsb: Core = {
  name: 'tsb',
  parameters: [alpha, beta],
  walk: (y, [a = 0, b = 0], origins, h) => {
    let [size, probability, demands, t] = [0, 0, 0, 0];
    return flat(origins, h, (n) => {
      for (; t < n; t++) {
        const v = y[t] ?? 0;
        probability += smoothing(a, t + 1) * ((isDemand(v) ? 1 : 0) - probability);
        if (isDemand(v)) size += smoothing(b, ++demands) * (v - size);
      }
      return size * probability;
    });
  },
};

/** Exponential smoothing of means over buckets as long as the mean distance of two demands, counted back from the end. */
const adida: Core = {
  name: 'adida',
  parameters: [alpha],
  walk: (y, [a = 0], origins, h) =>
    flat(origins, h, (n) => {
      const demands = y.subarray(0, n).reduce((count, v) => count + (isDemand(v) ? 1 : 0), 0);
      const width = demands > 0 ? Math.max(1, Math.round(n / demands)) : n;
      const first = n % width;
      let [level, buckets] = [0, 0];
      for (let t = first; t < n; t += width) level += smoothing(a, ++buckets) * (mean(y, t, t + width) - level);
      return level;
    }),
};

export const intermittentCores: readonly Core[] = [croston('croston', () => 1), croston('sba', (a) => 1 - a / 2), tsb, adida];
