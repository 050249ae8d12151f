/** A chart over the years of a run, one of which is pointed at. */
import type { ComponentChildren } from 'preact';
import { Pointer } from '../../kit/charts/cursor.js';
import { Figure, type FigureProps } from '../../kit/charts/figure.js';
import { type Direction, type Frame, type Place, Plane, type Room } from '../../kit/charts/plane.js';
import type { Span } from '../../kit/charts/scale.js';
import { useWords } from '../text/words.js';

/** The year that is pointed at, as its place among the years. */
export type Pointing = { readonly at: number; readonly point: (at: number) => void };

interface YearsProps extends Omit<FigureProps, 'children' | 'reader'>, Pointing {
  readonly years: readonly number[];
  /** The first and the last position of the years on the axis; a single year is in the middle. */
  readonly span?: Span;
  readonly frame: Frame;
  readonly y: Direction;
  /** The values of the year, which a slider reads. */
  readonly reading?: string;
  /** What marks the year beside the line. */
  readonly mark: (place: Place) => ComponentChildren;
  readonly children: (place: Place, room: Room) => ComponentChildren;
}

export function ByYear({ years, span, frame, y, at, point, reading, mark, children, ...figure }: YearsProps) {
  const { t } = useWords();
  const label = t.forecast.year;
  const [first = 1, last = 1] = [years[0], years.at(-1)];
  const x = { span: span ?? (first === last ? ([first - 0.5, last + 0.5] as const) : ([first, last] as const)) };
  return (
    <Figure
      {...figure}
      reader={() => (reading === undefined ? null : { label, count: years.length, at, choose: point, reading })}
    >
      {(room) => (
        <Plane {...room} frame={frame} x={{ ...x, labelled: [first, last], whole: true, label }} y={y}>
          {(place) => (
            <>
              {children(place, room)}
              <Pointer {...room} frame={frame} places={years.map(place.x)} at={at} point={point}>
                {mark(place)}
              </Pointer>
            </>
          )}
        </Plane>
      )}
    </Figure>
  );
}

/** A point on a line. */
export const Dot = ({ x, y }: { readonly x: number; readonly y: number }) => <circle class="dot" cx={x} cy={y} r="4" />;
