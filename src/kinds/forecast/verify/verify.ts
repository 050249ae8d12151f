/**
 * Checks what a reader of a forecast relies on, from the request and the recorded predictions. Whether the models were fitted and chosen
 * as the engine does is not checked here: for that, the result is computed again. Sums are in the order of time, so that values are compared
 * to the last digit.
 */
import * as t from 'io-ts';
import { datesOf, errorsOf } from '../figures.js';
import { round12 } from '../../../base/decimal.js';
import { claimsVerifier, isSame, need } from '../../claims.js';
import { finite, viewOf } from '../../view-fields.js';
import { forecastResult } from '../view.js';
import { filled } from '../gaps.js';
import type { ForecastWork, Observation } from '../work.js';

const outlier = t.type({ index: finite, value: finite, replacement: finite });

const claimed = t.type({
  ...forecastResult.props,
  models: t.array(t.type({ name: t.string, weight: finite, score: finite })),
  training_scores: t.record(t.string, finite),
  diagnostics: t.type({
    seasons: t.array(finite),
    mase_period: finite,
    outliers: t.array(outlier),
    training_outliers: t.array(outlier),
  }),
});

type ForecastClaims = t.TypeOf<typeof claimed>;

/** Weights are rounded to 12 digits, bounds to 15 and of counts to whole ones; widths differ by that much. */
const rounding = 1e-11;

/** Two bounds of counts, each rounded up or down by less than 1. */
const whole_slack = 2;

export const verifyForecast = claimsVerifier<ForecastWork>(({ work }, untrusted, passed) => {
  const result = viewOf(claimed, untrusted);
  need(result !== null, 'a member of the result is missing or has another form');
  counts(work, result);
  passed('unit, counts, the values held back and the levels are those of the request');
  models(result);
  passed('models by rising score, with weights of 1 in all');
  dates(work, result);
  if (work.start !== null) passed('the date of every step counted from the start');
  errors(work, result);
  passed('errors, baseline and improvement recomputed from the recorded predictions');
  effects(work, result);
  if (work.regressors !== undefined)
    passed('an effect for each regressor, within its interval, and applied where that leaves 0 out');
  bands(result);
  leanings(result);
  passed(
    work.regressors === undefined
      ? 'bands around the forecast, nested by level, and never narrower at a later step'
      : 'bands around the forecast, nested by level',
  );
});

function counts({ observations, holdout, horizon, unit, levels }: ForecastWork, result: ForecastClaims): void {
  const split = observations.length - holdout;
  need(result.unit === unit, 'unit is not that of the request');
  need(result.train_count === split, `train_count is not ${split}`);
  need(isSame(result.holdout_actual, observations.slice(split)), 'holdout_actual differs from the observations held back');
  need(result.holdout_predictions.length === holdout, `holdout_predictions does not hold ${holdout} values`);
  need(result.forecast.length === horizon, `forecast does not hold ${horizon} values`);
  for (const name of ['intervals', 'coverage'] as const) {
    const given = result[name].map(({ level }) => level);
    need(isSame(given, levels), `${name} does not hold the levels of the request`);
  }
}

function models({ models: rows, training_scores }: ForecastClaims): void {
  need(rows.length > 0, 'models is empty');
  need(
    rows.every((row, i) => i === 0 || row.score >= (rows[i - 1]?.score ?? 0)),
    'models are not in the order of their scores',
  );
  need(
    rows.every(({ weight }) => weight >= 0 && weight <= 1) &&
      Math.abs(rows.reduce((sum, { weight }) => sum + weight, 0) - 1) <= rounding * rows.length,
    'the weights of the models do not add up to 1',
  );
  const scores = new Map(rows.map(({ name, score }) => [name, score]));
  const given = Object.entries(training_scores);
  need(
    scores.size === rows.length && given.length === rows.length && given.every(([name, score]) => scores.get(name) === score),
    'training_scores are not those of the models',
  );
}

function dates(work: ForecastWork, result: ForecastClaims): void {
  const expected = datesOf(work);
  for (const name of ['holdout_dates', 'forecast_dates'] as const) {
    need((result[name] === undefined) === (work.start === null), `${name} are there if and only if the mission has a start`);
    need(isSame(result[name] ?? [], expected[name] ?? []), `${name} are not those of the steps`);
  }
}

/** Returns the values with the recorded replacements of outliers. A gap is none. */
function replaced(
  values: readonly Observation[],
  path: string,
  outliers: readonly t.TypeOf<typeof outlier>[],
): readonly Observation[] {
  const out = [...values];
  for (const [i, { index, value, replacement }] of outliers.entries()) {
    need(i === 0 || index > (outliers[i - 1]?.index ?? 0), `${path} are not in the order of time`);
    need(values[index] === value, `${path}[${i}] is not an observation`);
    out[index] = replacement;
  }
  return out;
}

