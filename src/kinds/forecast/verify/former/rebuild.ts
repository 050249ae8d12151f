/** Rebuilds a result of version 1.0.0 from its parameters, as plain JSON. */
import { round12 } from '../../../../base/decimal.js';
import type { ForecastWork } from '../../work.js';
import type { Claimed, Claims } from '../claims.js';
import { expectedDates } from '../dates.js';
import type { Parameters } from '../plain.js';
import { holdoutRows, modelRows } from '../rows.js';
import { blend, chosen, factor, widths } from './bands.js';
import { pathOf } from './models.js';
import type { Expected, Outline } from './plan.js';

interface Scoring {
  readonly scores: readonly number[];
  readonly residuals: readonly (readonly number[])[];
}

export const before = (y: Float64Array, n: number, memory: number): Float64Array => y.slice(n > memory ? n - memory : 0, n);

export function rebuild(work: ForecastWork, plan: Outline, expected: Expected, claims: Claims): Record<string, unknown> {
  const names = [...expected.keys()];
  const { scores, residuals } = scoring(plan, names, claims);
  const shares = chosen(scores);
  const width = widths(residuals, plan.pathSteps, Math.max(work.horizon, work.holdout));
  const factors = work.levels.map((level) => ({ level, factor: factor(level, residuals, width.slice(0, plan.pathSteps)) }));
  const combine = (pick: (claim: Claimed) => Parameters, n: number, h: number): number[] => {
    const seen = before(plan.values, n, plan.memory);
    const paths = shares.map(({ index }) => {
      const name = names[index] ?? '';
      const claim = claims.get(name) ?? { parameters: {}, refit: null };
      return pathOf(name, pick(claim), seen, plan.full, h);
    });
    return blend(shares, paths, h).map(round12);
  };
  const holdout = combine((claim) => claim.parameters, plan.trainCount, work.holdout);
  const forecast = combine((claim) => claim.refit ?? {}, plan.values.length, work.horizon);
  const bands = (path: readonly number[]): { level: number; lower: number[]; upper: number[] }[] =>
    factors.map((f) => ({
      level: f.level,
      lower: path.map((v, k) => round12(v - f.factor * (width[k] ?? 0))),
      upper: path.map((v, k) => round12(v + f.factor * (width[k] ?? 0))),
    }));
  const train = plan.values.subarray(0, plan.trainCount);
  return {
    method: 'mean of the best few classical methods by rolling-origin error, weighted by its inverse square',
    models: modelRows(names, scores, shares, new Set(shares.map(({ index }) => index)), claims),
    training_scores: Object.fromEntries(names.map((name, i) => [name, scores[i]])),
    train_count: plan.trainCount,
    ...holdoutRows(
      work.observations.slice(plan.trainCount),
      train,
      plan.full[0] ?? plan.naiveOnly[0] ?? 1,
      holdout,
      bands(holdout),
    ),
    forecast,
    intervals: bands(forecast),
    diagnostics: diagnosed(plan, factors, width, work.horizon),
    ...expectedDates(work),
    unit: work.unit,
    limits: sentences(work, plan),
  };
}

function diagnosed(plan: Outline, factors: unknown, width: readonly number[], horizon: number): Record<string, unknown> {
  const seasons = [...plan.full, ...plan.naiveOnly];
  return {
    seasons,
    score_steps: plan.pathSteps,
    origins: plan.starts,
    window: plan.memory,
    mase_period: seasons[0] ?? 1,
    factors,
    spread_first: round12(width[0] ?? 0),
    spread_last: round12(width[horizon - 1] ?? 0),
  };
}

function scoring(plan: Outline, names: readonly string[], claims: Claims): Scoring {
  const { values, pathSteps: h } = plan;
  const paths = plan.starts.map((start) => {
    const seen = before(values, start, plan.memory);
    return names.map((name) => pathOf(name, claims.get(name)?.parameters ?? {}, seen, plan.full, h));
  });
  const errors = paths.map((row, i) =>
    row.map((path) => {
      let sum = 0;
      path.forEach((v, k) => {
        sum += Math.abs((values[(plan.starts[i] ?? 0) + k] ?? 0) - v);
      });
      return sum;
    }),
  );
  const without = (skip: number): number[] =>
    names.map((_, model) => {
      let sum = 0;
      errors.forEach((row, i) => {
        if (i !== skip) sum += row[model] ?? 0;
      });
      return round12(sum / ((errors.length - (skip >= 0 ? 1 : 0)) * h));
    });
  const residuals = paths.map((row, i) => {
    const shares = chosen(without(errors.length === 1 ? -1 : i));
    const mean = blend(
      shares,
      shares.map(({ index }) => row[index] ?? new Float64Array(h)),
      h,
    );
    return mean.map((v, k) => (values[(plan.starts[i] ?? 0) + k] ?? 0) - v);
  });
  return { scores: without(-1), residuals };
}

function sentences(work: ForecastWork, plan: Outline): string[] {
  const { pathSteps } = plan;
  const beyond = pathSteps < work.horizon || pathSteps < work.holdout;
  return [
    'The future is taken to resemble the past: no outside cause enters.',
    `Bands rest on ${plan.starts.length} rolling origins of ${pathSteps} steps.`,
    ...(beyond ? [`Bands beyond step ${pathSteps} widen with the square root of the step.`] : []),
    ...plan.naiveOnly.map((m) => `Season ${m}: too few cycles for more than the seasonal naive methods.`),
    ...plan.leftOut.map((m) => `Season ${m}: too long for the training observations, left out.`),
  ];
}
