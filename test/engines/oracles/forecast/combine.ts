/** A second combination of the methods, and its bands; it shares no code with the engine. */
import { round12 } from '../../../../src/base/decimal.js';
import { log, pow } from '../../../../src/base/math.js';
import type { Outline } from './read.js';

export interface Share {
  readonly index: number;
  readonly weight: number;
}

export function blend(shares: readonly Share[], paths: readonly Float64Array[], h: number): number[] {
  return Array.from({ length: h }, (_, k) => {
    let top = 0;
    let bottom = 0;
    shares.forEach(({ weight }, i) => {
      top += weight * (paths[i]?.[k] ?? 0);
      bottom += weight;
    });
    return top / bottom;
  });
}

export interface Choice {
  readonly shares: readonly Share[];
  /** Indices of the six. */
  readonly six: readonly number[];
  /** The median's part of the forecast. */
  readonly part: number;
}

const simple = ['damped', 'drift', 'holt', 'naive', 'ses', 'theta'] as const;

const inMiddle = (six: readonly number[]): number => {
  const sorted = [...six].sort((a, b) => a - b);
  return ((sorted[2] ?? 0) + (sorted[3] ?? 0)) / 2;
};

/** @param scores those of the models in order of name */
export function chosenBy(names: readonly string[], scores: readonly number[], trainCount: number): Choice {
  const ranked = names
    .map((name, index) => ({ score: scores[index] ?? 0, index, isLogged: /-log(-|$)/.test(name) }))
    .sort((a, b) => (a.score === b.score ? a.index - b.index : a.score - b.score));
  const logged = ranked.find(({ isLogged }) => isLogged);
  const plain = ranked.find(({ isLogged }) => !isLogged);
  const grows = logged !== undefined && logged.score * 1.25 < (plain?.score ?? 0);
  const few = (grows ? ranked : ranked.filter(({ isLogged }) => !isLogged)).slice(0, 6);
  const lowest = few[0]?.score ?? 0;
  const squares = few.map(({ score }) => (score > 0 ? (lowest / score) * (lowest / score) : 1));
  let total = 0;
  for (const v of squares) total += v;
  const six = sixOf(names, grows);
  const usual = inMiddle(six.map((index) => scores[index] ?? 0));
  const lead = usual > 0 && 2 * lowest < usual ? (2 * lowest) / usual : 1;
  return {
    shares: few.map(({ index }, i) => ({ index, weight: round12((squares[i] ?? 0) / total) })),
    six,
    part: trainCount < 500 ? round12(0.75 * (1 - trainCount / 500) * lead) : 0,
  };
}

function sixOf(names: readonly string[], grows: boolean): number[] {
  const form = ['-multiplicative', '-additive', ''].find((tail) => names.includes(`naive${tail}`)) ?? '';
  return simple.map((name) => {
    const logged = grows ? names.indexOf(`${name}-log${form}`) : -1;
    return logged < 0 ? names.indexOf(`${name}${form}`) : logged;
  });
}

/** Returns the indices of the models that the choice needs. */
export const neededFor = ({ shares, six, part }: Choice): Set<number> =>
  new Set([...shares.map(({ index }) => index), ...(part > 0 ? six : [])]);

/** @param pathBy the path of the model with an index */
export function combinedBy(choice: Choice, pathBy: (index: number) => Float64Array, h: number): number[] {
  const mean = blend(
    choice.shares,
    choice.shares.map(({ index }) => pathBy(index)),
    h,
  );
  if (choice.part === 0) return mean;
  const six = choice.six.map(pathBy);
  return mean.map((v, k) => (1 - choice.part) * v + choice.part * inMiddle(six.map((path) => path[k] ?? 0)));
}

/** A path of the combination from an origin. */
export interface Attempt {
  readonly start: number;
  readonly path: readonly number[];
}

export interface Width {
  readonly power: number;
  readonly widths: readonly number[];
  readonly factors: readonly { readonly level: number; readonly factor: number }[];
}

