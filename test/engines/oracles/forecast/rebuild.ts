/** Rebuilds a forecast from the fitted parameters that it names, with a second combination and second bands. */
import assert from 'node:assert/strict';
import { round12, round15 } from '../../../../src/base/decimal.js';
import { log, pow } from '../../../../src/base/math.js';
import type { ForecastResult } from '../../../../src/kinds/forecast/result.js';
import type { ForecastWork } from '../../../../src/kinds/forecast/work.js';
import { type Parameters, pathOf } from './paths.js';
import { ascending, cycleOf, dateOfIndex, expectedDates, expectedModels, type Outline, outline, sum } from './read.js';

const middle = (values: readonly number[]): number => {
  const sorted = ascending(values);
  const upper = sorted[sorted.length >> 1]!;
  return sorted.length % 2 === 1 ? upper : (sorted[sorted.length / 2 - 1]! + upper) / 2;
};

type Choice = ReturnType<typeof chosenBy>;

/** Returns the names of the methods of the median: none on a series of rare demand. */
function committee(names: readonly string[], grows: boolean): readonly string[] {
  if (!names.includes('naive')) return [];
  const differences = names.find((name) => name.startsWith('naive-difference'));
  if (differences !== undefined) {
    const form = names.includes('naive-difference-multiplicative') ? 'multiplicative' : 'additive';
    const naive = names.find((name) => name.startsWith('seasonal-naive'))!;
    return [naive, ...['mean', 'ses', 'damped'].map((name) => `${name}-difference-${form}`)];
  }
  const form = ['-multiplicative', '-additive', ''].find((tail) => names.includes(`naive${tail}`))!;
  const fitted = names.filter((name) => name === 'optimised-theta');
  return ['naive', 'drift', 'ses', 'holt', 'damped', 'theta', ...fitted].map((name) => {
    const logged = `${name}-log${form}`;
    return grows && names.includes(logged) ? logged : `${name}${form}`;
  });
}

/** Returns the shares of the best few models, the members of the median, and its part. @param scores in order of name */
function chosenBy(names: readonly string[], scores: readonly number[], trainCount: number) {
  const ranked = names.map((name, index) => ({ score: scores[index]!, index, isLogged: /-log(-|$)/.test(name) }));
  ranked.sort((a, b) => a.score - b.score || a.index - b.index);
  const best = (isLogged: boolean): number => ranked.find((one) => one.isLogged === isLogged)?.score ?? Infinity;
  const grows = best(true) * 1.25 < best(false);
  const trend = names.indexOf('local-global-trend');
  const few = ranked.filter(({ index, isLogged }) => index !== trend && (grows || !isLogged)).slice(0, 6);
  const lowest = few[0]!.score;
  const squares = few.map(({ score }) => (score > 0 ? (lowest / score) * (lowest / score) : 1));
  const simple = committee(names, grows).map((name) => names.indexOf(name));
  const usual = simple.length === 0 ? 0 : middle(simple.map((index) => scores[index]!));
  const lead = usual > 0 && 2 * lowest < usual ? (2 * lowest) / usual : 1;
  const shares = few.map(({ index }, i) => ({ index, weight: round12(squares[i]! / sum(squares)) }));
  const [most, until] = names.includes('optimised-theta') ? [0.9, 200] : [0.75, 500];
  const part = simple.length > 0 && trainCount < until ? round12(most * (1 - trainCount / until) * lead) : 0;
  if (trend < 0) return { shares, simple, part };
  // Half of the forecast, or less, is the trend's: it is a member of the mean, which shares the rest with the median as before.
  const less = round12(part * (1 - lead / 2));
  const own = lead / 2 / (1 - less);
  const others = shares.map(({ index, weight }) => ({ index, weight: round12(weight * (1 - own)) }));
  return { shares: [...others, { index: trend, weight: round12(own) }], simple, part: less };
}

/** @param pathBy the path of the model with an index */
function combinedBy({ shares, simple, part }: Choice, pathBy: (index: number) => Float64Array, h: number): number[] {
  const paths = shares.map(({ index, weight }) => ({ weight, path: pathBy(index) }));
  const bottom = sum(shares.map(({ weight }) => weight));
  const mean = Array.from({ length: h }, (_, k) => sum(paths.map(({ weight, path }) => weight * path[k]!)) / bottom);
  const others = part === 0 ? [] : simple.map(pathBy);
  return part === 0 ? mean : mean.map((v, k) => (1 - part) * v + part * middle(others.map((path) => path[k]!)));
}

