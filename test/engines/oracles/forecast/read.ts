/**
 * A second reading of a forecast mission by the engine's description, which shares no code with it: outliers, season, origins, models and
 * dates. The order of additions and multiplications is part of each definition, so both give the same double.
 */
import assert from 'node:assert/strict';
import { round12 } from '../../../../src/base/decimal.js';
import { log } from '../../../../src/base/math.js';
import type { ForecastWork } from '../../../../src/kinds/forecast/work.js';

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const v of values) total += v;
  return total;
};
export const ascending = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);
const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

function medianOf(values: Iterable<number>): number {
  const sorted = ascending(values);
  const upper = sorted[sorted.length >> 1]!;
  return sorted.length % 2 === 1 ? upper : (sorted[sorted.length / 2 - 1]! + upper) / 2;
}

/** Returns the series with its outliers replaced but for one at its end, at the level of its end, and what was replaced and moved. */
function cleaned(series: Float64Array) {
  const marked = positions(series).filter((t) => t + 1 < series.length);
  const observed = series.slice();
  for (const t of marked) observed[t] = substitute(series, t, (i) => marked.includes(i));
  const step = stepOf(observed);
  const values = observed.map((v, t) => (t < step.index ? v + step.shift : v));
  const outliers = marked.map((index) => ({ index, value: series[index]!, replacement: observed[index]! }));
  return { values, observed, outliers, step, isOutlierLast: positions(series).includes(series.length - 1) };
}

/** Whether at least a quarter of a series that is never negative, and not all of it, is zero, and the zeros come by chance. */
export function isRare(y: Float64Array): boolean {
  const zeros = y.filter((v) => v === 0).length;
  return Math.min(...y) >= 0 && zeros < y.length && 4 * zeros >= y.length && !hasFewRuns(y.map(Math.sign));
}

/** Whether two kinds of values come in so few runs as they do by chance once in a thousand series. */
function hasFewRuns(kinds: Float64Array): boolean {
  const n = kinds.length;
  const both = 2 * sum(kinds) * (n - sum(kinds));
  const runs = 1 + kinds.slice(1).filter((kind, t) => kind !== kinds[t]).length;
  return runs - (1 + both / n) < -3.09 * Math.sqrt((both * (both - n)) / (n * n * (n - 1)));
}

/** Returns where the level moves, 1 to 3 values before the end, and by how much: at 0 by 0 where it does not. */
function stepOf(y: Float64Array): { readonly index: number; readonly shift: number } {
  for (const index of range(Math.max(12, y.length - 3), y.length).reverse()) {
    const past = y.slice(0, index);
    const moves = [1, 2, 3].flatMap((lag) => Array.from(past.slice(lag), (v, t) => Math.abs(v - past[t]!)));
    const [after, before] = [y.slice(index), past.slice(-3)];
    const up = Math.min(...after) - Math.max(...before);
    const down = Math.min(...before) - Math.max(...after);
    const jump = Math.max(up, down);
    const usual = Math.max(...moves);
    const isLarge = jump > 0 && jump >= (2.73 / Math.sqrt(log(index))) * usual;
    if (isRare(y) || !isLarge || Math.max(...after) - Math.min(...after) > Math.max(usual, jump / 2)) continue;
    return { index, shift: round12(sum(after) / after.length - sum(past.slice(-12)) / 12) };
  }
  return { index: 0, shift: 0 };
}

function substitute(series: Float64Array, t: number, isMarked: (i: number) => boolean): number {
  let [left, right] = [t - 1, t + 1];
  while (isMarked(left)) left--;
  while (isMarked(right)) right++;
  const usual = (from: number, to: number): number => {
    const steps = range(from, to).flatMap((i) => (isMarked(i) || isMarked(i + 1) ? [] : [series[i + 1]! - series[i]!]));
    return steps.length === 0 ? 0 : medianOf(steps);
  };
  if (left < 0) return series[right]! - (right - t) * usual(right, Math.min(series.length - 1, right + 16));
  const start = series[left]!;
  if (right >= series.length) return start + (t - left) * usual(Math.max(0, left - 16), left);
  return start + ((series[right]! - start) * (t - left)) / (right - left);
}

/**
 * Returns the positions whose distance beyond both sides is at least ten usual changes and twice that of the next most distant one: at
 * most a twentieth of the series (one at least), and twenty.
 */
