/** A forecast: how good it was on what was held out, the fan chart, and the next values. */
import type { ForecastView } from '../../codec/results.js';
import { fanChart, shownBands } from './fan.js';
import { alike, figure, percent } from './figures.js';
import { facts, limitsFact, more, strip, type Fact } from './layout.js';
import type { Screen } from './screen.js';

const models_max = 6;

function modelsText({ models }: ForecastView): string {
  const used = models.filter(({ weight }) => weight > 0);
  const named = used.slice(0, models_max).map(({ name, weight }) => `${name} ${percent(weight)}`);
  const others = used.length - named.length;
  const worse = models.length - used.length;
  return [
    [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ') || 'none',
    ...(worse > 0 ? [`left out for a worse score: ${worse}`] : []),
  ].join('; ');
}

function factsOf(result: ForecastView): Fact[] {
  const { holdout_mae, holdout_mase, holdout_smape, baseline_mae, improvement, coverage, unit } = result;
  const better =
    improvement === null ? '' : improvement < 0 ? `, ${percent(-improvement)} worse` : `, ${percent(improvement)} better`;
  const scaled = `MASE ${holdout_mase === null ? 'undefined' : figure(holdout_mase, 4)}, sMAPE ${figure(holdout_smape, 4)} %`;
  const covered = coverage.map(({ level, share }) => `${figure(level)} % band held ${percent(share)}`);
  const all: readonly Fact[] = [
    [
      'holdout error',
      `${figure(holdout_mae, 4)} on average${better} than the last value (${figure(baseline_mae, 4)}); ${scaled}`,
    ],
    ['on the holdout', covered.join(', ')],
    ['models', modelsText(result)],
    ['unit', unit],
  ];
  return all.filter(([, value]) => value !== '');
}

function holdoutLines(
  { holdout_actual: actual, holdout_predictions: predicted, train_count }: ForecastView,
  screen: Screen,
): string[] {
  if (actual.length === 0) return [];
  const { lines, left } = strip([
    ['held out', actual.map((_, i) => String(train_count + i + 1))],
    ['actual', alike(actual)],
    ['predicted', alike(predicted)],
  ]);
  return [...lines, ...(left === 0 ? [] : [more(left, left === 1 ? 'step' : 'steps', screen)])];
}

function aheadLines({ forecast, intervals }: ForecastView, screen: Screen): string[] {
  if (forecast.length === 0) return [];
  const widest = shownBands(intervals)[0];
  const level = widest === undefined ? '' : figure(widest.level);
  const { lines, left } = strip([
    ['step', forecast.map((_, i) => `+${i + 1}`)],
    ['forecast', alike(forecast)],
    ...(widest === undefined
      ? []
      : [[`${level} % from`, alike(widest.lower)] as const, [`${level} % to`, alike(widest.upper)] as const]),
  ]);
  return [...lines, ...(left === 0 ? [] : [more(left, left === 1 ? 'step' : 'steps', screen)])];
}

/** `observations` is the whole series, where it is known; else what the result repeats of it. */
export function forecastPicture(result: ForecastView, observations: readonly number[] | null, screen: Screen): string[] {
  const history = observations ?? result.holdout_actual;
  const count = observations?.length ?? result.train_count + result.holdout_actual.length;
  return [
    ...facts(factsOf(result), screen),
    '',
    ...fanChart(result, history, count, screen),
    '',
    ...holdoutLines(result, screen),
    ...aheadLines(result, screen),
    '',
    ...facts(limitsFact(result.limits), screen),
  ];
}
