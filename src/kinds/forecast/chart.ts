/** Draws the fan chart of a forecast: the end of its history, the holdout with its predictions, and the prediction intervals. */
import { axisLines, type Mark } from '../../pictures/axis.js';
import { Chart, scaleOf, spanOf, spans, spansForward, valueLabels, type Span } from '../../pictures/chart.js';
import { type Colour, figure, type Screen } from '../../pictures/screen.js';
import type { Picture } from '../../pictures/picture.js';
import { viewOf } from '../view-fields.js';
import { dateOfStep } from './calendar.js';
import { forecastRequest, forecastResult, isBeyond, outliersOf, type ForecastInput, type ForecastView } from './view.js';

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

const seconds = /:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;
/** Returns a date as people read it: to the minute, without the offset that all dates of a series share. */
const shown = (date: string): string => date.replace(seconds, '').replace(/T/i, ' ');

/** Returns the dates of all steps; null for a mission without them. */
function datesOf(input: ForecastInput | null): DateOf {
  const { start, step } = input ?? {};
  if (start === undefined || step === undefined) return null;
  return (number) => shown(dateOfStep(start, step, number - 1) ?? '');
}

/** Without the request, the part of the series that the result repeats is drawn. */
export const forecastChart: Picture = ({ request, result }, screen) => {
  const view = viewOf(forecastResult, result);
  if (view === null) return null;
  const input = viewOf(forecastRequest, request)?.work ?? null;
  const history = (input?.observations ?? view.holdout_actual).map((value) => value ?? Number.NaN);
  const count = input?.observations.length ?? view.train_count + view.holdout_actual.length;
  return fanChart(view, history, count, datesOf(input), screen);
};