/** A path of the combination from an origin. */
interface Attempt {
  readonly start: number;
  readonly path: readonly number[];
}

type Width = ReturnType<typeof widthOf>;

function widthOf(plan: Outline, y: Float64Array, attempts: readonly Attempt[], levels: readonly number[], h: number) {
  const power = plan.isCut ? powerOf(y, plan.period) : 0;
  const here = recentMean(y, y.length, plan.period);
  const errors = attempts.map(({ start, path }) => {
    const scale = power > 0 ? pow(here / recentMean(y, start, plan.period), power) : 1;
    return path.slice(0, Math.min(plan.pathSteps, y.length - start)).map((v, k) => (y[start + k]! - v) * scale);
  });
  const cycle = plan.full.length === 0 ? Math.max(1, ...plan.naiveOnly) : 1;
  const walk = (step: number): number => {
    const cycles = 1 + (step - 1) / cycle;
    return Math.sqrt(cycles * (1 + cycles / y.length));
  };
  const atStep = (k: number): number[] => errors.filter((row) => k < row.length).map((row) => Math.abs(row[k]!));
  const separate = (count: number, k: number): number => (count * plan.stride) / Math.max(plan.stride, k + 1);
  const first = log(sum(atStep(0)) / atStep(0).length);
  const steps = Array.from({ length: plan.pathSteps }, (_, k) => ({ k, seen: atStep(k) }));
  const growing = steps.filter(({ seen }) => sum(seen) > 0 && Number.isFinite(first));
  const rises = growing.map(({ k, seen }) => {
    const [x, weight] = [log(walk(k + 1)), separate(seen.length, k) / (k + 1)];
    return [weight * x * (log(sum(seen) / seen.length) - first), weight * x * x] as const;
  });
  const bend = Math.min(1, Math.max(0, sum([6, ...rises.map(([top]) => top)]) / sum([6, ...rises.map(([, bottom]) => bottom)])));
  const shape = (step: number): number => pow(walk(step), bend);
  const level =
    sum(steps.map(({ k, seen }) => sum(seen) / (shape(k + 1) * (k + 1)))) /
    sum(steps.map(({ k, seen }) => seen.length / (k + 1)));
  const widths: number[] = [];
  for (let k = 0; k < h; k++) {
    const seen = atStep(k);
    const apart = separate(seen.length, k);
    const expected = level * shape(k + 1);
    const width = seen.length === 0 ? expected : (apart * (sum(seen) / seen.length) + 4 * expected) / (apart + 4);
    widths.push(Math.max(widths[k - 1] ?? 0, width));
  }
  const ratios = ascending(errors.flatMap((row) => row.flatMap((e, k) => (widths[k]! > 0 ? [Math.abs(e) / widths[k]!] : []))));
  const apart = plan.isCut ? separate(errors.length, plan.pathSteps - 1) : errors.length;
  const pairs = errors.map((row) => {
    const units = row.flatMap((e, k) => (widths[k]! > 0 ? [e / widths[k]!] : []));
    const [whole, squares] = [sum(units), sum(units.map((e) => e * e))];
    return [whole * whole - squares, (units.length - 1) * squares] as const;
  });
  const possible = sum(pairs.map(([, most]) => most));
  const lasting = possible > 0 ? Math.min(1, Math.max(0, sum(pairs.map(([found]) => found)) / possible)) : 0;
  const correction = (plan.isCut ? 3.5 / (y.length - 4) : 0.1) + 0.15 * lasting;
  const factorOf = (wanted: number): number => {
    const seen = ratios[Math.min(ratios.length - 1, Math.ceil((wanted / 100) * ratios.length))] ?? 0;
    const expected = normalQuantile(wanted) / 0.797884560802865;
    const [part, whole] = [wanted, 95].map((one) => 1 + normalQuantile(one) * normalQuantile(one));
    return round12((1 + (correction * part!) / whole!) * ((apart * seen + 6 * expected) / (apart + 6)));
  };
  return { power, widths, factors: levels.map((one) => ({ level: one, factor: factorOf(one) })) };
}

/** Returns the mean of the values before index n, over a season and at least two. */
const recentMean = (y: Float64Array, n: number, period: number): number => {
  const count = Math.max(2, period);
  return sum(y.subarray(n - count, n)) / count;
};

