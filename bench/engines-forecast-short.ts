/**
 * Forecasts of short series: the given part of the M3 competition beside the forecasts that were published for it, the coverage of
 * generated processes, a series with a wrong value, and exponential growth.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prng } from '../src/base/prng.js';
import { ours, resultOf } from './forecast/ours.js';
import { at, mase, msis, type Series, smape } from './forecast/scores.js';

export const name = 'engines-forecast-short';

interface Published extends Series {
  readonly theta: readonly number[];
  readonly forecastpro: readonly number[];
  readonly naive2: readonly number[];
}

interface Sample {
  readonly sets: Readonly<Record<string, { readonly season: number; readonly series: readonly Published[] }>>;
}

export async function run(print: (line: string) => void): Promise<void> {
  const path = join(process.cwd(), '../shared/data/forecasting/m3-sample.json');
  if (existsSync(path)) {
    const { sets } = JSON.parse(readFileSync(path, 'utf8')) as Sample;
    for (const [label, { season, series }] of Object.entries(sets)) competition(label, season, series, print);
  } else print('M3: ../shared is absent, nothing measured');
  for (const each of lengths) processes(each, print);
  wrongValue(print);
  growth(print);
  await Promise.resolve();
}

const holdout_share_max = 3;

/** Holds back as many values as are forecast, and a third of the series at most, as a mission must. */
const heldOut = (count: number, horizon: number): number => Math.min(horizon, Math.floor(count / holdout_share_max));

interface Scores {
  smape: number;
  mase: number;
}

function competition(label: string, season: number, series: readonly Published[], print: (line: string) => void): void {
  const rows = { ours: zero(), auto: zero(), theta: zero(), forecastpro: zero(), naive2: zero() };
  const add = (to: Scores, one: Published, path: readonly number[]): void => {
    to.smape += smape(one.test, path);
    to.mase += mase(one, path, season);
  };
  let [score, ms] = [0, 0];
  const covered = [0, 0, 0];
  for (const one of series) {
    const horizon = one.test.length;
    const holdout = heldOut(one.train.length, horizon);
    const fits = season * 2 <= one.train.length - holdout;
    const began = process.cpuUsage().user;
    const { forecast, intervals } = resultOf({ observations: one.train, horizon, holdout, season: fits ? season : 1, levels });
    ms += (process.cpuUsage().user - began) / 1_000;
    add(rows.ours, one, forecast);
    add(rows.auto, one, ours({ observations: one.train, horizon, holdout, season: 'auto' }).forecast);
    for (const peer of ['theta', 'forecastpro', 'naive2'] as const) add(rows[peer], one, one[peer]);
    intervals.forEach(({ lower, upper }, i) => {
      covered[i] = at(covered, i) + one.test.filter((v, k) => v >= at(lower, k) && v <= at(upper, k)).length / horizon;
    });
    score += msis(one, intervals[0]?.lower ?? [], intervals[0]?.upper ?? [], season);
  }
  const owa = ({ smape: s, mase: m }: Scores): string => ((s / rows.naive2.smape + m / rows.naive2.mase) / 2).toFixed(3);
  const mean = (sum: number, digits: number): string => (sum / series.length).toFixed(digits);
  print(
    `M3 ${label}, ${series.length} series, season ${season}: OWA ${owa(rows.ours)} (season "auto": ${owa(rows.auto)}), Theta ${owa(rows.theta)}, ForecastPro ${owa(rows.forecastpro)}, Naive2 1`,
  );
  print(
    `M3 ${label}: sMAPE ${mean(rows.ours.smape, 2)} MASE ${mean(rows.ours.mase, 3)}, cover ${mean(at(covered, 0), 3)} (80 %: ${mean(at(covered, 1), 3)}, 50 %: ${mean(at(covered, 2), 3)}) MSIS ${mean(score, 2)}, ${mean(ms, 0)} ms a series; to reach: OWA below Theta's, cover 0.92–0.98, MSIS ≤ 32 yearly, ≤ 9 monthly`,
  );
}

/** The level that is scored comes first. */
const levels = [95, 80, 50];

