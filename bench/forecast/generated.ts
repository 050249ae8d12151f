/** Series as people bring them, generated from fixed seeds: each with its future and with the mean of the process over that future. */
import { prng } from '../../src/base/prng.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';

export interface GeneratedSeries {
  readonly observations: readonly number[];
  readonly future: readonly number[];
  /** The mean of the process at each step of the future. */
  readonly expected: readonly number[];
}

/** The dates of a series; without them the engine has to find a season by itself. */
export type Dated = Pick<ForecastWork, 'start' | 'step'>;

interface Shape {
  /** The length of the season that the simple methods are told, 1 for none. */
  readonly season: number;
  readonly dated: Dated;
  readonly horizon: number;
  readonly holdout: number;
}

export type Drawn = GeneratedSeries & Shape;

export interface Group extends Shape {
  readonly name: string;
  /** What errors are measured against: the values, or the mean of the process where the values are mostly chance. */
  readonly against: 'future' | 'expected';
  readonly draw: (random: Random, horizon: number) => GeneratedSeries;
}

/** Draws from the uniform, the standard normal and the Poisson distribution. */
export interface Random {
  readonly uniform: (from?: number, to?: number) => number;
  readonly normal: () => number;
  readonly poisson: (mean: number) => number;
}

export function randomOf(seed: number): Random {
  const random = prng(seed, 29);
  const unit = (): number => random.unit();
  return {
    uniform: (from = 0, to = 1) => from + (to - from) * unit(),
    // Box and Muller 1958.
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    // Knuth 1969, by multiplication.
    poisson: (mean) => {
      let count = 0;
      for (let product = unit(); product > Math.exp(-mean); product *= unit()) count++;
      return count;
    },
  };
}

/** Returns a series of `count` values and its future, from the mean of each step and a value drawn around it. */
function series(
  count: number,
  horizon: number,
  mean: (t: number) => number,
  value: (mean: number, t: number) => number,
): GeneratedSeries {
  const expected = Array.from({ length: count + horizon }, (_, t) => mean(t));
  const values = expected.map(value);
  return { observations: values.slice(0, count), future: values.slice(count), expected: expected.slice(count) };
}

/** Returns a smooth yearly course of one or two waves with a mean of 0 and an amplitude of about 1. */
function waves({ uniform }: Random, length: number): (t: number) => number {
  const [first, second, share] = [uniform(0, 6.28), uniform(0, 6.28), uniform(0, 0.5)];
  return (t) => (1 - share) * Math.sin((6.283185 * t) / length + first) + share * Math.sin((12.56637 * t) / length + second);
}

/** Level 100 with a slight trend, a season or none, and noise; some grow in proportion, some wander. */
function ordinary(random: Random, count: number, horizon: number, length: number, withoutSeason: number): GeneratedSeries {
  const { uniform, normal } = random;
  const wave = waves(random, length);
  const amplitude = uniform() < withoutSeason ? 0 : uniform(8, 40);
  const slope = uniform(-0.3, 0.6);
  const noise = uniform(2, 8);
  const wander = uniform() < 0.3 ? uniform(0.5, 2) : 0;
  const inProportion = uniform() < 0.4;
  let level = 100;
  const mean = (t: number): number => {
    level += slope + wander * normal();
    return inProportion ? level * (1 + (amplitude / 100) * wave(t)) : level + amplitude * wave(t);
  };
  return series(count, horizon, mean, (m) => m + noise * (inProportion ? m / 100 : 1) * normal());
}

/** Weekdays with their own means, as shops have them. */
function weekdays(random: Random, horizon: number): GeneratedSeries {
  const { uniform, normal } = random;
  const days = Array.from({ length: 7 }, () => uniform(0.6, 1.4));
  const flat = uniform() < 0.2;
  const [slope, noise] = [uniform(-0.1, 0.2), uniform(4, 15)];
  const mean = (t: number): number => (100 + slope * t) * (flat ? 1 : (days[t % 7] ?? 1));
  return series(120, horizon, mean, (m) => m + noise * normal());
}

function counts(random: Random, horizon: number): GeneratedSeries {
  const { uniform, poisson } = random;
  const wave = waves(random, 12);
  const [level, slope, amplitude] = [uniform(1.5, 12), uniform(-0.01, 0.02), uniform() < 0.5 ? 0 : uniform(0.2, 0.6)];
  return series(60, horizon, (t) => level * (1 + slope * t) * (1 + amplitude * wave(t)), poisson);
}