/** Returns the slope of log change over log level, shrunk and kept within 0 and 1; 0 for a series that is not positive. */
function powerOf(y: Float64Array, period: number): number {
  if (y.some((v) => !(v > 0))) return 0;
  const points = Array.from(y, (v, t) => ({ t, change: Math.abs(v - y[t - period]!) })).filter(({ change }) => change > 0);
  if (points.length < 3) return 0;
  const [xs, zs] = [points.map(({ t }) => log(recentMean(y, t + 1, period))), points.map(({ change }) => log(change))];
  const [meanX, meanZ] = [sum(xs) / xs.length, sum(zs) / zs.length];
  const top = sum(xs.map((x, i) => (x - meanX) * (zs[i]! - meanZ)));
  const bottom = sum(xs.map((x) => (x - meanX) * (x - meanX)));
  return round12(Math.min(1, Math.max(0, top / (bottom + 6))));
}

/** Returns z with P(|Z| ≤ z) = level/100, after Abramowitz and Stegun 26.2.23. */
function normalQuantile(level: number): number {
  const t = Math.sqrt(-2 * log((1 - level / 100) / 2));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/** A model's fitted parameters: on the training data, and on all observations. */
type Fits = ReadonlyMap<string, { readonly parameters: Parameters; readonly refit: Parameters | null }>;

/** Returns the whole result that the parameters in `given` lead to. @throws when `given` has other models or parameters */
export function rebuilt(work: ForecastWork, given: ForecastResult): Record<string, unknown> {
  const plan = outline(work);
  const expected = expectedModels(plan);
  const fits: Fits = new Map(given.models.map((row) => [row.name, row]));
  for (const [name, names] of expected) {
    const { parameters, refit } = fits.get(name)!;
    for (const each of [parameters, refit ?? parameters]) assert.deepEqual(Object.keys(each).sort(), names.toSorted(), name);
  }
  return rebuild(work, plan, [...expected.keys()], fits);
}

function rebuild(work: ForecastWork, plan: Outline, names: readonly string[], fits: Fits): Record<string, unknown> {
  const { training, all, trainCount } = plan;
  const { scores, attempts } = scoring(plan, names, fits);
  const choice = chosenBy(names, scores, trainCount);
  const { shares, simple, part } = choice;
  const combine = (member: 'parameters' | 'refit', y: Float64Array, h: number): number[] => {
    const pathBy = (i: number): Float64Array =>
      pathOf(names[i]!, fits.get(names[i]!)![member] ?? {}, y.slice(-plan.memory), plan.full, h, cycleOf(plan));
    return combinedBy(choice, pathBy, h);
  };
  const kept = (series: Outline['all'], path: readonly number[]): number[] =>
    path.map((v) => round15(Math.min(...believed(series)) >= 0 ? Math.max(0, v) : v));
  const holdout = kept(training, combine('parameters', training.values, work.holdout));
  const forecast = kept(all, combine('refit', all.values, work.horizon));
  const longest = Math.max(work.horizon, work.holdout);
  const held = widthOf(plan, training.values, attempts, work.levels, longest);
  const step = Math.max(plan.stride, Math.ceil(work.holdout / 24));
  const later = Array.from({ length: Math.ceil(work.holdout / step) }, (_, i): Attempt => {
    const start = trainCount + i * step;
    return { start, path: combine('parameters', all.values.slice(0, start), plan.pathSteps) };
  });
  const moved = attempts.map(({ start, path }): Attempt => {
    const shift = start - 1 < all.step.index ? all.step.shift : 0;
    const before = start - 1 < training.step.index ? training.step.shift : 0;
    return { start, path: path.map((v) => v + (shift - before)) };
  });
  const ahead = widthOf(plan, all.values, [...moved, ...later], work.levels, longest);
  const used = new Set([...shares.map(({ index }) => index), ...(part > 0 ? simple : [])]);
  const models = names.map((name, i) => {
    const { parameters, refit } = fits.get(name)!;
    const weight = shares.find(({ index }) => index === i)?.weight ?? 0;
    return { name, weight, score: scores[i]!, parameters, refit: used.has(i) ? refit : null };
  });
  return {
    method:
      'mean of the best few classical methods by rolling-origin error, weighted by its inverse square; on short series also the median of simple methods',
    models: models.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1)),
    training_scores: Object.fromEntries(names.map((name, i) => [name, scores[i]])),
    train_count: trainCount,
    ...holdoutRows(
      work.observations.slice(trainCount).map((value) => value ?? assert.fail('a gap')),
      training.observed,
      plan.period,
      holdout,
      around(held, holdout, training, plan.isRare),
    ),
    forecast,
    intervals: around(ahead, forecast, all, plan.isRare),
    diagnostics: {
      seasons: [...plan.full, ...plan.naiveOnly],
      score_steps: plan.pathSteps,
      origins: plan.starts,
      window: plan.memory,
      mase_period: plan.period,
      median_share: part,
      median_of: part > 0 ? simple.map((i) => names[i]) : [],
      level_power: ahead.power,
      factors: ahead.factors,
      holdout_factors: held.factors,
      spread_first: round12(ahead.widths[0]!),
      spread_last: round12(ahead.widths[work.horizon - 1]!),
      outliers: all.outliers,
      training_outliers: training.outliers,
      ...(all.step.index > 0 ? { level_shift: all.step } : {}),
    },
    ...expectedDates(work),
    unit: work.unit,
    limits: sentences(work, plan),
  };
}