function positions(series: Float64Array): number[] {
  const moves = range(1, series.length).map((t) => Math.abs(series[t]! - series[t - 1]!));
  const floor = Math.max(medianOf(moves), 0.01 * medianOf(series.map(Math.abs)));
  if (floor === 0) return [];
  const rated = Array.from(series, (_, t) => {
    const distance = Math.max(beyond(series, t, 1), beyond(series, t, -1));
    return { t, ratio: distance > floor * 5 ? distance / Math.max(floor, usualMove(moves, t)) : 0 };
  }).sort((a, b) => b.ratio - a.ratio || a.t - b.t);
  for (let count = Math.min(20, Math.max(1, Math.floor(series.length * 0.05))); count > 0; count--) {
    const last = rated[count - 1]!.ratio;
    if (rated.length > count && last >= 10 && last >= 2 * rated[count]!.ratio)
      return ascending(rated.slice(0, count).map(({ t }) => t));
  }
  return [];
}

/** Returns how far the value lies above (sign 1) or below (−1) the two values on each side, the side counting where it is farther. */
function beyond(series: Float64Array, t: number, sign: number): number {
  const sides = [
    [t - 1, t - 2],
    [t + 1, t + 2],
  ].map((side) => side.filter((i) => i in series).map((i) => sign * (series[t]! - series[i]!)));
  const [left, right] = sides as [number[], number[]];
  if (left.length === 0 || right.length === 0) return Math.min(...left, ...right);
  return Math.min(Math.max(...left), Math.max(...right));
}

/** Returns the median of the sixteen moves around t; at an end, twice the largest of the sixteen beyond the one at the end. */
function usualMove(moves: readonly number[], t: number): number {
  const last = moves.length;
  if (t === 0) return 2 * Math.max(0, ...moves.slice(1, 17));
  if (t === last) return 2 * Math.max(0, ...moves.slice(Math.max(0, last - 17), last - 1));
  return medianOf(moves.slice(Math.max(0, t - 8), t + 8));
}

/** Returns the centred mean over m values (2×m for an even m) where it is whole. */
export function movingMeans(y: Float64Array, m: number): number[] {
  const reach = m >> 1;
  const running = [0];
  for (const v of y) running.push(running.at(-1)! + v);
  return Array.from(y, (_, t) => {
    const edge = m % 2 === 1 ? 0 : (y[t - reach]! + y[t + reach]!) / 2;
    return (running[t + reach + 1]! - running[t - reach]! - edge) / m;
  });
}

/** Returns the shortest length whose phases explain enough of the variance, of the usual ones and of the autocorrelation's; 1 for none. */
function detectedSeason(train: Float64Array, lengths?: readonly number[]): number {
  const tail = train.slice(-6000);
  const candidates = lengths ?? ascending(new Set([4, 7, 12, 24, 52, strongestPeriod(tail)]));
  const rated = candidates.filter((m) => m >= 2 && tail.length >= 3 * m).map((m) => ({ m, share: explained(tail, m) }));
  const best = Math.max(0.3, ...rated.map(({ share }) => share));
  return rated.find(({ share }) => share >= 0.3 && share >= best - 0.1)?.m ?? 1;
}

/** Returns the season of a series without dates or of months: the year, or a part of it that explains it or fits where the year does not. */
function seasonOf({ step, observations }: ForecastWork, train: Float64Array): number {
  if (step === null) return isRare(train) ? 1 : detectedSeason(train);
  assert.deepEqual(step, { unit: 'month', count: 1 });
  const part = detectedSeason(train, [2, 3, 4, 6]);
  return observations.length < 24 || (part > 1 && explained(train, part) >= 0.9) ? part : 12;
}

/** Returns the adjusted share of the variance around a moving mean that the phases explain. */
function explained(y: Float64Array, m: number): number {
  const reach = m >> 1;
  const centres = movingMeans(y, m);
  const raw = Array.from(y.subarray(reach, y.length - reach), (v, i) => v - centres[reach + i]!);
  const size = Math.max(...raw.map(Math.abs));
  if (size === 0) return 0;
  const parts = raw.map((v) => v / size);
  const phases = range(0, m).map((phase) => parts.filter((_, i) => (reach + i) % m === phase));
  const means = phases.map((phase) => sum(phase) / phase.length);
  const squares = (middle: (i: number) => number): number => sum(parts.map((v, i) => (v - middle(i)) * (v - middle(i))));
  const centre = sum(parts) / parts.length;
  const whole = squares(() => centre);
  const within = squares((i) => means[(reach + i) % m]!);
  return whole > 0 ? 1 - within / (parts.length - m) / (whole / (parts.length - 1)) : 0;
}

