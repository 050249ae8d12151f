/** Forecast accuracy and cost on the given part of the M4 series, compared with the goals, and on generated series. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prng } from '../src/base/prng.js';
import { unwrap } from '../src/base/result.js';
import type { ForecastWork } from '../src/kinds/forecast/work.js';
import { forecastEngine } from '../src/kinds/forecast/engine/engine.js';

export const name = 'engines-forecast';

const at = (list: readonly number[], i: number): number => list[i] ?? Number.NaN;

interface Series {
  readonly id: string;
  readonly train: readonly number[];
  readonly test: readonly number[];
}

interface Case {
  readonly file: string;
  readonly label: string;
  readonly seasons: readonly number[];
  /** The period of Naive2 and of MASE in the competition. */
  readonly period: number;
  readonly target: string;
}

const cases: readonly Case[] = [
  {
    file: 'm4-weekly-30.json',
    label: 'weekly',
    seasons: [52],
    period: 1,
    target: 'OWA ≤ 0.82, cover 0.93–0.98, MSIS ≤ 17.5, ≤ 100 ms',
  },
  {
    file: 'm4-hourly-30.json',
    label: 'hourly',
    seasons: [24, 168],
    period: 24,
    target: 'OWA ≤ 0.45, cover 0.93–0.98, MSIS ≤ 7.5, ≤ 100 ms',
  },
];

export async function run(print: (line: string) => void): Promise<void> {
  for (const each of cases) {
    const path = join(process.cwd(), '../shared/data/forecasting', each.file);
    if (!existsSync(path)) {
      print(`${each.label}: ../shared is absent, nothing measured`);
      continue;
    }
    const data = JSON.parse(readFileSync(path, 'utf8')) as { horizon: number; series: Series[] };
    measure(each, data.series, data.horizon, print);
  }
  for (const [label, value] of shapes) {
    const each = { file: '', label: `synthetic, ${label}`, seasons: [12], period: 12, target: 'OWA < 1 (1 on a random walk)' };
    measure(
      each,
      Array.from({ length: 10 }, (_, seed) => synthetic(seed, value)),
      synthetic_horizon,
      print,
    );
  }
  await Promise.resolve();
}

const synthetic_length = 192;
const synthetic_horizon = 12;

/** Returns the value at step t, given a state that a shape may change and a uniform draw of (−1, 1). */
type Shape = (t: number, noise: number, state: { level: number }) => number;

const wave = (t: number): number => Math.sin((2 * Math.PI * t) / 12);

const shapes: readonly (readonly [string, Shape])[] = [
  ['level and noise', (_, noise) => 500 + 40 * noise],
  ['trend', (t, noise) => 300 + 3 * t + 30 * noise],
  ['season of 12', (t, noise) => 600 + 150 * wave(t) + 30 * noise],
  ['trend and growing season', (t, noise) => (300 + 3 * t) * (1 + 0.3 * wave(t)) + 20 * noise],
  ['random walk', (_, noise, state) => (state.level += 15 * noise)],
  ['a step at three quarters', (t, noise) => (t < 135 ? 400 : 700) + 30 * noise],
];

function synthetic(seed: number, shape: Shape): Series {
  const random = prng(seed, 9);
  const state = { level: 1_000 };
  const values = Array.from({ length: synthetic_length }, (_, t) => Math.max(1, shape(t, 2 * random.unit() - 1, state)));
  const split = synthetic_length - synthetic_horizon;
  return { id: `seed-${seed}`, train: values.slice(0, split), test: values.slice(split) };
}

function measure(each: Case, series: readonly Series[], horizon: number, print: (line: string) => void): void {
  // The first call includes the compilation of the engine, so it is not that of a series.
  series.slice(0, 2).forEach((one) => void ours(one, each, horizon));
  const rows = series.map((one) => {
    const reference = naive2(one.train, each.period, horizon);
    const started = process.cpuUsage().user;
    const { forecast, lower, upper } = ours(one, each, horizon);
    return {
      ms: (process.cpuUsage().user - started) / 1_000,
      smape: smape(one.test, forecast),
      mase: mase(one, forecast, each.period),
      smape2: smape(one.test, reference),
      mase2: mase(one, reference, each.period),
      covered: one.test.filter((v, k) => v >= at(lower, k) && v <= at(upper, k)).length / horizon,
      msis: msis(one, lower, upper, each.period),
    };
  });
  const mean = (key: keyof (typeof rows)[number]): number => rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
  const owa = (mean('smape') / mean('smape2') + mean('mase') / mean('mase2')) / 2;
  const slowest = Math.max(...rows.map((row) => row.ms));
  print(`${each.label}: Naive2 sMAPE ${mean('smape2').toFixed(3)} MASE ${mean('mase2').toFixed(3)}`);
  print(
    `${each.label}: sMAPE ${mean('smape').toFixed(3)} MASE ${mean('mase').toFixed(3)} OWA ${owa.toFixed(3)} cover ${mean('covered').toFixed(3)} MSIS ${mean('msis').toFixed(2)}`,
  );
  print(`${each.label}: ${mean('ms').toFixed(0)} ms a series, slowest ${slowest.toFixed(0)} ms; to reach: ${each.target}`);
}