const zero = (): Scores => ({ smape: 0, mase: 0 });

const lengths = [
  { label: 'yearly', season: 1, counts: [20, 30, 45], horizon: 6 },
  { label: 'quarterly', season: 4, counts: [32, 48, 70], horizon: 8 },
  { label: 'monthly', season: 12, counts: [72, 110, 140], horizon: 18 },
] as const;

interface State {
  level: number;
  slope: number;
}

/** Returns the value at step t. `e` draws from the standard normal distribution; `wave` is the season, 0 without one. */
type Process = (t: number, e: () => number, state: State, wave: number) => number;

const known: Readonly<Record<string, Process>> = {
  'noise around a level': (_, e) => 100 + 10 * e(),
  'random walk': (_, e, s) => (s.level += 5 * e()),
  'random walk with drift': (_, e, s) => (s.level += 3 + 5 * e()),
  'autoregression 0.7': (_, e, s) => 100 + (s.level = 0.7 * s.level + 5 * e()),
  'trend and season': (t, e, _, wave) => 100 + 2 * t + 20 * wave + 8 * e(),
  'multiplicative season': (t, e, _, wave) => (200 + t) * (1 + 0.2 * wave) * (1 + 0.04 * e()),
  'local level': (_, e, s) => {
    const noise = 8 * e();
    const value = s.level + noise;
    s.level += 0.3 * noise;
    return value;
  },
  'local trend': (_, e, s) => {
    s.slope += 0.3 * e();
    return (s.level += s.slope + 3 * e());
  },
  'exponential growth': (_, e, s) => (s.level *= 1.02 + 0.03 * e()),
};

const seeds = 20;

function processes({ label, season, counts, horizon }: (typeof lengths)[number], print: (line: string) => void): void {
  const shares = Object.entries(known).map(([what, next]) => {
    let inside = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const count = counts[seed % counts.length] ?? counts[0];
      const all = drawn(next, seed, count + horizon, season);
      const observations = all.slice(0, count);
      const { lower, upper } = ours({ observations, horizon, holdout: heldOut(count, horizon), season });
      inside += all.slice(count).filter((v, k) => v >= at(lower, k) && v <= at(upper, k)).length / horizon / seeds;
    }
    return [what, inside] as const;
  });
  const mean = shares.reduce((sum, [, share]) => sum + share, 0) / shares.length;
  const each = shares.map(([what, share]) => `${what} ${share.toFixed(2)}`).join(', ');
  print(`generated ${label}: cover ${mean.toFixed(3)} (${each}); to reach: 0.92–0.98`);
}

function drawn(next: Process, seed: number, count: number, season: number): number[] {
  const random = prng(seed, 17);
  const normal = (): number => Array.from({ length: 12 }, () => random.unit()).reduce((sum, u) => sum + u, -6);
  const state = { level: 100, slope: 1 };
  return Array.from({ length: count }, (_, t) => next(t, normal, state, season > 1 ? Math.sin((2 * Math.PI * t) / season) : 0));
}

/** A value of 10^9 close to the end of a series around 100. */
function wrongValue(print: (line: string) => void): void {
  const clean = drawn(known['noise around a level'] ?? (() => 0), 5, 40, 1);
  const work = { horizon: 6, holdout: 6 };
  const band = ours({ observations: clean, ...work });
  for (const place of [2, 3, 8]) {
    const result = resultOf({ observations: clean.with(-place, 1e9), ...work });
    const inside = result.forecast.filter((v, k) => v >= at(band.lower, k) && v <= at(band.upper, k)).length;
    const named = result.diagnostics.outliers.map(({ index }) => index + 1).join(', ');
    print(
      `outlier of 10^9, value ${place} from the end: ${inside} of 6 steps within the clean band; named: observation ${named}`,
    );
  }
}

function growth(print: (line: string) => void): void {
  const { forecast } = resultOf({ observations: Array.from({ length: 24 }, (_, t) => 1.3 ** t), horizon: 6, holdout: 4 });
  print(`1.3^t: forecast to the true value ${forecast.map((v, k) => (v / 1.3 ** (24 + k)).toFixed(3)).join(', ')}`);
}
