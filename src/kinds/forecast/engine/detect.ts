/**
 * Detects the length of the season by autocorrelation of the first differences (a trend would hide it in the values): the
 * shortest local maximum within a tenth of the highest; 1 if there is none.
 */
const lag_max = 1_000;
const window = 6_000;
const correlation_min = 0.3;
const near = 0.9;

export function detectSeason(train: Float64Array): number {
  const y = train.subarray(Math.max(0, train.length - window));
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
