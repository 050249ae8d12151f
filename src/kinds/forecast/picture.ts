/** Draws a forecast: its accuracy on the holdout, the fan chart, and the next values. */
import { forecastRequest, forecastResult, type ForecastView } from './view.js';
import { fanChart, shownBands } from './fan.js';
import { alike, figure, percent } from '../../pictures/figures.js';
import { apart, facts, limitsFact, more, strip, type Fact } from '../../pictures/layout.js';
import type { Screen } from '../../pictures/screen.js';
import { viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';

const models_max = 5;

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
  const compared =
    improvement === null
      ? 'where the last value makes no error'
      : `${percent(Math.abs(improvement))} ${improvement < 0 ? 'worse' : 'better'} than the last value's ${figure(baseline_mae, 4)}`;
  const scaled = `${holdout_mase === null ? 'no MASE' : `MASE ${figure(holdout_mase, 4)}`}, sMAPE ${figure(holdout_smape, 4)} %`;
  const covered = coverage.map(({ level, share }) => `${figure(level)} % band held ${percent(share)}`);
  const all: readonly Fact[] = [
    ['holdout error', `${figure(holdout_mae, 4)}, ${compared}; ${scaled}`],
    ['on the holdout', covered.join(', ')],
    ['models', modelsText(result)],
    ['unit', unit],
  ];
  return all.filter(([, value]) => value !== '');
}

function holdoutLines({ holdout_actual, holdout_predictions, train_count }: ForecastView, screen: Screen): string[] {
  if (holdout_actual.length === 0) return [];
  const [actual = [], predicted = []] = alike([holdout_actual, holdout_predictions]);
  const { lines, left } = strip(
    [
      ['held out', actual.map((_, i) => String(train_count + i + 1))],
      ['actual', actual],
      ['predicted', predicted],
    ],
    screen,
  );
  return [...lines, ...(left === 0 ? [] : [more(left, left === 1 ? 'step' : 'steps', screen)])];
}

function aheadLines({ forecast, intervals }: ForecastView, screen: Screen): string[] {
  if (forecast.length === 0) return [];
  const widest = shownBands(intervals)[0];
  const level = widest === undefined ? '' : figure(widest.level);
  const [ahead = [], lower = [], upper = []] = alike([forecast, widest?.lower ?? [], widest?.upper ?? []]);
  const { lines, left } = strip(
    [
      ['step', forecast.map((_, i) => `+${i + 1}`)],
      ['forecast', ahead],
      ...(widest === undefined ? [] : [[`${level} % from`, lower] as const, [`${level} % to`, upper] as const]),
    ],
    screen,
  );
  return [...lines, ...(left === 0 ? [] : [more(left, left === 1 ? 'step' : 'steps', screen)])];
}

/** @param observations the whole series if it is known, else the part that the result repeats */
function drawForecast(result: ForecastView, observations: readonly number[] | null, screen: Screen): string[] {
  const history = observations ?? result.holdout_actual;
  const count = observations?.length ?? result.train_count + result.holdout_actual.length;
  return apart([
    facts(factsOf(result), screen),
    fanChart(result, history, count, screen),
    [...holdoutLines(result, screen), ...aheadLines(result, screen)],
    facts(limitsFact(result.limits), screen),
  ]);
}

export const forecastPicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(forecastResult, result);
  return view && drawForecast(view, viewOf(forecastRequest, request)?.work.observations ?? null, screen);
};
