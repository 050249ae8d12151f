/** The fan chart itself, with a cursor on one of its steps. */
import type { Frame } from '../../../kit/charts/axes.js';
import { Plane, type Place } from '../../../kit/charts/plane.js';
import { Pointer } from '../../../kit/charts/pointer.js';
import { area, path, spanOf, thinned, widened, type Span } from '../../../kit/charts/scale.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { dateTicks } from './date-ticks.js';
import { dateOf, offsetOf } from './dates.js';
import type { Series } from './steps.js';
import { words } from './words.js';

/** The room of a date at the axis. */
const date_pixels = 105;
const frame: Frame = { top: 38, right: 12, bottom: 46, left: 58 };

interface PictureProps extends Series {
  /** The first step that is drawn. */
  readonly first: number;
  /** The step under the cursor. */
  readonly at: number;
  readonly point: (step: number) => void;
  readonly width: number;
  readonly height: number;
}

export function FanPicture({ result, history, dates, first, at, point, width, height }: PictureProps) {
  const { t } = useWordsOf(words);
  const dateAxis = useDateAxis({ result, history, dates });
  const { forecast, intervals, holdout_predictions: guesses, unit } = result;
  const shown = history.slice(first - 1);
  const values = [...shown, ...forecast, ...guesses, ...intervals.flatMap(({ lower, upper }) => [...lower, ...upper])];
  const steps: Span = [first, history.length + Math.max(1, forecast.length)];
  const start = history.length + 1;
  const last = history.at(-1);
  const held = start - guesses.length;
  const ahead = (values: readonly number[], { x, y }: Place) => values.map((value, i) => [x(start + i), y(value)] as const);
  const valueAt = at >= start ? forecast[at - start] : history[at - 1];
  const room = { frame, width, height };
  return (
    <Plane
      {...room}
      x={{ span: steps, label: t.result.axis, ...dateAxis(first, width) }}
      y={{ span: widened(spanOf(values), 0.05), label: unit }}
      behind={({ x }) =>
        guesses.length > 0 && <Held from={x(held - 0.5)} to={x(history.length + 0.5)} height={height} name={t.result.holdout} />
      }
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
              d={path(thinned(shown, width).map(([i, value]) => [x(first + i), y(value)] as const))}
            />
            <path class="series series-ahead" d={path([...joined, ...ahead(forecast, place)])} />
            {guesses.map((value, i) => (
              <circle class="guess" key={i} cx={x(held + i)} cy={y(value)} r="2.6" />
            ))}
            <Pointer
              {...room}
              places={Array.from({ length: steps[1] - first + 1 }, (_, i) => x(first + i))}
              at={at - first}
              point={(i) => point(first + i)}
            >
              {valueAt !== undefined && <circle class="cursor" cx={x(at)} cy={y(valueAt)} r="5" />}
            </Pointer>
          </>
        );
      }}
    </Plane>
  );
}

interface DateAxis {
  readonly label: string;
  readonly marked: readonly number[];
  readonly print: (step: number) => string;
}

/** Returns what an axis from `first` on shows in place of numbers; nothing for a mission without dates. */
function useDateAxis({ result, history, dates }: Series): (first: number, width: number) => DateAxis | null {
  const { t, f } = useWordsOf(words);
  return (first, width) => {
    if (dates === null) return null;
    const { unit } = dates.step;
    const offset = offsetOf(dates);
    const part = unit === 'week' ? 'day' : unit === 'quarter' ? 'month' : unit;
    const wanted = (width - frame.left - frame.right) / date_pixels;
    return {
      label: offset === null ? t.result.date : t.result.dateAxis(offset),
      marked: dateTicks(first, history.length + result.forecast.length, history.length + 1, unit, wanted),
      print: (step) => f.datePart(dateOf(dates, step) ?? '', part),
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
