/**
 * A second reading of a forecast mission by the engine's description, which shares no code with it: outliers, season, origins, and the models
 * that a result must contain. The order of additions and multiplications is part of each definition, so both give the same double.
 */
import type { ForecastWork } from '../../../../src/kinds/forecast/work.js';

interface Replaced {
  readonly index: number;
  readonly value: number;
  readonly replacement: number;
}

interface Clean {
  readonly values: Float64Array;
  readonly outliers: readonly Replaced[];
}

const medianOf = (values: Iterable<number>): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2;
};

/** Returns the series with its outliers replaced, and the outliers by position. */
function cleaned(series: Float64Array): Clean {
  const marked = positions(series);
  const isMarked = series.map(() => 0);
  for (const t of marked) isMarked[t] = 1;
  const values = series.slice();
  for (const t of marked) values[t] = substitute(series, t, isMarked);
  return {
    values,
    outliers: marked.map((index) => ({ index, value: series[index] ?? 0, replacement: values[index] ?? 0 })),
  };
}

function substitute(series: Float64Array, t: number, isMarked: Float64Array): number {
  let left = t - 1;
  while (left >= 0 && isMarked[left] === 1) left -= 1;
  let right = t + 1;
  while (right < series.length && isMarked[right] === 1) right += 1;
  const steps = (from: number, to: number): number[] => {
    const found: number[] = [];
    for (let i = from; i < to; i++) {
      if (isMarked[i] === 0 && isMarked[i + 1] === 0) found.push((series[i + 1] ?? 0) - (series[i] ?? 0));
    }
    return found;
  };
  const usual = (changes: number[]): number => (changes.length === 0 ? 0 : medianOf(changes));
  if (left < 0) {
    return (series[right] ?? 0) - (right - t) * usual(steps(right, Math.min(series.length - 1, right + 16)));
  }
  const start = series[left] ?? 0;
  if (right >= series.length) return start + (t - left) * usual(steps(Math.max(0, left - 16), left));
  return start + (((series[right] ?? 0) - start) * (t - left)) / (right - left);
}

/**
 * Returns the positions whose distance beyond both sides is at least ten usual changes and twice that of the next most distant one: at
 * most a twentieth of the series (one at least), and twenty.
 */
function positions(series: Float64Array): number[] {
  const { length } = series;
  const moves = Array.from({ length: length - 1 }, (_, i) => Math.abs((series[i + 1] ?? 0) - (series[i] ?? 0)));
  const floor = Math.max(medianOf(moves), 0.01 * medianOf(series.map((v) => Math.abs(v))));
  if (floor === 0) return [];
  const rated = Array.from(series, (_, t) => {
    const distance = Math.max(beyond(series, t, 1), beyond(series, t, -1));
    return { t, ratio: distance > floor * 5 ? distance / Math.max(floor, usualMove(moves, t)) : 0 };
  });
  rated.sort((a, b) => (a.ratio === b.ratio ? a.t - b.t : b.ratio - a.ratio));
  const most = Math.min(20, Math.max(1, Math.floor(length * 0.05)));
  for (let count = most; count > 0; count--) {
    const last = rated[count - 1]?.ratio ?? 0;
    if (rated.length > count && last >= 10 && last >= 2 * (rated[count]?.ratio ?? 0)) {
      return rated
        .slice(0, count)
        .map(({ t }) => t)
        .sort((a, b) => a - b);
    }
  }
  return [];
}

/** Returns how far the value lies above (sign 1) or below (−1) the two values on each side, the side counting where it is farther. */
function beyond(series: Float64Array, t: number, sign: number): number {
  const away = (i: number): number => sign * ((series[t] ?? 0) - (series[i] ?? 0));
  const left = [t - 1, t - 2].filter((i) => i >= 0).map(away);
  const right = [t + 1, t + 2].filter((i) => i < series.length).map(away);
  if (left.length === 0) return Math.min(...right);
  if (right.length === 0) return Math.min(...left);
  return Math.min(Math.max(...left), Math.max(...right));
}

/** Returns the median of the sixteen moves around t; at an end, twice the largest of the sixteen beyond the one at the end. */
function usualMove(moves: readonly number[], t: number): number {
  const last = moves.length;
  if (t === 0) return 2 * Math.max(0, ...moves.slice(1, 17));
  if (t === last) return 2 * Math.max(0, ...moves.slice(Math.max(0, last - 17), last - 1));
  return medianOf(moves.slice(Math.max(0, t - 8), t + 8));
}

