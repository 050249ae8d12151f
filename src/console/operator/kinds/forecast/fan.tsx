/** The observed history, what was predicted while held out, and the forecast with its intervals. */
import { useState } from 'preact/hooks';
import { Pointer } from '../../../kit/charts/cursor.js';
import { Figure } from '../../../kit/charts/figure.js';
import { type Frame, type Place, Plane, type Room } from '../../../kit/charts/plane.js';
import { area, path, type Span, thinned } from '../../../kit/charts/scale.js';
import { Button } from '../../../kit/controls/inputs.js';
import { explanations } from '../../../../kinds/explained.js';
import { Explained } from '../../../kit/controls/pieces.js';
import { Quantity } from '../../../kit/controls/table-tools.js';
import { DataTable, type DatedCell } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { dateOf, dateTextOf, dateTicks, offsetOf } from './dates.js';
import { type DrawnOutlier, scaleOf, type Series, useReading, useStepName } from './series.js';
import { words } from './words.js';
import { outliersOf } from '../../../../kinds/forecast/view.js';

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
          <Button class="small" onClick={() => setWhole(!whole)} text={whole ? t.result.tail : t.result.whole} />
        )
      }
      reader={(width) => ({
        label: series.dates === null ? t.result.step : t.result.date,
        count: last - firstOf(width) + 1,
        at: shown(width) - firstOf(width),
        choose: (place) => setAt(firstOf(width) + place),
        reading: reading(shown(width)),
      })}
      legend={(width) => (
        <>
          <Legend {...series} />
          <Outliers {...series} first={firstOf(width)} />
        </>
      )}
      table={() => <Tables {...series} />}
    >
      {(room) => <FanPicture {...series} {...room} first={firstOf(room.width)} at={shown(room.width)} point={setAt} />}
    </Figure>
  );
}

function Legend({ result: { intervals, holdout_predictions: guesses } }: Series) {
  const { t, f, language } = useWordsOf(words);
  return (
    <p class="legend">
      <span class="key key-line">{t.result.observed}</span>
      {guesses.length > 0 && (
        <span class="key key-dot key-ring tone-warn">
          <Explained means={explanations[language].holdout}>{t.result.predicted}</Explained>
        </span>
      )}
      <span class="key key-line tone-accent">{t.result.ahead}</span>
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
  const between = (lower: number | undefined, upper: number | undefined) => (
    <span class="between">
      <span>
        {t.result.from} <Quantity value={lower ?? 0} text={f.number(lower ?? 0)} />
      </span>{' '}
      <span>
        {t.result.to} <Quantity value={upper ?? 0} text={f.number(upper ?? 0)} />
      </span>
    </span>
  );
  return (
    <DataTable
      label={label}
      stacks
      head={[t.result.step, ...dated.head, t.result.value, ...intervals.map(({ level }) => t.result.interval(f.number(level)))]}
      rows={forecast
        .slice(0, count)
        .map((value, i) => [
          <Quantity value={i + 1} text={`+${i + 1}`} />,
          ...dated.cell(series.history.length + i + 1),
          value,
          ...intervals.map(({ lower, upper }) => between(lower[i], upper[i])),
        ])}
    />
  );
}

/** The column of dates, for missions that have them. */
function useDated(series: Series): { readonly head: readonly string[]; readonly cell: (step: number) => readonly DatedCell[] } {
  const { t, f } = useWordsOf(words);
  if (series.dates === null) return { head: [], cell: () => [] };
  const cell = (step: number) => [{ date: dateOf(series.dates, step) ?? '', text: f.date(dateTextOf(series.dates, step) ?? '') }];
  return { head: [t.result.date], cell };
}

function Tables(series: Series) {
  const { t, f } = useWordsOf(words);
  const signed = (value: number) => <Quantity value={value} text={f.signed(value)} />;
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
          history.length - actual.length + i + 1,
          ...dated.cell(history.length - actual.length + i + 1),
          value ?? t.result.gap,
          guesses[i] ?? 0,
          value === null ? '–' : signed((guesses[i] ?? 0) - value),
        ])}
      />
    </>
  );
}

type Run = { readonly from: number; readonly values: readonly number[] };

/** Returns the values between gaps, each run with the place where it begins. */
function runsOf(history: readonly (number | null)[]): Run[] {
  const runs: { from: number; values: number[] }[] = [];
  for (const [i, value] of history.entries()) {
    if (value === null) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.values.length === i) last.values.push(value);
    else runs.push({ from: i, values: [value] });
  }
  return runs;
}

/** Returns the path through the observed values, broken at gaps. */
const observedPath = (history: readonly (number | null)[], first: number, width: number, { x, y }: Place): string =>
  runsOf(history)
    .map(({ from, values }) => {
      const columns = Math.ceil((width * values.length) / history.length);
      const points = thinned(values, columns).map(([i, value]) => [x(first + from + i), y(value)] as const);
      return path(points.length === 1 ? [...points, ...points] : points); // a line of no length is a dot
    })
    .join('');

/** The room of a date at the axis. */
const date_pixels = 105;
const frame: Frame = { top: 38, right: 12, bottom: 46, left: 58 };

interface PictureProps extends Series, Room {
  /** The first step that is drawn. */
  readonly first: number;
  /** The step under the cursor. */
  readonly at: number;
  readonly point: (step: number) => void;
}

