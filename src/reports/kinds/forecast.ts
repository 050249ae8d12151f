/** The report of a forecast: the next values with their intervals, the fan chart, and the error on the holdout. */
import { dateOfStep, stepText } from '../../kinds/forecast/calendar.js';
import {
  forecastRequest,
  forecastResult,
  isBeyond,
  outliersOf,
  type OutlierView,
  type ForecastInput,
  type ForecastView,
  weightsOf,
} from '../../kinds/forecast/view.js';
import { viewOf } from '../../kinds/view-fields.js';
import { count, percent } from '../../pictures/screen.js';
import {
  type Cell,
  type Chart,
  comparedText,
  type Content,
  type Fact,
  leadText,
  numberText,
  perCent,
  type ReportTable,
  textsOf,
} from '../content.js';
import { areaOf, field, label, linear, type Mark, pathOf, shape, type Span, spanOf, ticks, xAxis, yAxis } from '../drawing.js';

interface Series {
  readonly result: ForecastView;
  /** The observations, null for a gap. */
  readonly history: readonly (number | null)[];
  /** Returns the date of a step, counted from 1 for the oldest observation; null for a mission without dates. */
  readonly dateOf: (step: number) => string | null;
  /** Returns what people call that date. */
  readonly textOf: (step: number) => string | null;
}

function seriesOf(result: ForecastView, input: ForecastInput | null): Series {
  const { start, step, observations } = input ?? {};
  const dateOf = (at: number): string | null =>
    start === undefined || step === undefined ? null : dateOfStep(start, step, at - 1);
  const textOf = (at: number): string | null => {
    const date = dateOf(at);
    return date === null || step === undefined ? null : stepText(date, step);
  };
  return { result, history: observations ?? result.holdout_actual, dateOf, textOf };
}

export function forecastContent(request: unknown, given: unknown): Content | null {
  const result = viewOf(forecastResult, given);
  if (result === null) return null;
  const series = seriesOf(result, viewOf(forecastRequest, request)?.work ?? null);
  const { forecast, holdout_mase, limits } = result;
  const one = forecast.length === 1;
  return {
    question: `What ${one ? 'is the next value' : `are the next ${count(forecast.length, 'value')}`} of a series of ${count(series.history.length, 'observation')}, and how far can ${one ? 'it' : 'they'} be off?`,
    inputs: inputsOf(series),
    answer: answerOf(series),
    figures: figuresOf(result),
    chart: fanChart(series),
    tables: [aheadTable(series), outlierTable(series), holdoutTable(series), effectTable(result), modelTable(result)],
    limits: textsOf(limits),
    terms: [
      'interval',
      'holdout',
      'MAE',
      ...(holdout_mase === null ? [] : (['MASE'] as const)),
      'sMAPE',
      'baseline',
      ...((result.effects ?? []).length === 0 ? [] : (['effect'] as const)),
      ...(outliersOf(result).length === 0 ? [] : (['outlier'] as const)),
    ],
  };
}

function inputsOf({ history, textOf, result: { unit, holdout_actual, effects = [] } }: Series): Fact[] {
  const gaps = history.filter((value) => value === null).length;
  const [first, last] = [textOf(1), textOf(history.length)];
  return [
    ['Observations', gaps === 0 ? numberText(history.length) : `${numberText(history.length)}, ${count(gaps, 'gap')} among them`],
    ...(first === null || last === null ? [] : [['From, to', `${first}, ${last}`] as const]),
    ...(effects.length === 0 ? [] : [['Regressors', effects.map(({ name }) => name).join(', ')] as const]),
    ['Unit', unit],
    ['Kept back for the holdout', numberText(holdout_actual.length)],
  ];
}

const widestOf = ({ intervals }: ForecastView) => intervals.toSorted((a, b) => b.level - a.level)[0];

function answerOf({ result, history, textOf }: Series): string {
  const { forecast, unit } = result;
  const widest = widestOf(result);
  const said = (i: number): string => {
    const [lower, upper] = [widest?.lower[i], widest?.upper[i]];
    const range =
      widest === undefined || lower === undefined || upper === undefined
        ? ''
        : ` (${leadText(lower)} to ${leadText(upper)} with a probability of ${numberText(widest.level)} %)`;
    const step = textOf(history.length + i + 1) ?? `step +${i + 1}`;
    return `${leadText(forecast[i] ?? 0)} ${unit} for ${step}${range}`;
  };
  const last = forecast.length - 1;
  if (last < 0) return 'Nothing was forecast.';
  return last === 0 ? `Expected: ${said(0)}.` : `Expected: ${said(0)}, and ${said(last)}.`;
}