/** Returns the centred mean over m values (2×m for an even m) where it is whole; other entries are 0. */
export function movingMeans(y: Float64Array, m: number): number[] {
  const reach = Math.floor(m / 2);
  const running: number[] = [0];
  for (const v of y) running.push((running[running.length - 1] ?? 0) + v);
  return Array.from(y, (_, t) => {
    if (t < reach || t + reach >= y.length) return 0;
    const span = (running[t + reach + 1] ?? 0) - (running[t - reach] ?? 0);
    const edge = m % 2 === 1 ? 0 : ((y[t - reach] ?? 0) + (y[t + reach] ?? 0)) / 2;
    return (span - edge) / m;
  });
}

/** Returns the shortest length whose phases explain enough of the variance, of the usual ones and of the autocorrelation's; 1 for none. */
function detectedSeason(train: Float64Array): number {
  const tail = train.slice(-6000);
  const candidates = [...new Set([4, 7, 12, 24, 52, strongestPeriod(tail)])].sort((a, b) => a - b);
  const rated = candidates.flatMap((m) => (m >= 2 && tail.length >= 3 * m ? [{ m, share: explained(tail, m) }] : []));
  let best = 0.3;
  for (const { share } of rated) best = Math.max(best, share);
  return rated.find(({ share }) => share >= 0.3 && share >= best - 0.1)?.m ?? 1;
}

/** Returns the adjusted share of the variance around a moving mean that the phases explain. */
function explained(y: Float64Array, m: number): number {
  const reach = Math.floor(m / 2);
  const centres = movingMeans(y, m);
  const raw = Array.from(y.subarray(reach, y.length - reach), (v, i) => v - (centres[reach + i] ?? 0));
  let size = 0;
  for (const v of raw) size = Math.max(size, Math.abs(v));
  if (size === 0) return 0;
  const parts = raw.map((v, i) => ({ phase: (reach + i) % m, v: v / size }));
  const phases = Array.from({ length: m }, () => ({ sum: 0, count: 0 }));
  let total = 0;
  for (const { phase, v } of parts) {
    const cell = phases[phase];
    if (cell !== undefined) {
      cell.sum += v;
      cell.count += 1;
    }
    total += v;
  }
  const middle = total / parts.length;
  let within = 0;
  let whole = 0;
  for (const { phase, v } of parts) {
    const own = phases[phase] ?? { sum: 0, count: 1 };
    const away = v - own.sum / own.count;
    within += away * away;
    whole += (v - middle) * (v - middle);
  }
  return whole > 0 ? 1 - within / (parts.length - m) / (whole / (parts.length - 1)) : 0;
}

/**
 * Returns the shortest peak of the differences' autocorrelation within a tenth of the highest, over the last 6000 values; 1 for
 * none.
 */
function strongestPeriod(train: Float64Array): number {
  const tail = train.slice(-6000);
  const steps = tail.slice(1).map((v, t) => v - (tail[t] ?? 0));
  const size = steps.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  if (size === 0) return 1;
  const scaled = steps.map((v) => v / size);
  const middle = scaled.reduce((sum, v) => sum + v, 0) / scaled.length;
  const centred = scaled.map((v) => v - middle);
  const covariance = (lag: number): number => {
    let sum = 0;
    for (let t = lag; t < centred.length; t++) sum += (centred[t] ?? 0) * (centred[t - lag] ?? 0);
    return sum / (centred.length - lag);
  };
  const variance = covariance(0);
  if (!(variance > 0)) return 1;
  const top = Math.min(1000, Math.floor(tail.length / 3));
  const r = Array.from({ length: top + 1 }, (_, lag) => covariance(lag) / variance);
  const isPeak = (lag: number): boolean => (r[lag] ?? 0) > (r[lag - 1] ?? 0) && (r[lag] ?? 0) >= (r[lag + 1] ?? 0);
  const peaks = r.map((_, lag) => lag).filter((lag) => lag >= 2 && isPeak(lag));
  const best = Math.max(0, ...peaks.map((lag) => r[lag] ?? 0));
  const least = Math.max(0.3, 3 / Math.sqrt(centred.length), 0.9 * best);
  return peaks.find((lag) => (r[lag] ?? 0) >= least) ?? 1;
}

export interface Outline {
  readonly training: Clean;
  readonly all: Clean;
  readonly trainCount: number;
  readonly full: readonly number[];
  readonly naiveOnly: readonly number[];
  readonly leftOut: readonly number[];
  readonly isUndetected: boolean;
  readonly pathSteps: number;
  readonly earliest: number;
  readonly starts: readonly number[];
  readonly stride: number;
  /** Whether paths end with the observations, and a step weighs the inverse of its number. */
  readonly isCut: boolean;
  readonly memory: number;
  /** The shortest season, or 1. */
  readonly period: number;
}

