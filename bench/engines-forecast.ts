/** Forecast accuracy and cost on the given part of the M4 series, compared with the goals, and on generated series. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prng } from '../src/base/prng.js';
import { ours, type Band } from './forecast/ours.js';
import { at, mase, msis, naive2, type Series, smape } from './forecast/scores.js';

export const name = 'engines-forecast';

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
  series.slice(0, 2).forEach((one) => void bandOf(one, each, horizon));
  const rows = series.map((one) => {
    const reference = naive2(one.train, each.period, horizon);
    const started = process.cpuUsage().user;
    const { forecast, lower, upper } = bandOf(one, each, horizon);
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

function bandOf(one: Series, each: Case, horizon: number): Band {
  const seasons = each.seasons.filter((m) => one.train.length - horizon >= 2 * m);
  const given = seasons.length > 0 ? { seasons } : {};
  return ours({ observations: one.train, horizon, holdout: horizon, ...given });
}
