/** The observed history, what was predicted while held out, and the forecast with its intervals. */
import { useState } from 'preact/hooks';
import type { ForecastView } from '../../../../kinds/forecast/view.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';
import type { Frame } from '../../../kit/charts/axes.js';
import { Figure } from '../../../kit/charts/figure.js';
import { Plane, type Place } from '../../../kit/charts/plane.js';
import { area, path, spanOf, thinned, widened, type Span } from '../../../kit/charts/scale.js';
import { DataTable } from '../../../kit/charts/table.js';

const frame: Frame = { top: 22, right: 12, bottom: 46, left: 58 };
/** The tail of the history that is shown at first, in lengths of what is held out and ahead. */
const tail_lengths = 4;
const tail_steps_min = 40;
/** A narrow chart shows less of the past rather than a tangle. */
const step_pixels_min = 4;
const heightOf = (width: number): number => Math.max(260, Math.min(380, width * 0.45));

interface FanProps {
  readonly result: ForecastView;
  readonly history: readonly number[];
}

export function Fan({ result, history }: FanProps) {
  const { t, f } = useWordsOf(words);
  const [whole, setWhole] = useState(false);
  const { forecast, holdout_actual, unit } = result;
  const tail = Math.max(tail_steps_min, tail_lengths * (forecast.length + holdout_actual.length));
  const first = whole ? 0 : Math.max(0, history.length - tail);
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
      legend={<Legend result={result} />}
      table={() => <Tables result={result} count={history.length} />}
    >
      {(width) => {
        const past = Math.max(2 * holdout_actual.length, Math.floor(width / step_pixels_min) - forecast.length);
        const from = whole ? 0 : Math.max(first, history.length - past);
        return <Picture result={result} history={history} first={from} width={width} height={heightOf(width)} />;
      }}
    </Figure>
  );
}

interface PictureProps extends FanProps {
  readonly first: number;
  readonly width: number;
  readonly height: number;
}

/** Observations are counted from 1; the steps ahead go on counting. */
function Picture({ result, history, first, width, height }: PictureProps) {
  const { t } = useWordsOf(words);
  const { forecast, intervals, holdout_predictions: guesses } = result;
  const shown = history.slice(first);
  const values = [...shown, ...forecast, ...guesses, ...intervals.flatMap(({ lower, upper }) => [...lower, ...upper])];
  const span = widened(spanOf(values), 0.05);
  const steps: Span = [first + 1, history.length + Math.max(1, forecast.length)];
  const start = history.length + 1;
  const last = history.at(-1);
  const held = start - guesses.length;
  const ahead = (values: readonly number[], { x, y }: Place) => values.map((value, i) => [x(start + i), y(value)] as const);
  return (
    <Plane
      frame={frame}
      width={width}
      height={height}
      x={{ span: steps, label: t.result.step }}
      y={{ span }}
      behind={({ x }) => <Held from={x(held - 0.5)} to={x(history.length + 0.5)} height={height} shown={guesses.length > 0} />}
    >
      {(place) => {
        const { x, y } = place;
        const joined = last === undefined ? [] : [[x(history.length), y(last)] as const];
        return (
          <>
            {intervals
              .toSorted((a, b) => b.level - a.level)
              .map(({ level, upper, lower }, i) => (
                <path key={level} class={`band band-${i}`} d={area(ahead(upper, place), ahead(lower, place))} />
              ))}
            <path
              class="series series-observed"
              d={path(thinned(shown, width).map(([i, value]) => [x(first + i + 1), y(value)] as const))}
            />
            <path class="series series-ahead" d={path([...joined, ...ahead(forecast, place)])} />
            {guesses.map((value, i) => (
              <circle class="guess" key={i} cx={x(held + i)} cy={y(value)} r="2.6" />
            ))}
          </>
        );
      }}
    </Plane>
  );
}

function Held({
  from,
  to,
  height,
  shown,
}: {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly shown: boolean;
}) {
  const { t } = useWordsOf(words);
  if (!shown) return null;
  return (
    <g class="held">
      <rect x={from} y={frame.top} width={Math.max(0, to - from)} height={height - frame.top - frame.bottom} />
      <text x={(from + to) / 2} y={frame.top - 7} text-anchor="middle">
        {t.result.holdout}
      </text>
    </g>
  );
}

function Legend({ result: { intervals, holdout_predictions: guesses } }: { readonly result: ForecastView }) {
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

function Tables({ result, count }: { readonly result: ForecastView; readonly count: number }) {
  const { t, f } = useWordsOf(words);
  const { forecast, intervals, holdout_actual: actual, holdout_predictions: guesses } = result;
  const between = (lower: number | undefined, upper: number | undefined): string =>
    `${t.result.from} ${f.number(lower ?? 0)} ${t.result.to} ${f.number(upper ?? 0)}`;
  return (
    <>
      <DataTable
        label={t.result.forecastTable}
        head={[t.result.step, t.result.value, ...intervals.map(({ level }) => t.result.interval(f.number(level)))]}
        rows={forecast.map((value, i) => [
          `+${i + 1}`,
          f.number(value),
          ...intervals.map(({ lower, upper }) => between(lower[i], upper[i])),
        ])}
      />
      <DataTable
        label={t.result.holdoutTable}
        head={[t.result.step, t.result.actual, t.result.guess, t.result.error]}
        rows={actual.map((value, i) => [
          f.number(count - actual.length + i + 1),
          f.number(value),
          f.number(guesses[i] ?? 0),
          f.signed((guesses[i] ?? 0) - value),
        ])}
      />
    </>
  );
}
