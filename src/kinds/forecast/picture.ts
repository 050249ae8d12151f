/** Draws a forecast: its accuracy on the holdout, the fan chart, and the next values. */
import { dateOfStep, type DateUnit } from './calendar.js';
import {
  forecastRequest,
  forecastResult,
  isBeyond,
  medianOf,
  outliersOf,
  type ForecastInput,
  type ForecastView,
} from './view.js';
import { alike, figure, percent } from '../../pictures/figures.js';
import { apart, facts, limitsFact, strip, type Fact } from '../../pictures/layout.js';
import type { Screen, Colour } from '../../pictures/screen.js';
import { printable } from '../../base/text.js';
import { viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';
import { axisLines, type Mark } from '../../pictures/axis.js';
import { Chart, scaleOf, spanOf, spans, spansForward, valueLabels, type Span } from '../../pictures/chart.js';

// The fan chart of a forecast: the end of its history, the holdout with its predictions, and the prediction intervals.

const rows = 13;
const columns_per_step_max = 4;
/** The largest share of the columns for the forecast. */
const ahead_share_max = 0.5;
const bands_max = 3;
const indent = '  ';

type Band = ForecastView['intervals'][number];

/** Returns the bands, widest first; the outer, a middle and the inner one if there are many. */
function shownBands(intervals: readonly Band[]): Band[] {
  const all = intervals.toSorted((a, b) => b.level - a.level);
  if (all.length <= bands_max) return all;
  const middle = all[Math.floor(all.length / 2)];
  return [all[0], middle, all.at(-1)].filter((band) => band !== undefined);
}

interface Plan {
  readonly columns: number;
  /** The number of columns of one step; 1 when a column covers several steps. */
  readonly wide: number;
  /** The number of steps of one column. */
  readonly per: number;
  readonly tail: readonly number[];
  /** The number of steps of the tail that were held out. */
  readonly heldOut: number;
}

function planOf(result: ForecastView, history: readonly number[], room: number): Plan {
  const steps = result.forecast.length;
  const per = Math.max(1, Math.ceil(steps / Math.floor(room * ahead_share_max)));
  const aheadColumns = Math.ceil(steps / per);
  const tail = history.slice(-Math.max(1, (room - aheadColumns) * per));
  const total = Math.ceil(tail.length / per) + aheadColumns;
  const wide = per > 1 ? 1 : Math.max(1, Math.min(columns_per_step_max, Math.floor(room / Math.max(1, total))));
  const heldOut = Math.min(tail.length, result.holdout_actual.length, result.holdout_predictions.length);
  return { columns: Math.min(room, total * wide), wide, per, tail, heldOut };
}

/** Draws the tail and the forecast values as one line, or as strokes when a column covers several steps. */
function drawValues(chart: Chart, { per, wide, tail }: Plan, ahead: readonly number[]): void {
  const start = Math.ceil(tail.length / per) * wide;
  if (per > 1) {
    chart.strokes(0, spans(tail, per), null);
    chart.strokes(start, spansForward(ahead, per), 'green');
    return;
  }
  const widened = (values: readonly number[]): number[] => values.flatMap((value) => Array.from({ length: wide }, () => value));
  const last = chart.line(0, widened(tail), null, null);
  chart.line(start, widened(ahead), last, 'green');
}

function drawBands(chart: Chart, { per, wide, tail }: Plan, bands: readonly Band[], screen: Screen): void {
  const start = Math.ceil(tail.length / per) * wide;
  bands.forEach((band, i) => {
    const lower = spansForward(band.lower, per);
    const upper = spansForward(band.upper, per);
    lower.forEach(([low], k) => {
      const span: Span = [low, upper[k]?.[1] ?? low];
      for (let x = 0; x < wide; x++) chart.fill(start + k * wide + x, span, screen.glyphs.shades[i] ?? '', 'blue');
    });
  });
}

function drawGuesses(chart: Chart, { per, wide, tail, heldOut }: Plan, predictions: readonly number[], screen: Screen): void {
  const kept = predictions.slice(predictions.length - heldOut);
  const first = tail.length - kept.length;
  const offset = Math.ceil(tail.length / per) * per - tail.length;
  kept.forEach((value, i) => {
    const column = Math.floor((first + i + offset) / per) * wide + Math.floor((wide - 1) / 2);
    chart.canvas.put(column, chart.row(value), screen.glyphs.guess, 'yellow');
  });
}

/** Returns the date of a step, observations counted from 1 and forecast steps after them; null for a mission without dates. */
type DateOf = ((step: number) => string) | null;

/** Returns the axis marks. Observations are counted from 1, forecast steps as +1, +2, …; dates take their place. */
function marksOf({ per, wide, tail, heldOut, columns }: Plan, observations: number, steps: number, dateOf: DateOf): Mark[] {
  const now = Math.ceil(tail.length / per) * wide;
  const held = Math.floor((tail.length - heldOut) / per) * wide;
  const first = observations - tail.length;
  const name = (step: number, number: string): string => dateOf?.(step) ?? number;
  const all: readonly (readonly [number, string, boolean])[] = [
    [now, name(observations + 1, '+1'), steps > 0],
    [columns, name(observations + steps, `+${steps}`), steps > 1],
    [held, `${name(observations - heldOut + 1, String(observations - heldOut + 1))} held out`, heldOut > 0],
    [0, name(first + 1, String(first + 1)), tail.length > heldOut],
  ];
  return all.filter(([, , shown]) => shown).map(([column, label]) => ({ column, label }));
}

/** Returns a line for the values and one for the bands, so that neither is cut off. */
function legend(bands: readonly Band[], plan: Plan, heldOut: number, { paint, glyphs }: Screen): string[] {
  const stroke = plan.per > 1 ? glyphs.upright : glyphs.across;
  const values: readonly (readonly [Colour | null, string, string])[] = [
    [null, stroke, 'observed'],
    ...(heldOut > 0 ? [['yellow', glyphs.guess, 'predicted while held out'] as const] : []),
    ['green', stroke, 'forecast'],
  ];
  const levels = bands.map(({ level }, i) => ['blue', glyphs.shades[i] ?? '', `${figure(level)} %`] as const).toReversed();
  return [values, levels]
    .filter((parts) => parts.length > 0)
    .map((parts) =>
      parts.map(([colour, glyph, name]) => `${colour === null ? glyph : paint(colour, glyph)} ${name}`).join('   '),
    );
}

/** Returns the history with outliers that would squeeze the other values at the edge of their scale. @param from the first place that is drawn */
function withinScale(result: ForecastView, history: readonly number[], count: number, from: number): number[] {
  const outliers = new Map(outliersOf(result).map((each) => [each.step - 1 - count + history.length, each]));
  const bands = result.intervals.flatMap(({ lower, upper }) => [...lower, ...upper]);
  const rest = spanOf([...history.filter((_, i) => i >= from && !outliers.has(i)), ...result.forecast, ...bands]);
  return history.map((value, i) => {
    const outlier = outliers.get(i);
    return outlier === undefined || !isBeyond(outlier, rest) ? value : Math.max(rest[0], Math.min(rest[1], value));
  });
}

/** Draws the chart. `observed` is the known part of the observations, whose last one is number `count`. */
function fanChart(result: ForecastView, observed: readonly number[], count: number, dateOf: DateOf, screen: Screen): string[] {
  const { forecast, holdout_predictions: guesses } = result;
  const bands = shownBands(result.intervals);
  // The scale determines the width of its labels, and that the room for the history: a first plan without labels is close.
  const roomy = planOf(result, observed, screen.columns - indent.length);
  const history = withinScale(result, observed, count, observed.length - roomy.tail.length);
  const draft = planOf(result, history, screen.columns - indent.length);
  const seen = [...draft.tail, ...forecast, ...bands.flatMap(({ lower, upper }) => [...lower, ...upper])];
  if (seen.length === 0) return [];
  const scale = scaleOf([...spanOf(seen), ...guesses.slice(guesses.length - draft.heldOut)]);
  const labels = valueLabels(scale, rows).map((label) => indent + label);
  const room = screen.columns - (labels[0] ?? '').length - 2;
  const plan = planOf(result, history, room);
  const chart = new Chart(plan.columns, rows, scale, screen);
  drawBands(chart, plan, bands, screen);
  drawValues(chart, plan, forecast);
  drawGuesses(chart, plan, guesses, screen);
  const left = ' '.repeat((labels[0] ?? '').length + 1);
  const note = plan.per > 1 ? [`${left} one column is ${plan.per} steps, from their lowest to their highest value`] : [];
  return [
    ...chart.lines(labels),
    ...axisLines(marksOf(plan, count, forecast.length, dateOf), plan.columns, left, screen),
    ...legend(bands, plan, plan.heldOut, screen).map((line) => `${left} ${line}`),
    ...note,
    ...(history.every((value, i) => Object.is(value, observed[i])) ? [] : [`${left} outliers beyond the scale are at its edge`]),
  ];
}

/** Returns the outliers, each with its date or number, and what the methods take in its place. */
function outliersFact(result: ForecastView, dateOf: DateOf): Fact[] {
  const named = outliersOf(result).map(
    ({ step, value, replacement }) => `${figure(value)} at ${dateOf?.(step) ?? step}, taken as ${figure(replacement)}`,
  );
  return named.length === 0 ? [] : [['outliers', named.join('; ')]];
}

/** Returns what one unit of each regressor adds, and which of them the forecast does without. */
function effectsFact({ effects = [] }: ForecastView): Fact[] {
  const named = effects.map(({ name, effect, lower, upper, applied }) => {
    const range = lower === null || upper === null ? '' : ` (90 %: ${figure(lower, 4)} to ${figure(upper, 4)})`;
    const amount = effect === null ? ' cannot be told' : ` ${effect < 0 ? '' : '+'}${figure(effect, 4)}`;
    return `${printable(name)}${amount}${range}${applied === 0 ? ', not applied' : ''}`;
  });
  return named.length === 0 ? [] : [['effects', named.join('; ')]];
}

function modelsText(result: ForecastView): string {
  const { models } = result;
  const { share, models: six } = medianOf(result);
  const used = models.filter(({ weight }) => weight > 0);
  const named = used.map(({ name, weight }) => `${name} ${percent(weight * (1 - share))}`);
  const worse = models.length - used.length;
  return [
    named.join(', ') || 'none',
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
  business_day: [5, 10],
  week: [5, 10],
  month: [0, 7],
  month_end: [0, 7],
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
  const [observed = [], predicted = []] = alike([holdout_actual.filter((value) => value !== null), holdout_predictions]);
  const texts = observed.values();
  const actual = holdout_actual.map((value) => (value === null ? 'gap' : (texts.next().value ?? '')));
  return strip(
    [
      ['held out', actual.map((_, i) => String(train_count + i + 1))],
      ...datesRow(holdout_dates, unit),
      ['actual', actual],
      ['predicted', predicted],
    ],
    screen,
  );
}

function aheadLines({ forecast, intervals, forecast_dates }: ForecastView, unit: DateUnit | undefined, screen: Screen): string[] {
  if (forecast.length === 0) return [];
  const widest = shownBands(intervals)[0];
  const level = widest === undefined ? '' : figure(widest.level);
  const [ahead = [], lower = [], upper = []] = alike([forecast, widest?.lower ?? [], widest?.upper ?? []]);
  return strip(
    [
      ['step', forecast.map((_, i) => `+${i + 1}`)],
      ...datesRow(forecast_dates, unit),
      ['forecast', ahead],
      ...(widest === undefined ? [] : [[`${level} % from`, lower] as const, [`${level} % to`, upper] as const]),
    ],
    screen,
  );
}

/** @param input the request, or null where it is not known: then the part of the series that the result repeats is drawn */
function drawForecast(result: ForecastView, input: ForecastInput | null, screen: Screen): string[] {
  const history = (input?.observations ?? result.holdout_actual).map((value) => value ?? Number.NaN);
  const unit = input?.step?.unit;
  const count = input?.observations.length ?? result.train_count + result.holdout_actual.length;
  return apart([
    facts([...factsOf(result), ...effectsFact(result), ...outliersFact(result, datesOf(input))], screen),
    fanChart(result, history, count, datesOf(input), screen),
    [...holdoutLines(result, unit, screen), ...aheadLines(result, unit, screen)],
    facts(limitsFact(result.limits), screen),
  ]);
}

export const forecastPicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(forecastResult, result);
  return view && drawForecast(view, viewOf(forecastRequest, request)?.work ?? null, screen);
};