/** Returns the shortest peak of the differences' autocorrelation within a tenth of the highest; 1 for none. */
function strongestPeriod(tail: Float64Array): number {
  const steps = tail.slice(1).map((v, t) => v - tail[t]!);
  const size = Math.max(...steps.map(Math.abs));
  if (size === 0) return 1;
  const scaled = steps.map((v) => v / size);
  const middle = sum(scaled) / scaled.length;
  const centred = scaled.map((v) => v - middle);
  const covariance = (lag: number): number =>
    sum(range(lag, centred.length).map((t) => centred[t]! * centred[t - lag]!)) / (centred.length - lag);
  const variance = covariance(0);
  if (!(variance > 0)) return 1;
  const r = range(0, Math.min(1000, Math.floor(tail.length / 3)) + 1).map((lag) => covariance(lag) / variance);
  const peaks = range(2, r.length).filter((lag) => r[lag]! > r[lag - 1]! && r[lag]! >= (r[lag + 1] ?? 0));
  const least = Math.max(0.3, 3 / Math.sqrt(centred.length), 0.9 * Math.max(0, ...peaks.map((lag) => r[lag]!)));
  return peaks.find((lag) => r[lag]! >= least) ?? 1;
}

export type Outline = ReturnType<typeof outline>;

export function outline(work: ForecastWork) {
  const values = Float64Array.from(work.observations);
  const trainCount = values.length - work.holdout;
  const training = cleaned(values.slice(0, trainCount));
  const isDetected = work.season === 'auto' && work.seasons === undefined;
  const given = [...(work.seasons ?? []), ...(work.season === 'auto' ? [] : [work.season])];
  if (isDetected) given.push(seasonOf(work, training.values));
  const lengths = ascending(new Set(given)).filter((m) => m >= 2);
  const full = lengths.filter((m) => trainCount >= 2 * m + 3);
  const naiveOnly = lengths.filter((m) => trainCount < 2 * m + 3 && trainCount >= m + 3);
  const earliest = Math.max(4, ...full.map((m) => 2 * m), Math.min(Math.max(0, ...naiveOnly) + 3, trainCount - 3));
  return {
    training,
    all: cleaned(values),
    trainCount,
    full,
    naiveOnly,
    leftOut: lengths.filter((m) => trainCount < m + 3),
    isUndetected: isDetected && lengths.length === 0,
    /** Whether the mission says that there is no season; a step of months has one. */
    isPlain: trainCount < 50 && !isDetected && lengths.length === 0,
    ...originsOf(Math.max(work.horizon, work.holdout), trainCount, earliest),
    earliest,
    isRare: isRare(training.values),
    memory: Math.max(3000, 8 * Math.max(0, ...lengths)),
    /** The shortest season, or 1. */
    period: full[0] ?? naiveOnly[0] ?? 1,
  };
}

/** Returns the rolling origins. With `isCut`, paths end with the observations, and a step weighs the inverse of its number. */
function originsOf(wanted: number, trainCount: number, earliest: number) {
  const listed = (last: number, stride: number): number[] =>
    range(0, 24)
      .map((i) => last - (23 - i) * stride)
      .filter((start) => start >= earliest);
  const whole = Math.max(1, Math.min(wanted, trainCount >> 2, trainCount - earliest - 2));
  const step = Math.max(1, whole >> 1);
  const starts = listed(trainCount - whole, step);
  if (starts.length >= 12) return { pathSteps: whole, starts, stride: step, isCut: false };
  const room = trainCount - earliest;
  const stride = Math.ceil(room / 24);
  return { pathSteps: Math.min(wanted, room), starts: listed(trainCount - 1, stride), stride, isCut: true };
}

const plainNames = 'naive mean drift ses:alpha theta:alpha holt:alpha,beta damped:alpha,beta,phi'.split(' ').map((entry) => {
  const [name = '', parameters] = entry.split(':');
  return [name, parameters?.split(',') ?? []] as const;
});

