/**
 * Detects the length of the season. Candidates are usual lengths (quarters, weekdays, months, hours, weeks) and the one that the
 * autocorrelation of the first differences proposes. The phases of a season must explain enough of the variance around a
 * moving average; the shortest candidate that comes close to the best one is the season, 1 if there is none.
 */
import { movingAverage } from './seasonal-index.js';

const lag_max = 1_000;
const window = 6_000;
const correlation_min = 0.3;
const near = 0.9;
const usual_lengths: readonly number[] = [4, 7, 12, 24, 52];
const cycles_min = 3;
/** The least share of the variance, adjusted for the number of phases. */
const share_min = 0.3;
const share_near = 0.1;

export function detectSeason(train: Float64Array): number {
  const y = train.subarray(Math.max(0, train.length - window));
  const lengths = [...new Set([...usual_lengths, autocorrelated(y)])].filter((m) => m > 1 && y.length >= cycles_min * m);
  const shares = lengths.sort((a, b) => a - b).map((m) => seasonalShare(y, m));
  const best = Math.max(share_min, ...shares);
  return lengths.find((_, i) => (shares[i] ?? 0) >= share_min && (shares[i] ?? 0) >= best - share_near) ?? 1;
}

/** Returns the shortest local maximum of the differences' autocorrelation within a tenth of the highest; 1 if there is none. */
function autocorrelated(y: Float64Array): number {
  const d = new Float64Array(y.length - 1);
  let scale = 0;
  for (let t = 0; t < d.length; t++) {
    d[t] = (y[t + 1] ?? 0) - (y[t] ?? 0);
    scale = Math.max(scale, Math.abs(d[t] ?? 0));
  }
  if (!(scale > 0)) return 1;
  const r = autocorrelations(
    d.map((v) => v / scale),
    Math.min(lag_max, Math.floor(y.length / 3)),
  );
  const peaks: number[] = [];
  for (let k = 2; k < r.length; k++) {
    const here = r[k] ?? 0;
    if (here > (r[k - 1] ?? 0) && here >= (r[k + 1] ?? 0)) peaks.push(k);
  }
  let highest = 0;
  for (const k of peaks) highest = Math.max(highest, r[k] ?? 0);
  const floor = Math.max(correlation_min, 3 / Math.sqrt(d.length), near * highest);
  return peaks.find((k) => (r[k] ?? 0) >= floor) ?? 1;
}

/** Returns r[k] for k = 0..max, each averaged over its n − k pairs, so that long lags are not at a disadvantage. */
function autocorrelations(d: Float64Array, max: number): Float64Array {
  const n = d.length;
  let sum = 0;
  for (const v of d) sum += v;
  const centre = sum / n;
  const x = d.map((v) => v - centre);
  const r = new Float64Array(max + 1);
  for (let k = 0; k <= max; k++) {
    let product = 0;
    for (let t = k; t < n; t++) product += (x[t] ?? 0) * (x[t - k] ?? 0);
    r[k] = product / (n - k);
  }
  const power = r[0] ?? 0;
  return power > 0 ? r.map((v) => v / power) : r.fill(0);
}

/** Returns the share of the variance around a moving average that the means of the phases explain, adjusted as R² is. */
function seasonalShare(y: Float64Array, m: number): number {
  const half = m >> 1;
  const trend = movingAverage(y, m);
  let scale = 0;
  for (let t = half; t < y.length - half; t++) scale = Math.max(scale, Math.abs((y[t] ?? 0) - (trend[t] ?? 0)));
  if (!(scale > 0)) return 0;
  const part = (t: number): number => ((y[t] ?? 0) - (trend[t] ?? 0)) / scale;
  const sums = new Float64Array(m);
  const counts = new Float64Array(m);
  let total = 0;
  const count = y.length - 2 * half;
  for (let t = half; t < y.length - half; t++) {
    sums[t % m] = (sums[t % m] ?? 0) + part(t);
    counts[t % m] = (counts[t % m] ?? 0) + 1;
    total += part(t);
  }
  const centre = total / count;
  let within = 0;
  let whole = 0;
  for (let t = half; t < y.length - half; t++) {
    const mean = (sums[t % m] ?? 0) / (counts[t % m] ?? 1);
    within += (part(t) - mean) * (part(t) - mean);
    whole += (part(t) - centre) * (part(t) - centre);
  }
  return whole > 0 ? 1 - within / (count - m) / (whole / (count - 1)) : 0;
}