function figuresOf(result: ForecastView): Fact[] {
  const { holdout_mae, holdout_mase, holdout_smape, baseline_mae, improvement, unit, coverage, diagnostics } = result;
  const { seasons } = diagnostics ?? {};
  return [
    ...(seasons === undefined
      ? []
      : [['Season', seasons.length === 0 ? 'none' : `${seasons.map((each) => numberText(each)).join(' and ')} steps`] as const]),
    ['Error on the holdout (MAE)', `${leadText(holdout_mae)} ${unit}`],
    ...(holdout_mase === null ? [] : [['MASE', leadText(holdout_mase)] as const]),
    ['sMAPE', percent(holdout_smape / 100)],
    [
      'Error of repeating the last value (baseline)',
      `${leadText(baseline_mae)} ${unit}`,
      improvement === null ? undefined : comparedText(improvement),
    ],
    ...coverage.map(({ level, share }) => [`Holdout within the ${numberText(level)} % interval`, percent(share)] as const),
  ];
}

const dated = ({ dateOf, textOf }: Series, step: number): Cell[] => {
  const [exact, text] = [dateOf(step), textOf(step)];
  if (exact === null || text === null) return [];
  const date = text.slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ').replace(/:00$/, '');
  return [date === exact ? { date } : { date, exact }];
};

/** Times are civil in every table, so that spreadsheets take them as such; the head says their zone. */
function dateHead(dateOf: Series['dateOf']): string[] {
  const first = dateOf(1);
  const [, offset] = /T.*?([+-]\d{2}:\d{2}|z)$/i.exec(first ?? '') ?? [];
  if (first === null) return [];
  return [offset === undefined ? 'Date' : `Date (UTC${/z/i.test(offset) ? '' : offset})`];
}

function aheadTable(series: Series): ReportTable {
  const { result, history, dateOf } = series;
  const bands = result.intervals.toSorted((a, b) => a.level - b.level);
  return {
    title: 'Forecast',
    head: ['Step', ...dateHead(dateOf), 'Forecast', ...bands.flatMap(({ level }) => [`${level} % from`, `${level} % to`])],
    rows: result.forecast.map((value, i) => [
      i + 1,
      ...dated(series, history.length + i + 1),
      value,
      ...bands.flatMap(({ lower, upper }) => [lower[i] ?? null, upper[i] ?? null]),
    ]),
  };
}

function holdoutTable(series: Series): ReportTable {
  const { result, history, dateOf } = series;
  const { holdout_actual: actual, holdout_predictions: guesses } = result;
  const first = history.length - actual.length + 1;
  return {
    title: 'Holdout',
    head: ['Step', ...dateHead(dateOf), 'Observed', 'Predicted', 'Error'],
    rows: actual.map((value, i) => {
      const guess = guesses[i] ?? null;
      const error = value === null || guess === null ? null : Number((guess - value).toPrecision(12));
      return [first + i, ...dated(series, first + i), value, guess, error];
    }),
  };
}

const outlierTable = (series: Series): ReportTable => ({
  title: 'Outliers',
  head: ['Step', ...dateHead(series.dateOf), 'Observed', 'Taken instead'],
  rows: outliersOf(series.result).map(({ step, value, replacement }) => [step, ...dated(series, step), value, replacement]),
});

const effectTable = ({ effects = [], unit }: ForecastView): ReportTable => ({
  title: 'Effects',
  head: ['Regressor', `Effect of one unit, ${unit}`, '90 % from', '90 % to', 'Taken by the forecast'],
  rows: effects.map(({ name, effect, lower, upper, applied }) => [name, effect, lower, upper, applied]),
});

const modelTable = (result: ForecastView): ReportTable => ({
  title: 'Models',
  head: ['Model', 'Weight, %'],
  rows: weightsOf(result, (models) => `median of ${models}`).map(({ name, weight }) => [name, perCent(weight)]),
});

const height = 320;
const bottom = height - 44;
/** The shown part of the history, in lengths of what is held out and ahead. */
const tail_lengths = 4;
const tail_steps_min = 40;
const bands_max = 3;
const marks_max = 7;

