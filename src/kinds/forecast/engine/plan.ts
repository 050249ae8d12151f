/** The plan of a forecast before any model is fitted: the seasons used, the horizon of the scores, the origins, the window of history. */
import type { ForecastWork } from '../work.js';
import type { DateStep, DateUnit } from '../calendar.js';
import { isIntermittent } from './intermittent.js';
import { movingAverage, withoutSeason } from './seasonal-index.js';

// Detects the length of the season. Candidates are usual lengths (quarters, weekdays, months, hours, weeks) and the one
// that the autocorrelation of the first differences proposes. The phases of a season must explain enough of the
// variance around a moving average; the shortest candidate that comes close to the best one is the season, 1 if there
// is none.

const lag_max = 1_000;
const window = 6_000;
const correlation_min = 0.3;
const near = 0.9;
const usual_lengths: readonly number[] = [4, 7, 12, 24, 52];
const cycles_min = 3;
/** The least share of the variance, adjusted for the number of phases. */
const share_min = 0.3;
const share_near = 0.1;
/** A part of the calendar's season that explains this share is the season. */
const part_share_min = 0.9;

/** The lengths that the calendar gives a step, the shortest first. */
const calendar_lengths: Readonly<Partial<Record<DateUnit, readonly number[]>>> = {
  hour: [24, 168],
  day: [7, 365],
  business_day: [5],
  week: [52],
  month: [12],
  month_end: [12],
  quarter: [4],
};

/** Returns the seasons of the calendar in steps, without those that are no whole number of them. */
const calendarSeasons = ({ unit, count }: DateStep): number[] =>
  (calendar_lengths[unit] ?? []).map((m) => m / count).filter((m) => Number.isInteger(m) && m > 1);

/**
 * Returns the seasons of the calendar that a dated series is long enough for: two cycles over all observations for the first, three and a share
 * of the variance for a longer one. Where none fits, or without dates, the season is detected, of a dated series among the parts of the
 * calendar's.
 */
function foundSeasons({ step, observations }: ForecastWork, train: Float64Array): number[] {
  const [first, second] = step === null ? [] : calendarSeasons(step);
  // Zeros that come together by chance look like a season.
  if (first === undefined) return isIntermittent(train) ? [] : [detectSeason(train, usual_lengths, true)];
  const part = detectSeason(train, partsOf(first), false);
  if (2 * first > observations.length || (part > 1 && seasonalShare(train, part) >= part_share_min)) return [part];
  if (second === undefined || train.length < cycles_min * second) return [first];
  const rest = withoutSeason(train, [first], 'additive').rest;
  return seasonalShare(rest, second) >= share_min ? [first, second] : [first];
}

const partsOf = (length: number): number[] => Array.from({ length }, (_, m) => m).filter((m) => m > 1 && length % m === 0);

/** @param isOpen whether the length that the autocorrelation proposes counts too */
function detectSeason(train: Float64Array, usual: readonly number[], isOpen: boolean): number {
  const y = train.subarray(Math.max(0, train.length - window));
  const proposed = isOpen ? [autocorrelated(y)] : [];
  const lengths = [...new Set([...usual, ...proposed])].filter((m) => m > 1 && y.length >= cycles_min * m);
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

export type Plan = Readonly<ReturnType<typeof planFor>>;

export const origins_max = 24;
/** Fewer origins of whole paths than this are replaced by more origins whose paths are cut. */
const whole_origins_min = 12;
const origins_wanted_min = 3;
const window_min = 3_000;
const window_cycles = 8;
const first_origin_min = 4;
/** From this number of training observations on, a series without a season is not short. */
const plain_observations = 50;
/** Differences from the cycle before that the first origin of a short season has, where the series is long enough. */
const differences_min = 3;

/** @param train without outliers */
export function planFor(work: ForecastWork, train: Float64Array) {
  const n = train.length;
  const lengths = seasonLengths(work, train);
  const room = n - origins_wanted_min;
  const seasons = lengths.filter((m) => 2 * m <= room);
  const short = lengths.filter((m) => 2 * m > room && m <= room);
  const [cycle = 0] = short.slice(-1);
  const firstOriginMin = Math.max(
    first_origin_min,
    2 * (seasons[seasons.length - 1] ?? 0),
    Math.min(cycle + differences_min, room),
  );
  return {
    trainCount: n,
    /** Lengths that every seasonal model uses: two full cycles before the first origin. Ascending. */
    seasons,
    /** Lengths with one cycle before the first origin but not two: for the seasonal naive methods only. */
    short,
    /** Given lengths for which there are too few training observations. */
    dropped: lengths.filter((m) => m > room),
    /** Whether there may be a season, and none was given or found. */
    isUndetected: mayHaveSeason(work) && lengths.length === 0,
    /** Whether the series is short and known to have no season: by the mission, or by a step for which the calendar has none. */
    isPlain: n < plain_observations && lengths.length === 0 && !mayHaveSeason(work),
    ...originsOf(Math.max(work.horizon, work.holdout), n, firstOriginMin),
    firstOriginMin,
    /** The largest number of values before an origin that a model uses. */
    window: Math.max(window_min, window_cycles * (lengths[lengths.length - 1] ?? 0)),
    /** Whether the series has so many zeros that an error of single steps would reward a forecast of nothing: then sums of paths count. */
    isIntermittent: isIntermittent(train),
  };
}

/**
 * Returns the number of steps of each scored path; the origins, ascending, where origin o means the path of y[o..o+steps) from y[0..o); the
 * distance between them; and whether paths are compared only up to the end of the training observations, because too few whole paths fit
 * into them.
 */
function originsOf(wanted: number, n: number, first: number) {
  const whole = Math.max(1, Math.min(wanted, Math.floor(n / 4), n - first - origins_wanted_min + 1));
  const half = Math.max(1, Math.floor(whole / 2));
  const origins = originsBack(n - whole, first, half);
  if (origins.length >= whole_origins_min) return { steps: whole, origins, stride: half, isCut: false };
  const stride = Math.ceil((n - first) / origins_max);
  return { steps: Math.min(wanted, n - first), origins: originsBack(n - 1, first, stride), stride, isCut: true };
}

function originsBack(last: number, first: number, stride: number): number[] {
  const origins: number[] = [];
  for (let o = last; o >= first && origins.length < origins_max; o -= stride) origins.push(o);
  return origins.reverse();
}

/** Whether a season that is not given and not found may be there. */
const mayHaveSeason = (work: ForecastWork): boolean =>
  isDetected(work) && (work.step === null || calendarSeasons(work.step).length > 0);

const isDetected = ({ season, seasons }: ForecastWork): boolean => season === 'auto' && seasons === undefined;

/** Returns the given or detected lengths above 1, ascending, each once. */
function seasonLengths(work: ForecastWork, train: Float64Array): number[] {
  const given = work.season === 'auto' ? 1 : work.season;
  const found = isDetected(work) ? foundSeasons(work, train) : [given];
  return [...new Set([...found, ...(work.seasons ?? [])])].filter((m) => m > 1).sort((a, b) => a - b);
}
