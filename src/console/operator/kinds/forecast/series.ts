/** The steps of a forecast: what they are called, and what they hold in words. */
import { type ForecastView, isBeyond, outliersOf, type OutlierView } from '../../../../kinds/forecast/view.js';
import { spanOf, widened } from '../../../kit/charts/scale.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { dateTextOf, type Dates } from './dates.js';
import { words } from './words.js';

/** The steps of a forecast, counted from 1 for the oldest observation; those ahead continue the count. A mission with dates has a date for each. */
export interface Series {
  readonly result: ForecastView;
  /** The observations, null for a gap; of an erased request only those that the result repeats. */
  readonly history: readonly (number | null)[];
  /** Null for a mission without dates, and for one whose request was erased. */
  readonly dates: Dates | null;
}

export type DrawnOutlier = OutlierView & { readonly isBeyond: boolean };

/** Returns the scale of the values from a step on, and the outliers among them. Those that would squeeze the other values lie beyond it. */
export function scaleOf({ result, history }: Pick<Series, 'result' | 'history'>, first: number) {
  const outliers = outliersOf(result).filter(({ step }) => step >= first);
  const steps = new Set(outliers.map(({ step }) => step));
  const rest = spanOf([
    ...history.flatMap((value, i) => (value === null || i + 1 < first || steps.has(i + 1) ? [] : [value])),
    ...result.forecast,
    ...result.holdout_predictions,
    ...result.intervals.flatMap(({ lower, upper }) => [...lower, ...upper]),
  ]);
  const drawn = outliers.map((each) => ({ ...each, isBeyond: isBeyond(each, rest) }));
  const inside = drawn.flatMap((each) => (each.isBeyond ? [] : [each.value]));
  return { span: widened(spanOf([...rest, ...inside]), 0.05), outliers: drawn };
}

/** Returns how a step is named by itself: "Step 80" or, ahead of the observations, "Step +1", with its date. */
export function useStepName(series: Series): (step: number) => string {
  const { t, f } = useWordsOf(words);
  const { length } = series.history;
  return (step) => {
    const name = t.result.stepName(step > length ? `+${f.number(step - length)}` : f.number(step));
    const date = dateTextOf(series.dates, step);
    return date === null ? name : t.result.datedStep(f.date(date), name);
  };
}

/** Returns what a step holds, in words. */
export function useReading(series: Series): (step: number) => string {
  const { k, t, f } = useWordsOf(words);
  const name = useStepName(series);
  const { history, result } = series;
  const { forecast, intervals, holdout_predictions: guesses, unit } = result;
  return (step) => {
    const ahead = step - history.length - 1;
    if (ahead >= 0) {
      const ranges = intervals
        .toSorted((a, b) => b.level - a.level)
        .map(({ level, lower, upper }) =>
          t.result.readInterval(t.result.interval(f.number(level)), f.number(lower[ahead] ?? 0), f.number(upper[ahead] ?? 0)),
        );
      return [t.result.readAhead(name(step), f.number(forecast[ahead] ?? 0), unit), ...ranges].join(k.semicolon);
    }
    const observed = history[step - 1] ?? null;
    if (observed === null) return t.result.readGap(name(step));
    const value = f.number(observed);
    const guess = guesses[step - 1 - (history.length - guesses.length)];
    return guess === undefined
      ? t.result.readObserved(name(step), value, unit)
      : t.result.readHeld(name(step), value, f.number(guess), unit);
  };
}