function FanPicture({ result, history, dates, first, at, point, width, height }: PictureProps) {
  const { t } = useWordsOf(words);
  const dateAxis = useDateAxis({ result, history, dates });
  const { forecast, intervals, holdout_predictions: guesses, unit } = result;
  const { span, outliers } = scaleOf({ result, history }, first);
  const steps: Span = [first, history.length + Math.max(1, forecast.length)];
  const start = history.length + 1;
  const last = history.at(-1) ?? null;
  const held = start - guesses.length;
  const ahead = (values: readonly number[], { x, y }: Place) => values.map((value, i) => [x(start + i), y(value)] as const);
  const valueAt = (at >= start ? forecast[at - start] : history[at - 1]) ?? null;
  const room = { frame, width, height };
  return (
    <Plane
      {...room}
      x={{ span: steps, label: t.result.axis, ...dateAxis(first, width) }}
      y={{ span, label: unit }}
      behind={({ x }) =>
        guesses.length > 0 && <Held from={x(held - 0.5)} to={x(history.length + 0.5)} height={height} name={t.result.holdout} />
      }
    >
      {({ x, y: whole }) => {
        const y = (value: number): number => Math.max(frame.top, Math.min(height - frame.bottom, whole(value)));
        const place = { x, y };
        const joined = last === null ? [] : [[x(history.length), y(last)] as const];
        return (
          <>
            {intervals
              .toSorted((a, b) => b.level - a.level)
              .map(({ level, upper, lower }) => (
                <path key={level} class="band" d={area(ahead(upper, place), ahead(lower, place))} />
              ))}
            <path class="series" d={observedPath(history.slice(first - 1), first, width, place)} />
            <path class="series series-ahead" d={path([...joined, ...ahead(forecast, place)])} />
            {outliers.map((each) => (
              <OutlierMark key={each.step} {...each} x={x(each.step)} y={y(each.value)} width={width} top={frame.top} />
            ))}
            {guesses.map((value, i) => (
              <circle class="guess hollow tone-warn" key={i} cx={x(held + i)} cy={y(value)} r="2.6" />
            ))}
            <Pointer
              {...room}
              places={Array.from({ length: steps[1] - first + 1 }, (_, i) => x(first + i))}
              at={at - first}
              point={(i) => point(first + i)}
            >
              {valueAt !== null && <circle class="ring" cx={x(at)} cy={y(valueAt)} r="5" />}
            </Pointer>
          </>
        );
      }}
    </Plane>
  );
}

/** The part of a date that tells the steps of a unit apart. */
const partOf = {
  hour: 'hour',
  day: 'day',
  business_day: 'day',
  week: 'day',
  month: 'month',
  month_end: 'month',
  quarter: 'month',
  year: 'year',
} as const;

/** Returns what an axis from `first` on shows in place of numbers; nothing for a mission without dates. */
function useDateAxis({ result, history, dates }: Series) {
  const { t, f } = useWordsOf(words);
  return (first: number, width: number) => {
    if (dates === null) return null;
    const { unit } = dates.step;
    const offset = offsetOf(dates);
    const part = partOf[unit];
    const wanted = (width - frame.left - frame.right) / date_pixels;
    return {
      label: offset === null ? t.result.date : t.result.dateAxis(offset),
      marked: dateTicks(first, history.length + result.forecast.length, history.length + 1, unit, wanted),
      print: (step: number) => f.datePart(dateOf(dates, step) ?? '', part),
    };
  };
}

interface HeldProps {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly name: string;
}

const Held = ({ from, to, height, name }: HeldProps) => (
  <g class="held">
    <rect x={from} y={frame.top} width={Math.max(0, to - from)} height={height - frame.top - frame.bottom} />
    <text x={(from + to) / 2} y={frame.top - 7} text-anchor="middle">
      {name}
    </text>
  </g>
);

interface OutlierProps extends DrawnOutlier {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** The upper end of the field. */
  readonly top: number;
}

/** A ring around an outlier; one that lies beyond the scale has its value beside it, and the line to it is broken. */
function OutlierMark({ value, x, y, width, top, isBeyond: isBroken }: OutlierProps) {
  const { f } = useWordsOf(words);
  const isRight = x > width / 2;
  const down = y > top + 1 ? -1 : 1;
  return (
    <g class="outlier tone-bad">
      {isBroken && <path class="axis-break" d={`M${x - 7} ${y + down * 22}l14 -5m-14 11l14 -5`} />}
      <circle class="ring" cx={x} cy={y} r="5" />
      {isBroken && (
        <text x={isRight ? x - 10 : x + 10} y={y} dy={down > 0 ? '0.75em' : '-0.1em'} text-anchor={isRight ? 'end' : 'start'}>
          {f.number(value)}
        </text>
      )}
    </g>
  );
}

/** How many outliers are named. */
const named_outliers_max = 5;

/** The outliers, each with its step or date and what stands for it. @param first the first step that is drawn */
function Outliers({ first, ...series }: Series & { readonly first: number }) {
  const { t, f, language } = useWordsOf(words);
  const name = useStepName(series);
  const all = outliersOf(series.result);
  if (all.length === 0) return null;
  const beyond = scaleOf(series, first).outliers.flatMap(({ step, isBeyond }) => (isBeyond ? [step] : []));
  const more = all.length - named_outliers_max;
  return (
    <ul class="marked outliers">
      {all.slice(0, named_outliers_max).map((each) => (
        <li key={each.step}>
          <Explained means={explanations[language].outlier}>{t.result.outlier}</Explained>{' '}
          {t.result.outlierIs(name(each.step), f.number(each.value), f.number(each.replacement))}
          {beyond.includes(each.step) && ` ${t.result.beyond}`}
        </li>
      ))}
      {more > 0 && <li>{t.result.moreOutliers(f.number(more))}</li>}
    </ul>
  );
}