function fanChart(series: Series): Chart {
  const { result, history, dateOf } = series;
  const { forecast, holdout_actual, holdout_predictions: guesses, unit } = result;
  const tail = Math.max(tail_steps_min, tail_lengths * (forecast.length + holdout_actual.length));
  const first = Math.max(1, history.length - tail + 1);
  const last = history.length + Math.max(1, forecast.length);
  const bands = result.intervals.toSorted((a, b) => b.level - a.level).slice(0, bands_max);
  const shown = history.slice(first - 1);
  const outliers = outliersOf(result).filter(({ step }) => step >= first);
  const span = scaleOf(series, first, bands, outliers);
  const x = linear([first, last], [field.left + 4, field.right - 4]);
  const scale = linear(span, [bottom, field.top]);
  /** What lies beyond the scale is drawn at its end. */
  const y = (value: number): number => scale(Math.max(span[0], Math.min(span[1], value)));
  const start = history.length + 1;
  const ahead = (list: readonly number[]) => list.map((value, i) => [x(start + i), y(value)] as const);
  const joint = history.at(-1) ?? null;
  const joined = joint === null ? [] : [[x(history.length), y(joint)] as const];
  const held = start - guesses.length;
  const svg = [
    guesses.length === 0 ? '' : heldOut(x(held - 0.5), x(history.length + 0.5)),
    yAxis(scale, span, unit),
    xAxis(
      x,
      marksOf(first, last, start, series.textOf),
      bottom,
      dateOf(1) === null ? 'Step (1 is the oldest observation)' : 'Date',
    ),
    ...bands.map(({ lower, upper }, i) => shape('path', { class: `band b${i}`, d: areaOf(ahead(upper), ahead(lower)) })),
    observed(shown, first, x, y),
    shape('path', { class: 'ahead', d: pathOf([...joined, ...ahead(forecast)]) }),
    ...guesses.map((value, i) => shape('circle', { class: 'guess', cx: x(held + i), cy: y(value), r: 2.6 })),
    ...outliers.map((each) => outlierMark(each, x(each.step), y(each.value), isOutside(each.value, span))),
  ];
  const lead = `from ${numberText(forecast[0] ?? 0)} to ${numberText(forecast.at(-1) ?? 0)} ${unit}`;
  return {
    title: `${first === 1 ? 'History' : `The last ${numberText(history.length - first + 1)} observations`}, holdout and forecast`,
    alt: `Fan chart: forecast of ${count(forecast.length, 'step')}, ${lead}, with its intervals after the observed history.`,
    svg: svg.join(''),
    height,
    legend: legendOf(bands, outliers.length > 0),
  };
}

type Bands = ForecastView['intervals'];

const legendOf = (bands: Bands, hasOutliers: boolean): Chart['legend'] => [
  ['observed', 'observed'],
  ['guess', 'predicted for the holdout'],
  ['ahead', 'forecast'],
  ...bands.map(({ level }, i) => [`band b${i}`, `${numberText(level)} % interval`] as const),
  ...(hasOutliers ? [['outlier', 'outlier; one with a number lies beyond the scale'] as const] : []),
];

/** Returns the scale of the values from a step on. Outliers that would squeeze the other values lie beyond it. */
function scaleOf({ result, history }: Series, first: number, bands: Bands, outliers: readonly OutlierView[]): Span {
  const steps = new Set(outliers.map(({ step }) => step));
  const values = [
    ...history.filter((_, i) => i + 1 >= first && !steps.has(i + 1)),
    ...result.forecast,
    ...result.holdout_predictions,
    ...bands.flatMap(({ lower, upper }) => [...lower, ...upper]),
  ].filter((value) => value !== null);
  const rest = spanOf(values, 0);
  return spanOf([...rest, ...outliers.filter((each) => !isBeyond(each, rest)).map(({ value }) => value)]);
}

const isOutside = (value: number, [low, high]: Span): boolean => value < low || value > high;

function outlierMark({ value }: OutlierView, x: number, y: number, isBroken: boolean): string {
  const ring = shape('circle', { class: 'outlier', cx: x, cy: y, r: 5 });
  if (!isBroken) return ring;
  const isRight = x > (field.left + field.right) / 2;
  return ring + label(numberText(value), isRight ? x - 9 : x + 9, y + 4, { 'text-anchor': isRight ? 'end' : 'start' });
}

const heldOut = (from: number, to: number): string =>
  shape('rect', { class: 'held', x: from, y: field.top, width: to - from, height: bottom - field.top }) +
  label('holdout', (from + to) / 2, field.top - 6, { 'text-anchor': 'middle' });

/** Draws the observed values as lines that end at gaps. */
function observed(values: readonly (number | null)[], first: number, x: (step: number) => number, y: (value: number) => number) {
  const runs: (readonly [number, number])[][] = [[]];
  for (const [i, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([x(first + i), y(value)]);
  }
  const d = runs.filter((run) => run.length > 0).map((run) => pathOf(run.length === 1 ? [...run, ...run] : run));
  return shape('path', { class: 'observed', d: d.join('') });
}

/** Returns round steps, or the dates of some, the first one ahead among them. */
function marksOf(first: number, last: number, start: number, textOf: Series['textOf']): Mark[] {
  if (textOf(1) === null)
    return ticks([first, last], marks_max)
      .filter(Number.isInteger)
      .map((step) => [step, numberText(step)]);
  const distance = Math.max(1, Math.ceil((last - first) / (marks_max - 1)));
  const from = start - Math.floor((start - first) / distance) * distance;
  const steps = Array.from({ length: Math.floor((last - from) / distance) + 1 }, (_, i) => from + i * distance);
  return steps.map((step) => [step, (textOf(step) ?? '').slice(0, 16)]);
}