/** Returns the observations that are no outliers. */
const believed = ({ observed, outliers }: Outline['all']): Float64Array =>
  observed.filter((_, t) => outliers.every(({ index }) => index !== t));

/** Returns the bands: quantiles for rare demand, whole numbers for counts, nothing negative around what never was. */
function around({ factors, widths }: Width, path: readonly number[], series: Outline['all'], isRare: boolean) {
  const { observed, step } = series;
  const isNonnegative = Math.min(...believed(series)) >= 0;
  const isWhole = isNonnegative && believed(series).every(Number.isInteger);
  const isDoubted = step.index > 0 && step.index === observed.length - 1;
  const doubt = isDoubted ? step.shift : 0;
  const apart = isDoubted ? Math.max(...path.map((v) => Math.abs(observed.at(-1)! - v))) : 0;
  const sorted = ascending(observed);
  return factors.map(({ level, factor }) => {
    const bounds = path.map((v, k): readonly [number, number] => {
      if (isRare && isNonnegative) {
        const rank = Math.min(sorted.length, Math.ceil((level / 100) * (sorted.length + 1)));
        const most = Math.max(sorted[rank - 1]!, v);
        return [0, isWhole ? Math.ceil(most) : most];
      }
      const error = apart + factor * widths[k]!;
      const half = error > 0 ? Math.max(error, 1e-14 * Math.abs(v)) : 0;
      const below = v - half - Math.max(0, doubt);
      const above = v + half - Math.min(0, doubt);
      const least = isNonnegative ? Math.max(0, below) : below;
      if (isWhole) return [Math.min(Math.floor(v), Math.round(least)), Math.max(Math.ceil(v), Math.round(above))];
      return [round15(least), round15(above)];
    });
    return { level, lower: bounds.map(([low]) => low), upper: bounds.map(([, high]) => high) };
  });
}

/** Returns the scores, and the combination from each origin, chosen without it. */
function scoring(plan: Outline, names: readonly string[], fits: Fits) {
  const { starts, pathSteps: h, trainCount } = plan;
  const train = plan.training.values;
  const paths = starts.map((start) => {
    const seen = train.slice(Math.max(0, start - plan.memory), start);
    return names.map((name) => pathOf(name, fits.get(name)!.parameters, seen, plan.full, h, cycleOf(plan)));
  });
  const weightsOf = (start: number): number[] =>
    Array.from({ length: Math.min(h, trainCount - start) }, (_, k) => (plan.isCut ? 1 / (k + 1) : 1));
  const errors = starts.map((start, i) =>
    paths[i]!.map((path) => {
      const off = weightsOf(start).map((w, k) => [w, train[start + k]! - path[k]!] as const);
      const all = sum(off.map(([, e]) => e));
      return plan.isRare ? all * all : sum(off.map(([w, e]) => w * Math.abs(e)));
    }),
  );
  const without = (skip: number): number[] => {
    const used = [...starts.keys()].filter((i) => i !== skip);
    const total = sum(used.map((i) => sum(weightsOf(starts[i]!))));
    return names.map((_, model) => {
      const mean = sum(used.map((i) => errors[i]![model]!)) / total;
      return Math.min(1e300, round12(plan.isRare ? Math.sqrt(mean) : mean));
    });
  };
  const attempts = paths.map((row, i): Attempt => {
    const choice = chosenBy(names, without(starts.length === 1 ? -1 : i), trainCount);
    return { start: starts[i]!, path: combinedBy(choice, (index) => row[index]!, h) };
  });
  return { scores: without(-1), attempts };
}