function ours(
  one: Series,
  each: Case,
  horizon: number,
): { forecast: readonly number[]; lower: readonly number[]; upper: readonly number[] } {
  const seasons = each.seasons.filter((m) => one.train.length - horizon >= 2 * m);
  const base = {
    kind: 'forecast',
    observations: [...one.train],
    horizon,
    holdout: horizon,
    season: 1,
    levels: [95],
    unit: 'units',
    start: null,
    step: null,
  } as const;
  const work: ForecastWork = { ...base, levels: [95], ...(seasons.length > 0 ? { seasons } : {}) };
  const effort = { max_evaluations: 10_000 };
  const input = { goal: 'bench', work, seed: 42, population: 20, generations: 12, effort, warm_start: null };
  const { result } = unwrap(forecastEngine.run(input, () => {}));
  const [band] = result.intervals;
  return { forecast: result.forecast, lower: band?.lower ?? [], upper: band?.upper ?? [] };
}

/** The competition's benchmark: naive on the seasonally adjusted series when the autocorrelation test at 90 % finds a season. */
function naive2(y: readonly number[], m: number, h: number): number[] {
  const index = m > 1 && isSeasonal(y, m) ? classicalIndices(y, m) : new Array<number>(m).fill(1);
  const n = y.length;
  const level = at(y, n - 1) / at(index, (n - 1) % m);
  return Array.from({ length: h }, (_, k) => level * at(index, (n + k) % m));
}

function isSeasonal(y: readonly number[], m: number): boolean {
  if (y.length < 3 * m) return false;
  const centre = y.reduce((sum, v) => sum + v, 0) / y.length;
  const total = y.reduce((sum, v) => sum + (v - centre) ** 2, 0);
  const r = Array.from(
    { length: m },
    (_, i) => y.slice(i + 1).reduce((sum, v, t) => sum + (v - centre) * (at(y, t) - centre), 0) / total,
  );
  const noise = r.slice(0, -1).reduce((sum, v) => sum + v * v, 0);
  return Math.abs(at(r, m - 1)) > 1.645 * Math.sqrt((1 + 2 * noise) / y.length);
}

/** Classical multiplicative decomposition as in R's decompose(). */
function classicalIndices(y: readonly number[], m: number): number[] {
  const half = m / 2;
  const sums = new Array<number>(m).fill(0);
  const counts = new Array<number>(m).fill(0);
  for (let t = half; t < y.length - half; t++) {
    let total = (at(y, t - half) + at(y, t + half)) / 2;
    for (let j = t - half + 1; j < t + half; j++) total += at(y, j);
    sums[t % m] = at(sums, t % m) + at(y, t) / (total / m);
    counts[t % m] = at(counts, t % m) + 1;
  }
  const raw = sums.map((s, i) => s / at(counts, i));
  const centre = raw.reduce((sum, v) => sum + v, 0) / m;
  return raw.map((v) => v / centre);
}

function smape(test: readonly number[], path: readonly number[]): number {
  return (
    test.reduce((sum, v, k) => sum + (200 * Math.abs(v - at(path, k))) / (Math.abs(v) + Math.abs(at(path, k))), 0) / test.length
  );
}

const scaleOf = (y: readonly number[], m: number): number =>
  y.slice(m).reduce((sum, v, t) => sum + Math.abs(v - at(y, t)), 0) / (y.length - m);

const mase = (one: Series, path: readonly number[], m: number): number =>
  one.test.reduce((sum, v, k) => sum + Math.abs(v - at(path, k)), 0) / one.test.length / scaleOf(one.train, m);

/** Mean scaled interval score at 95 % (Gneiting and Raftery 2007). */
function msis(one: Series, lower: readonly number[], upper: readonly number[], m: number): number {
  const score = one.test.reduce(
    (sum, v, k) => sum + at(upper, k) - at(lower, k) + 40 * Math.max(0, at(lower, k) - v) + 40 * Math.max(0, v - at(upper, k)),
    0,
  );
  return score / one.test.length / scaleOf(one.train, m);
}