/** Returns the names of the models that the result must contain, and of their parameters, in order of name. */
export function expectedModels(plan: Outline): ReadonlyMap<string, readonly string[]> {
  if (plan.isRare) return rareModels(plan);
  const rows = new Map<string, readonly string[]>(plainNames);
  const lags = lagsOf(plan).map((lag) => `lag_${lag}`);
  if (lags.length > 0) rows.set('autoregression', lags);
  for (const m of [...plan.full, ...plan.naiveOnly])
    rows.set(`seasonal-naive-${m}`, []).set(`weighted-seasonal-naive-${m}`, ['lambda']);
  const isPositive = plan.training.values.every((v) => v > 0);
  const forms = isPositive ? ['additive', 'multiplicative'] : ['additive'];
  if (plan.full.length === 0 && cycleOf(plan) > 0)
    for (const form of forms) for (const [name, parameters] of plainNames) rows.set(`${name}-difference-${form}`, parameters);
  for (const form of plan.full.length === 0 ? [] : forms) {
    for (const [name, parameters] of plainNames) rows.set(`${name}-${form}`, parameters);
    rows.set(`holt-winters-${form}`, ['alpha', 'beta', 'rho', ...plan.full.map((_, i) => `gamma${i + 1}`)]);
  }
  if (plan.isPlain) rows.set('optimised-theta', ['alpha', 'share']);
  if (plan.isPlain && isPositive) rows.set('local-global-trend', []);
  const tail = plan.full.length > 0 ? '-log-multiplicative' : '-log';
  if (isPositive) for (const name of ['damped', 'drift', 'holt', 'theta']) rows.set(name + tail, rows.get(name)!);
  return new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the season that has one cycle only but some differences from it; 0 for none. */
export const cycleOf = ({ full, naiveOnly, earliest }: Outline): number =>
  full.length === 0 && naiveOnly.length > 0 && Math.max(...naiveOnly) < earliest ? Math.max(...naiveOnly) : 0;

function rareModels({ full }: Outline): ReadonlyMap<string, readonly string[]> {
  const names = ['adida', 'croston', 'mean', 'sba', 'ses', 'tsb', ...(full.length > 0 ? ['mean-additive', 'ses-additive'] : [])];
  const parameters = (name: string): string[] => (name.startsWith('mean') ? [] : name === 'tsb' ? ['alpha', 'beta'] : ['alpha']);
  return new Map(names.sort().map((name) => [name, parameters(name)]));
}

function lagsOf({ full, earliest, trainCount, memory }: Outline): number[] {
  const all = [1, 2, 3, ...full.flatMap((m) => [m - 1, m, m + 1])];
  const [first] = full;
  if (first !== undefined) {
    const reach = Math.max(...full) + first;
    if (2 * first <= reach) all.push(2 * first - 1, 2 * first + 1);
    for (let lag = 2 * first; lag <= Math.min(8 * first, reach); lag += first) all.push(lag);
  }
  const lags = ascending(new Set(all)).filter((lag) => lag >= 1 && lag < earliest);
  while (lags.length > 0 && 4 * lags.length > Math.min(trainCount, memory) - lags.at(-1)!) lags.pop();
  return lags;
}

function addBusinessDays(date: Date, count: number): void {
  date.setUTCDate(date.getUTCDate() + 7 * Math.floor(count / 5));
  for (let left = count % 5; left > 0; left--) {
    do date.setUTCDate(date.getUTCDate() + 1);
    while (date.getUTCDay() === 0 || date.getUTCDay() === 6);
  }
}

/** Returns the dates of a mission, by the platform's calendar; nothing for a mission without them. */
export function expectedDates(work: ForecastWork): Record<string, readonly string[]> {
  const { observations, holdout, horizon } = work;
  if (work.start === null || work.step === null) return {};
  const dates = range(observations.length - holdout, observations.length + horizon).map(dateOfIndex(work));
  return { holdout_dates: dates.slice(0, holdout), forecast_dates: dates.slice(holdout) };
}

/** Returns the function that gives the date of an observation or of a step ahead; blank for a series without dates. */
export function dateOfIndex({ start, step }: ForecastWork): (index: number) => string {
  if (start === null || step === null) return () => '';
  const [year = 0, month = 0, day = 0] = start.slice(0, 10).split('-').map(Number);
  const isTimed = start.length > 10;
  const hour = isTimed ? Number(start.slice(11, 13)) : 0;
  return (index) => {
    const date = new Date(0);
    const months =
      step.count * index * ({ month: 1, month_end: 1, quarter: 3, year: 12 } as Record<string, number>)[step.unit]! || 0;
    const hours = step.count * index * ({ hour: 1, day: 24, week: 168 } as Record<string, number>)[step.unit]! || 0;
    date.setUTCFullYear(year, month + months, 0); // the last day of the month
    if (step.unit !== 'month_end') date.setUTCDate(Math.min(day, date.getUTCDate()));
    if (step.unit === 'business_day') addBusinessDays(date, step.count * index);
    date.setUTCHours(hour + hours);
    const text = date.toISOString();
    if (isTimed) return text.slice(0, 13) + start.slice(13);
    return step.unit === 'hour' ? `${text.slice(0, 13)}:00:00Z` : text.slice(0, 10);
  };
}
