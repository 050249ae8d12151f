/** Draws a forecast: its accuracy on the holdout, the fan chart, and the next values. */
import { dateOfStep, type DateUnit } from './calendar.js';
import { forecastRequest, forecastResult, medianOf, type ForecastInput, type ForecastView } from './view.js';
import { fanChart, shownBands, type DateOf } from './fan.js';
import { alike, figure, percent } from '../../pictures/figures.js';
import { apart, facts, limitsFact, more, strip, type Fact } from '../../pictures/layout.js';
import type { Screen } from '../../pictures/screen.js';
import { viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';

const models_max = 5;

function modelsText(result: ForecastView): string {
  const { models } = result;
  const { share, models: six } = medianOf(result);
  const used = models.filter(({ weight }) => weight > 0);
  const named = used.slice(0, models_max).map(({ name, weight }) => `${name} ${percent(weight * (1 - share))}`);
  const others = used.length - named.length;
  const worse = models.length - used.length;
  return [
    [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ') || 'none',
    ...(share > 0 ? [`median of ${six.join(', ')} ${percent(share)}`] : []),
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

const seconds = /:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;
/** Returns a date as people read it: to the minute, without the offset that all dates of a series share. */
const shown = (date: string): string => date.replace(seconds, '').replace(/T/i, ' ');

/** The part of a date that tells the steps of a unit apart; the axis has whole dates. */
const dateParts: Readonly<Record<DateUnit, readonly [from: number, to: number]>> = {
  hour: [8, 16],
  day: [5, 10],
  week: [5, 10],
  month: [0, 7],
  quarter: [0, 7],
  year: [0, 4],
};

type Dates = readonly string[] | undefined;

const datesRow = (dates: Dates, unit: DateUnit | undefined): (readonly [string, readonly string[]])[] =>
  dates === undefined
    ? []
    : [['date', dates.map((date) => (unit === undefined ? shown(date) : shown(date).slice(...dateParts[unit])))]];

/** Returns the dates of all steps; null for a mission without them. */
function datesOf(input: ForecastInput | null): DateOf {
  const { start, step } = input ?? {};
  if (start === undefined || step === undefined) return null;
  return (number) => shown(dateOfStep(start, step, number - 1) ?? '');
}

function holdoutLines(
  { holdout_actual, holdout_predictions, holdout_dates, train_count }: ForecastView,
  unit: DateUnit | undefined,
  screen: Screen,
): string[] {
  if (holdout_actual.length === 0) return [];
  const [actual = [], predicted = []] = alike([holdout_actual, holdout_predictions]);
  const { lines, left } = strip(
    [
      ['held out', actual.map((_, i) => String(train_count + i + 1))],
      ...datesRow(holdout_dates, unit),
      ['actual', actual],
      ['predicted', predicted],
    ],
    screen,
  );
  return [...lines, ...(left === 0 ? [] : [more(left, left === 1 ? 'step' : 'steps', screen)])];
}

function aheadLines({ forecast, intervals, forecast_dates }: ForecastView, unit: DateUnit | undefined, screen: Screen): string[] {
  if (forecast.length === 0) return [];
  const widest = shownBands(intervals)[0];
  const level = widest === undefined ? '' : figure(widest.level);
  const [ahead = [], lower = [], upper = []] = alike([forecast, widest?.lower ?? [], widest?.upper ?? []]);
  const { lines, left } = strip(
    [
      ['step', forecast.map((_, i) => `+${i + 1}`)],
      ...datesRow(forecast_dates, unit),
      ['forecast', ahead],
      ...(widest === undefined ? [] : [[`${level} % from`, lower] as const, [`${level} % to`, upper] as const]),
    ],
    screen,
  );
  return [...lines, ...(left === 0 ? [] : [more(left, left === 1 ? 'step' : 'steps', screen)])];
}

/** @param input the request, or null where it is not known: then the part of the series that the result repeats is drawn */
function drawForecast(result: ForecastView, input: ForecastInput | null, screen: Screen): string[] {
  const history = input?.observations ?? result.holdout_actual;
  const unit = input?.step?.unit;
  const count = input?.observations.length ?? result.train_count + result.holdout_actual.length;
  return apart([
    facts(factsOf(result), screen),
    fanChart(result, history, count, datesOf(input), screen),
    [...holdoutLines(result, unit, screen), ...aheadLines(result, unit, screen)],
    facts(limitsFact(result.limits), screen),
  ]);
}

export const forecastPicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(forecastResult, result);
  return view && drawForecast(view, viewOf(forecastRequest, request)?.work ?? null, screen);
};