export function widthOf(
  plan: Outline,
  y: Float64Array,
  attempts: readonly Attempt[],
  levels: readonly number[],
  h: number,
): Width {
  const power = plan.isCut ? powerOf(y, plan.period) : 0;
  const here = recentMean(y, y.length, plan.period);
  const errors = attempts.map(({ start, path }) => {
    const scale = power > 0 ? pow(here / recentMean(y, start, plan.period), power) : 1;
    return path.slice(0, Math.min(plan.pathSteps, y.length - start)).map((v, k) => ((y[start + k] ?? 0) - v) * scale);
  });
  const widths = widthsOf(plan, errors, y.length, h);
  return { power, widths, factors: levels.map((level) => ({ level, factor: factorOf(plan, level, errors, widths, y.length) })) };
}

function widthsOf(plan: Outline, errors: readonly (readonly number[])[], n: number, h: number): number[] {
  const shape = (step: number): number => Math.sqrt(step * (1 + step / n));
  let top = 0;
  let bottom = 0;
  for (const row of errors) {
    row.forEach((e, k) => {
      top += Math.abs(e) / (shape(k + 1) * (k + 1));
      bottom += 1 / (k + 1);
    });
  }
  const level = top / bottom;
  const out: number[] = [];
  for (let k = 0; k < h; k++) {
    let sum = 0;
    let count = 0;
    for (const row of errors) {
      if (k >= row.length) continue;
      sum += Math.abs(row[k] ?? 0);
      count += 1;
    }
    const apart = (count * plan.stride) / Math.max(plan.stride, k + 1);
    const expected = level * shape(k + 1);
    const width = count === 0 ? expected : (apart * (sum / count) + 4 * expected) / (apart + 4);
    out.push(Math.max(out[k - 1] ?? 0, width));
  }
  return out;
}

function factorOf(
  plan: Outline,
  level: number,
  errors: readonly (readonly number[])[],
  widths: readonly number[],
  n: number,
): number {
  const ratios = errors.flatMap((row) => row.flatMap((e, k) => ((widths[k] ?? 0) > 0 ? [Math.abs(e) / (widths[k] ?? 0)] : [])));
  ratios.sort((a, b) => a - b);
  const count = Math.max(1, ratios.length);
  const seen = ratios[Math.min(count - 1, Math.ceil((level / 100) * count))] ?? 0;
  const expected = normalQuantile(level) / 0.797884560802865;
  const rows = errors.length;
  const apart = plan.isCut ? (rows * plan.stride) / Math.max(plan.stride, plan.pathSteps) : rows;
  const correction = plan.isCut ? 6 / (n - plan.earliest) : 5 / rows;
  return round12(((apart * seen + 6 * expected) / (apart + 6)) * (1 + correction));
}

/** Returns the mean of the values before index n, over a season and at least two. */
function recentMean(y: Float64Array, n: number, period: number): number {
  const count = period < 2 ? 2 : period;
  let sum = 0;
  for (let back = count; back > 0; back--) sum += y[n - back] ?? 0;
  return sum / count;
}

/** Returns the slope of log change over log level, shrunk and kept within 0 and 1; 0 for a series that is not positive. */
function powerOf(y: Float64Array, period: number): number {
  if (y.some((v) => !(v > 0))) return 0;
  const points: { readonly x: number; readonly z: number }[] = [];
  for (let t = period; t < y.length; t++) {
    const change = Math.abs((y[t] ?? 0) - (y[t - period] ?? 0));
    if (change > 0) points.push({ x: log(recentMean(y, t + 1, period)), z: log(change) });
  }
  if (points.length < 3) return 0;
  let sumX = 0;
  let sumZ = 0;
  for (const { x, z } of points) {
    sumX += x;
    sumZ += z;
  }
  const [meanX, meanZ] = [sumX / points.length, sumZ / points.length];
  let top = 0;
  let bottom = 0;
  for (const { x, z } of points) {
    top += (x - meanX) * (z - meanZ);
    bottom += (x - meanX) * (x - meanX);
  }
  return round12(Math.min(1, Math.max(0, top / (bottom + 6))));
}

/** Returns z with P(|Z| ≤ z) = level/100, after Abramowitz and Stegun 26.2.23. */
export function normalQuantile(level: number): number {
  const t = Math.sqrt(-2 * log((1 - level / 100) / 2));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
