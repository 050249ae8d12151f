/** The observed history, what was predicted while held out, and the forecast with its intervals. */
import { useState } from 'preact/hooks';
import { Figure } from '../../../kit/charts/figure.js';
import { Reader } from '../../../kit/charts/reader.js';
import { DataTable } from '../../../kit/charts/table.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { FanPicture } from './fan-picture.js';
import { dateOf } from './dates.js';
import { useReading, type Series } from './steps.js';
import { words } from './words.js';

/** The tail of the history that is shown at first, in lengths of what is held out and ahead. */
const tail_lengths = 4;
const tail_steps_min = 40;
/** A narrow chart shows less of the past rather than a tangle. */
const step_pixels_min = 4;
const heightOf = (width: number): number => Math.max(270, Math.min(390, width * 0.45));

export function Fan(series: Series) {
  const { t, f } = useWordsOf(words);
  const { result, history } = series;
  const { forecast, holdout_actual, unit } = result;
  const [whole, setWhole] = useState(false);
  const [at, setAt] = useState(history.length + 1);
  const reading = useReading(series);
  const last = history.length + forecast.length;
  const tail = Math.max(tail_steps_min, tail_lengths * (forecast.length + holdout_actual.length));
  /** The first step that is drawn. */
  const firstOf = (width: number): number => {
    if (whole) return 1;
    const past = Math.max(2 * holdout_actual.length, Math.floor(width / step_pixels_min) - forecast.length);
    return Math.max(1, history.length - Math.min(tail, past) + 1);
  };
  const shown = (width: number): number => Math.min(last, Math.max(firstOf(width), at));
  return (
    <Figure
      title={`${t.result.chart} · ${unit}`}
      alt={t.result.chartAlt(f.number(forecast.length), unit, f.number(forecast[0] ?? 0), f.number(forecast.at(-1) ?? 0))}
      height={heightOf}
      controls={
        history.length > tail && (
          <button type="button" class="small" onClick={() => setWhole(!whole)}>
            {whole ? t.result.tail : t.result.whole}
          </button>
        )
      }
      reader={(width) => (
        <Reader
          label={series.dates === null ? t.result.step : t.result.date}
          count={last - firstOf(width) + 1}
          at={shown(width) - firstOf(width)}
          choose={(place) => setAt(firstOf(width) + place)}
          reading={reading(shown(width))}
        />
      )}
      legend={<Legend {...series} />}
      table={() => <Tables {...series} />}
    >
      {(width) => (
        <FanPicture {...series} first={firstOf(width)} at={shown(width)} point={setAt} width={width} height={heightOf(width)} />
      )}
    </Figure>
  );
}

function Legend({ result: { intervals, holdout_predictions: guesses } }: Series) {
  const { t, f } = useWordsOf(words);
  return (
    <p class="legend">
      <span class="key key-observed">{t.result.observed}</span>
      {guesses.length > 0 && <span class="key key-guess">{t.result.predicted}</span>}
      <span class="key key-ahead">{t.result.ahead}</span>
      {intervals
        .toSorted((a, b) => b.level - a.level)
        .map(({ level }, i) => (
          <span class={`key key-band key-band-${i}`} key={level}>
            {t.result.interval(f.number(level))}
          </span>
        ))}
    </p>
  );
}

interface StepsTableProps extends Series {
  readonly label: string;
  /** How many steps ahead are listed. */
  readonly count: number;
}

/** The forecast step by step, with its intervals. */
export function StepsTable({ label, count, ...series }: StepsTableProps) {
  const { t, f } = useWordsOf(words);
  const { forecast, intervals } = series.result;
  const dated = useDated(series);
  const between = (lower: number | undefined, upper: number | undefined): string =>
    `${t.result.from} ${f.number(lower ?? 0)} ${t.result.to} ${f.number(upper ?? 0)}`;
  return (
    <DataTable
      label={label}
      head={[t.result.step, ...dated.head, t.result.value, ...intervals.map(({ level }) => t.result.interval(f.number(level)))]}
      rows={forecast
        .slice(0, count)
        .map((value, i) => [
          `+${i + 1}`,
          ...dated.cell(series.history.length + i + 1),
          f.number(value),
          ...intervals.map(({ lower, upper }) => between(lower[i], upper[i])),
        ])}
    />
  );
}

/** The column of dates, for missions that have them. */
function useDated(series: Series): { readonly head: readonly string[]; readonly cell: (step: number) => readonly string[] } {
  const { t, f } = useWordsOf(words);
  if (series.dates === null) return { head: [], cell: () => [] };
  return { head: [t.result.date], cell: (step) => [f.date(dateOf(series.dates, step) ?? '')] };
}

function Tables(series: Series) {
  const { t, f } = useWordsOf(words);
  const dated = useDated(series);
  const { result, history } = series;
  const { forecast, holdout_actual: actual, holdout_predictions: guesses } = result;
  return (
    <>
      <StepsTable {...series} label={t.result.forecastTable} count={forecast.length} />
      <DataTable
        label={t.result.holdoutTable}
        head={[t.result.step, ...dated.head, t.result.actual, t.result.guess, t.result.error]}
        rows={actual.map((value, i) => [
          f.number(history.length - actual.length + i + 1),
          ...dated.cell(history.length - actual.length + i + 1),
          f.number(value),
          f.number(guesses[i] ?? 0),
          f.signed((guesses[i] ?? 0) - value),
        ])}
      />
    </>
  );
}