/** Demand with probability p, of a size that is one more than a Poisson count. */
export function intermittent({ uniform, poisson }: Random, horizon: number, p: number): GeneratedSeries {
  const size = uniform(0, 6);
  return series(
    120,
    horizon,
    () => p * (1 + size),
    () => (uniform() < p ? 1 + poisson(size) : 0),
  );
}

/** Noise around a level that moves 1 to 3 values before the end, and stays. */
export function stepped({ uniform, normal }: Random, horizon: number, after: number): GeneratedSeries {
  const count = 60;
  const noise = uniform(2, 6);
  const height = noise * uniform(6, 20) * (uniform() < 0.5 ? -1 : 1);
  return series(
    count,
    horizon,
    (t) => 150 + (t >= count - after ? height : 0),
    (m) => m + noise * normal(),
  );
}

const none = { start: null, step: null };
const from = (unit: NonNullable<ForecastWork['step']>['unit']): Dated => ({
  start: '2020-01-01',
  step: { unit, count: 1 },
});

export const groups: readonly Group[] = [
  {
    name: 'monthly, 24 to 48 values',
    season: 12,
    dated: from('month'),
    horizon: 12,
    holdout: 4,
    against: 'future',
    draw: (random, h) => ordinary(random, Math.round(random.uniform(24, 48)), h, 12, 0.2),
  },
  {
    name: 'weekly, 104 values',
    season: 52,
    dated: from('week'),
    horizon: 8,
    holdout: 8,
    against: 'future',
    draw: (random, h) => ordinary(random, 104, h, 52, 0.3),
  },
  { name: 'daily, 120 values', season: 7, dated: from('day'), horizon: 14, holdout: 14, against: 'future', draw: weekdays },
  { name: 'counts, 60 values', season: 12, dated: from('month'), horizon: 6, holdout: 6, against: 'expected', draw: counts },
  {
    name: 'intermittent, 120 values',
    season: 1,
    dated: none,
    horizon: 6,
    holdout: 6,
    against: 'expected',
    draw: (random, h) => intermittent(random, h, random.uniform(0.15, 0.6)),
  },
  {
    name: 'a step at the end, 60 values',
    season: 1,
    dated: none,
    horizon: 6,
    holdout: 6,
    against: 'expected',
    draw: (random, h) => stepped(random, h, 1 + Math.floor(random.uniform(0, 3))),
  },
];

export interface PromotedSeries extends GeneratedSeries {
  /** A value for each observation and each step of the future. */
  readonly promotions: readonly number[];
  /** What a promotion adds. */
  readonly effect: number;
}

/**
 * Returns a monthly, weekly or daily series with a trend, a season and errors that are independent, autocorrelated or a random walk with noise.
 * @param size the effect of a promotion, in standard deviations of the noise
 */
export function promoted(random: Random, horizon: number, { count, season }: PromotedShape, size: number): PromotedSeries {
  const { uniform, normal } = random;
  const wave = waves(random, season);
  const [amplitude, slope, noise, share] = [uniform(0, 30), uniform(-0.3, 0.6), uniform(2, 8), uniform(0.1, 0.3)];
  const [kind, phi] = [Math.floor(uniform(0, 3)), uniform(0.3, 0.9)];
  const promotions = Array.from({ length: count + horizon }, () => (uniform() < share ? 1 : 0));
  let [error, level] = [0, 100];
  const mean = (t: number): number => {
    if (kind === 1) error = phi * error + noise * normal();
    if (kind === 2) level += 0.5 * noise * normal();
    return level + slope * t + amplitude * wave(t) + error + size * noise * (promotions[t] ?? 0);
  };
  const drawn = series(count, horizon, mean, (m) => (kind === 1 ? m : m + noise * normal()));
  return { ...drawn, promotions, effect: size * noise };
}

export interface PromotedShape extends Pick<Group, 'name' | 'season' | 'dated'> {
  readonly count: number;
}

export const promotedShapes: readonly PromotedShape[] = [
  { name: 'monthly, 48 values', count: 48, season: 12, dated: from('month') },
  { name: 'weekly, 130 values', count: 130, season: 52, dated: from('week') },
  { name: 'daily, 120 values', count: 120, season: 7, dated: from('day') },
];
