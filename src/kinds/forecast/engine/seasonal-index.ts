/**
 * Removes the season from a series and restores it. The index of a phase is the mean, over the cycles, of the value's difference
 * from (or ratio to) a centred moving average over one cycle; later cycles weigh more. Several lengths are removed one after the
 * other, shortest first (as in MSTL; Bandara, Hyndman and Bergmeir 2021).
 */
export type SeasonForm = 'additive' | 'multiplicative';

export interface SeasonalAdjustment {
  /** The series without season. */
  readonly rest: Float64Array;
  /** The number of first values that have no counterpart in `rest`. */
  readonly skipped: number;
  /** Adds the season to h steps after the last value, in place. */
  readonly restore: (path: Float64Array) => Float64Array;
}

/** The weight of a cycle relative to the next later one. */
export const cycle_weight = 0.8;

export function withoutSeason(
  y: Float64Array,
  seasons: readonly number[],
  form: SeasonForm,
): SeasonalAdjustment & { readonly indices: readonly Float64Array[] } {
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
  return { rest, skipped: 0, restore, indices };
}

/**
 * Removes the season by the difference from (or ratio to) the value one cycle before, for a series too short for an index (Box and Jenkins
 * 1970). Needs more than one cycle.
 */
export function differenced(y: Float64Array, m: number, form: SeasonForm): SeasonalAdjustment {
  const additive = form === 'additive';
  const rest = y.slice(m).map((v, t) => (additive ? v - (y[t] ?? 0) : v / (y[t] ?? 1)));
  const restore = (path: Float64Array): Float64Array => {
    for (let k = 0; k < path.length; k++) {
      const before = (k < m ? y[y.length - m + k] : path[k - m]) ?? 0;
      path[k] = additive ? before + (path[k] ?? 0) : before * (path[k] ?? 0);
    }
    return path;
  };
  return { rest, skipped: m, restore };
}

/**
 * Returns the index per phase t mod m; mean 0 (additive) or 1 (multiplicative). Needs at least two cycles. The index is shrunk towards
 * no season by the share of its variance that the scatter within the phases explains (Miller and Williams 2003).
 */
function seasonalIndex(y: Float64Array, m: number, form: SeasonForm): Float64Array {
  const half = m >> 1;
  const parts = new Float64Array(y.length);
  const sums = new Float64Array(m);
  const weights = new Float64Array(m);
  const squares = new Float64Array(m);
  const trend = movingAverage(y, m);
  const cycles = Math.ceil(y.length / m);
  const weightOf = new Float64Array(cycles).fill(1);
  for (let c = cycles - 2; c >= 0; c--) weightOf[c] = (weightOf[c + 1] ?? 0) * cycle_weight;
  for (let t = half; t < y.length - half; t++) {
    const w = weightOf[Math.floor(t / m)] ?? 0;
    const centre = trend[t] ?? 0;
    const v = y[t] ?? 0;
    const part = form === 'additive' ? v - centre : v / centre;
    parts[t] = part;
    sums[t % m] = (sums[t % m] ?? 0) + w * part;
    weights[t % m] = (weights[t % m] ?? 0) + w;
    squares[t % m] = (squares[t % m] ?? 0) + w * w;
  }
  const raw = sums.map((s, phase) => s / (weights[phase] ?? 1));
  let scatter = 0;
  for (let t = half; t < y.length - half; t++)
    scatter += ((parts[t] ?? 0) - (raw[t % m] ?? 0)) * ((parts[t] ?? 0) - (raw[t % m] ?? 0));
  let noise = 0;
  for (let phase = 0; phase < m; phase++) noise += (squares[phase] ?? 0) / ((weights[phase] ?? 1) * (weights[phase] ?? 1));
  const spare = y.length - 2 * half - m;
  const variance = spare > 0 ? (scatter / spare) * (noise / m) : 0;
  return shrunk(normalised(raw, form), form, variance);
}

/** Returns the index with its distance from no season times the share that is not noise; `variance` is that of the noise of a phase. */
function shrunk(index: Float64Array, form: SeasonForm, variance: number): Float64Array {
  const none = form === 'additive' ? 0 : 1;
  let total = 0;
  for (const v of index) total += (v - none) * (v - none);
  const kept = total > 0 ? Math.max(0, 1 - ((index.length - 1) * variance) / total) : 1;
  return index.map((v) => none + kept * (v - none));
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
export function movingAverage(y: Float64Array, m: number): Float64Array {
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