function errors(work: ForecastWork, result: ForecastClaims): void {
  const { observations, seasons, season } = work;
  const { holdout_actual: actual, holdout_predictions: path, diagnostics } = result;
  replaced(observations, 'outliers', diagnostics.outliers);
  const train = replaced(observations.slice(0, result.train_count), 'training_outliers', diagnostics.training_outliers);
  const lengths = [...(seasons ?? []), ...(season === 'auto' ? [] : [season])];
  const isAsked = (length: number): boolean => lengths.length === 0 || lengths.includes(length);
  need(diagnostics.seasons.every(isAsked), 'diagnostics.seasons are not those of the request');
  const period = diagnostics.mase_period;
  need(period === (diagnostics.seasons[0] ?? 1), 'mase_period is not the shortest season');
  need(Number.isInteger(period) && period > 0 && period < train.length, 'mase_period does not fit the observations');
  const last = train.at(-1) ?? filled(observations.slice(0, train.length), work.gaps).at(-1) ?? 0;
  const expected = errorsOf(actual, path, { values: train, last, period });
  for (const name of ['holdout_mae', 'holdout_mase', 'holdout_smape', 'baseline_mae', 'improvement'] as const)
    need(result[name] === expected[name], `${name} is recomputed as ${expected[name]}`);
}

function effects({ regressors = {} }: ForecastWork, { effects: given = [] }: ForecastClaims): void {
  const names = Object.keys(regressors).sort((a, b) => (a < b ? -1 : 1));
  need(
    isSame(
      given.map(({ name }) => name),
      names,
    ),
    'effects are not those of the regressors of the request',
  );
  for (const { name, effect, lower, upper, applied } of given) {
    const isTold = effect !== null && lower !== null && upper !== null;
    need(isTold || (effect === null && lower === null && upper === null), `the effect of "${name}" has no interval`);
    need(!isTold || (lower <= effect && effect <= upper), `the interval does not hold the effect of "${name}"`);
    const isApplied = isTold && (lower > 0 || upper < 0);
    need((applied !== 0) === isApplied, `"${name}" is applied if and only if its interval leaves 0 out`);
    need(!isApplied || (applied / effect > 0 && applied / effect <= 1), `more of "${name}" is applied than its effect`);
  }
}

/** A band reaches as far below its forecast as above, or by the same difference at every step where a last value may be a step. */
function leanings({ forecast, intervals }: ForecastClaims): void {
  for (const { level, lower, upper } of intervals) {
    const isWhole = [...lower, ...upper].every(Number.isInteger);
    const largest = Math.max(...[...forecast, ...lower, ...upper].map(Math.abs));
    // A bound that is 0 is cut off there.
    const leans = forecast.flatMap((value, k) => (lower[k] === 0 ? [] : [value - (lower[k] ?? 0) - ((upper[k] ?? 0) - value)]));
    const differ = leans.length > 0 ? Math.max(...leans) - Math.min(...leans) : 0;
    need(
      differ <= rounding * largest + (isWhole ? 2 * whole_slack : 0),
      `the ${level} % band leans more at one step than at another`,
    );
  }
}

function bands({ forecast, intervals, effects: lifts = [], coverage, holdout_actual }: ForecastClaims): void {
  const byLevel = intervals.toSorted((a, b) => a.level - b.level);
  for (const [i, { level, lower, upper }] of byLevel.entries()) {
    need(lower.length === forecast.length && upper.length === forecast.length, `the ${level} % band has another length`);
    // A bound that is 0 because the series is never negative says nothing of the width below the forecast; bands that begin at 0
    // throughout may be quantiles of rare demand, whose width is the same at every step.
    const isClipped = lower.some((low) => low === 0);
    const isFromZero = lower.every((low) => low === 0);
    const isWhole = lower.every(Number.isInteger) && upper.every(Number.isInteger);
    // Each bound is rounded by a share of its own size, which may be that of an earlier step.
    let [widest, largest] = [0, isWhole ? whole_slack / rounding : 0];
    for (const [k, value] of forecast.entries()) {
      const [low, high] = [lower[k] ?? Number.NaN, upper[k] ?? Number.NaN];
      need(low <= value && value <= high, `the ${level} % band does not hold the forecast of step ${k + 1}`);
      const inner = byLevel[i - 1];
      const isNested = inner === undefined || (low <= (inner.lower[k] ?? 0) && high >= (inner.upper[k] ?? 0));
      need(isNested, `the ${level} % band does not hold the narrower one at step ${k + 1}`);
      largest = Math.max(largest, Math.abs(low) + Math.abs(high));
      const slack = rounding * (largest + widest);
      const width = isClipped ? high - value : high - low;
      // With regressors the width follows their values.
      need(
        isFromZero || lifts.length > 0 || width >= widest - slack,
        `the ${level} % band is narrower at step ${k + 1} than before`,
      );
      widest = Math.max(widest, width);
    }
  }
  const observed = holdout_actual.filter((value) => value !== null).length;
  const shares = coverage.toSorted((a, b) => a.level - b.level).map(({ share }) => share);
  for (const [i, share] of shares.entries()) {
    const inside = Math.round(share * observed);
    need(inside >= 0 && inside <= observed && share === round12(inside / observed), 'coverage is not a share of the holdout');
    need(i === 0 || share >= (shares[i - 1] ?? 0), 'coverage falls with the level');
  }
}
