/**
 * Removes the season from a series and restores it. The index of a phase is the mean, over the cycles, of the value's difference
 * from (or ratio to) a centred moving average over one cycle; later cycles weigh more. Several lengths are removed one after the
 * other, shortest first (as in MSTL; Bandara, Hyndman and Bergmeir 2021).
 */
export type SeasonForm = 'additive' | 'multiplicative';

export interface Adjusted {
  /** The series without season. */
  readonly rest: Float64Array;
  /** Adds the season to h steps after the last value, in place. */
  readonly restore: (path: Float64Array) => Float64Array;
}

/** The weight of a cycle relative to the next later one. */
export const cycle_weight = 0.8;

export function withoutSeason(y: Float64Array, seasons: readonly number[], form: SeasonForm): Adjusted {
  let rest = y;
  const indices: Float64Array[] = [];
  for (const m of seasons) {
    const index = seasonalIndex(rest, m, form);
    const before = rest;
    rest = before.map((v, t) => (form === 'additive' ? v - (index[t % m] ?? 0) : v / (index[t % m] ?? 1)));
    indices.push(index);
  }
  const restore = (path: Float64Array): Float64Array => {
    for (let k = 0; k < path.length; k++) {
      let v = path[k] ?? 0;
      for (const index of indices) {
        const s = index[(y.length + k) % index.length] ?? 0;
        v = form === 'additive' ? v + s : v * s;
      }
      path[k] = v;
    }
    return path;
  };
  return { rest, restore };
}

/** Returns the index per phase t mod m; mean 0 (additive) or 1 (multiplicative). Needs at least two cycles. */
export function seasonalIndex(y: Float64Array, m: number, form: SeasonForm): Float64Array {
  const half = m >> 1;
  const sums = new Float64Array(m);
  const weights = new Float64Array(m);
  const trend = movingAverage(y, m);
  const cycles = Math.ceil(y.length / m);
  const weightOf = new Float64Array(cycles).fill(1);
  for (let c = cycles - 2; c >= 0; c--) weightOf[c] = (weightOf[c + 1] ?? 0) * cycle_weight;
  for (let t = half; t < y.length - half; t++) {
    const w = weightOf[Math.floor(t / m)] ?? 0;
    const centre = trend[t] ?? 0;
    const v = y[t] ?? 0;
    const part = form === 'additive' ? v - centre : v / centre;
    sums[t % m] = (sums[t % m] ?? 0) + w * part;
    weights[t % m] = (weights[t % m] ?? 0) + w;
  }
  return normalised(
    sums.map((s, phase) => s / (weights[phase] ?? 1)),
    form,
  );
}

function normalised(index: Float64Array, form: SeasonForm): Float64Array {
  let sum = 0;
  for (const v of index) sum += v;
  const centre = sum / index.length;
  return form === 'additive' ? index.map((v) => v - centre) : index.map((v) => v / centre);
}

/**
 * Returns the centred moving average over m values (2×m when m is even) for t in [⌊m/2⌋, n − ⌊m/2⌋); other entries are unused.
 */
function movingAverage(y: Float64Array, m: number): Float64Array {
  const half = m >> 1;
  const out = new Float64Array(y.length);
  const before = new Float64Array(y.length + 1);
  for (let t = 0; t < y.length; t++) before[t + 1] = (before[t] ?? 0) + (y[t] ?? 0);
  for (let t = half; t < y.length - half; t++) {
    const total = (before[t + half + 1] ?? 0) - (before[t - half] ?? 0);
    const ends = m % 2 === 0 ? ((y[t - half] ?? 0) + (y[t + half] ?? 0)) / 2 : 0;
    out[t] = (total - ends) / m;
  }
  return out;
}