export function outline(work: ForecastWork): Outline {
  const values = Float64Array.from(work.observations);
  const trainCount = values.length - work.holdout;
  const training = cleaned(values.slice(0, trainCount));
  const isDetected = work.season === 'auto' && work.seasons === undefined;
  const given = [...(work.seasons ?? []), ...(work.season === 'auto' ? [] : [work.season])];
  if (isDetected) given.push(detectedSeason(training.values));
  const lengths = [...new Set(given)].filter((m) => m >= 2).sort((a, b) => a - b);
  const full = lengths.filter((m) => trainCount >= 2 * m + 3);
  const naiveOnly = lengths.filter((m) => trainCount < 2 * m + 3 && trainCount >= m + 3);
  const earliest = Math.max(4, ...full.map((m) => 2 * m), ...naiveOnly);
  return {
    training,
    all: cleaned(values),
    trainCount,
    full,
    naiveOnly,
    leftOut: lengths.filter((m) => trainCount < m + 3),
    isUndetected: isDetected && lengths.length === 0,
    ...originsOf(work.horizon > work.holdout ? work.horizon : work.holdout, trainCount, earliest),
    earliest,
    memory: Math.max(3000, 8 * Math.max(0, ...lengths)),
    period: full[0] ?? naiveOnly[0] ?? 1,
  };
}

function originsOf(
  wanted: number,
  trainCount: number,
  earliest: number,
): Pick<Outline, 'pathSteps' | 'starts' | 'stride' | 'isCut'> {
  const listed = (last: number, stride: number): number[] => {
    const starts: number[] = [];
    for (let i = 23; i >= 0; i--) if (last - i * stride >= earliest) starts.push(last - i * stride);
    return starts;
  };
  const whole = Math.max(1, Math.min(wanted, trainCount >> 2, trainCount - earliest - 2));
  const step = Math.max(1, whole >> 1);
  const starts = listed(trainCount - whole, step);
  if (starts.length >= 12) return { pathSteps: whole, starts, stride: step, isCut: false };
  const stride = Math.ceil((trainCount - earliest) / 24);
  const room = trainCount - earliest;
  return { pathSteps: wanted < room ? wanted : room, starts: listed(trainCount - 1, stride), stride, isCut: true };
}

type Names = Readonly<Record<string, readonly string[]>>;

const plainNames: Names = {
  naive: [],
  mean: [],
  drift: [],
  ses: ['alpha'],
  theta: ['alpha'],
  holt: ['alpha', 'beta'],
  damped: ['alpha', 'beta', 'phi'],
};
const logged = ['damped', 'drift', 'holt', 'theta'];

/** Returns the names of the models that the result must contain, and of their parameters, in order of name. */
export function expectedModels(plan: Outline): ReadonlyMap<string, readonly string[]> {
  const rows = new Map(Object.entries(plainNames));
  const lags = lagsOf(plan);
  if (lags.length > 0)
    rows.set(
      'autoregression',
      lags.map((lag) => `lag_${lag}`),
    );
  for (const m of [...plan.full, ...plan.naiveOnly]) {
    rows.set(`seasonal-naive-${m}`, []);
    rows.set(`weighted-seasonal-naive-${m}`, ['lambda']);
  }
  const isPositive = plan.training.values.every((v) => v > 0);
  for (const form of plan.full.length === 0 ? [] : isPositive ? ['additive', 'multiplicative'] : ['additive']) {
    for (const [name, parameters] of Object.entries(plainNames)) rows.set(`${name}-${form}`, parameters);
    rows.set(`holt-winters-${form}`, ['alpha', 'beta', 'rho', ...plan.full.map((_, i) => `gamma${i + 1}`)]);
  }
  const tail = plan.full.length > 0 ? '-log-multiplicative' : '-log';
  if (isPositive) for (const name of logged) rows.set(name + tail, plainNames[name] ?? []);
  return new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function lagsOf(plan: Outline): number[] {
  const all = [1, 2, 3, ...plan.full.flatMap((m) => [m - 1, m, m + 1])];
  const first = plan.full[0];
  if (first !== undefined) {
    const reach = Math.max(...plan.full) + first;
    if (2 * first <= reach) all.push(2 * first - 1, 2 * first + 1);
    for (let lag = 2 * first; lag <= Math.min(8 * first, reach); lag += first) all.push(lag);
  }
  const lags = [...new Set(all)].filter((lag) => lag >= 1 && lag < plan.earliest).sort((a, b) => a - b);
  const seen = Math.min(plan.trainCount, plan.memory);
  let count = lags.length;
  while (count > 0 && 4 * count > seen - (lags[count - 1] ?? 0)) count -= 1;
  return lags.slice(0, count);
}