function sentences(work: ForecastWork, { pathSteps, isCut, starts, all, ...plan }: Outline): string[] {
  const { outliers, step } = all;
  const more = outliers.length - 3;
  const isQuantile = plan.isRare && Math.min(...believed(all)) >= 0;
  const named = outliers
    .slice(0, 3)
    .map(
      (o) =>
        `Observation ${numbered(work, o.index)} (${o.value}) is an outlier: the forecast takes ${o.replacement} in its place.`,
    );
  return [
    'The future is taken to resemble the past: no outside cause enters.',
    isQuantile
      ? 'Demand is rare: at every step the bands go from 0 to a quantile of the observed values, and at least to the forecast.'
      : `Bands rest on ${starts.length} rolling origins of ${isCut ? 'up to ' : ''}${pathSteps} steps and on the holdout.`,
    ...(!isQuantile && pathSteps < Math.max(work.horizon, work.holdout)
      ? [`Bands beyond step ${pathSteps} widen further as the errors up to it do.`]
      : []),
    ...(plan.isUndetected
      ? [
          `No season was found: the series is forecast without one. Give "season"${work.step === null ? ', or "start" and "step",' : ''} where there is one.`,
        ]
      : []),
    ...plan.naiveOnly.map((m) => `Season ${m}: too few cycles for an index: it is taken from the cycle before.`),
    ...plan.leftOut.map((m) => `Season ${m}: too long for the training observations, left out.`),
    ...named,
    ...(more > 0 ? [`${more} more ${more === 1 ? 'observation is an outlier' : 'observations are outliers'} and replaced.`] : []),
    ...(step.index === 0 ? [] : [stepSentence(work, all)]),
  ];
}

const numbered = (work: ForecastWork, index: number): string =>
  [index + 1, dateOfIndex(work)(index)].filter(Boolean).join(' on ');

const stepSentence = (work: ForecastWork, { step: { index, shift }, isOutlierLast }: Outline['all']): string =>
  index + 1 < work.observations.length
    ? `The level moves at observation ${numbered(work, index)}, by ${shift}, and stays: earlier values are taken at the new level.`
    : `Observation ${numbered(work, index)} (${work.observations[index]}) stands far from the three before it: one value cannot tell a step from a wrong value. The forecast takes it as a step, and the bands hold both; ${isOutlierLast ? '"outliers": "replace" takes it as wrong' : 'if it is wrong, leave it out'}.`;

/** Returns the measures of the holdout. @param train the training values that its scale and baseline come from @param m the period of MASE */
function holdoutRows(
  actual: readonly number[],
  train: Float64Array,
  m: number,
  path: readonly number[],
  bands: ReturnType<typeof around>,
) {
  const meanOf = (f: (v: number, k: number) => number): number => sum(actual.map(f)) / actual.length;
  const mae = round12(meanOf((v, k) => Math.abs(v - path[k]!)));
  const baseline = round12(meanOf((v) => Math.abs(v - train.at(-1)!)));
  const scale = sum(train.subarray(m).map((v, t) => Math.abs(v - train[t]!))) / (train.length - m);
  const percentage = (v: number, f: number): number =>
    v === 0 && f === 0 ? 0 : (200 * Math.abs(v - f)) / (Math.abs(v) + Math.abs(f));
  return {
    holdout_actual: actual,
    holdout_predictions: path,
    holdout_mae: mae,
    holdout_mase: scale > 0 ? round12(mae / scale) : null,
    holdout_smape: round12(meanOf((v, k) => percentage(v, path[k]!))),
    baseline_mae: baseline,
    improvement: baseline > 0 ? round12(1 - mae / baseline) : null,
    coverage: bands.map(({ level, lower, upper }) => {
      const inside = actual.filter((v, k) => lower[k]! <= v && v <= upper[k]!).length;
      return { level, share: round12(inside / actual.length) };
    }),
  };
}
