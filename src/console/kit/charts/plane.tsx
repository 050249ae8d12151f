/** The field of a chart: two axes, and the scales that place things between them. */
import type { ComponentChildren } from 'preact';
import { XAxis, YAxis, type Frame } from './axes.js';
import { linear, type Scale, type Span } from './scale.js';

interface Direction {
  readonly span: Span;
  /** The part of the span that has labels; the whole of it without. */
  readonly labelled?: Span;
  readonly label?: string;
  readonly whole?: boolean;
  readonly print?: (value: number) => string;
  /** The values that have labels, in place of round ones. */
  readonly marked?: readonly number[];
}

export interface Place {
  readonly x: Scale;
  readonly y: Scale;
}

interface PlaneProps {
  readonly frame: Frame;
  readonly width: number;
  readonly height: number;
  readonly x: Direction;
  readonly y: Direction;
  /** What lies behind the grid. */
  readonly behind?: (place: Place) => ComponentChildren;
  readonly children: (place: Place) => ComponentChildren;
}

export function Plane({ frame, width, height, x, y, behind, children }: PlaneProps) {
  const place: Place = {
    x: linear(x.span, [frame.left, width - frame.right]),
    y: linear(y.span, [height - frame.bottom, frame.top]),
  };
  const room = { frame, width, height };
  return (
    <>
      {behind?.(place)}
      <YAxis {...room} {...y} scale={place.y} span={y.labelled ?? y.span} />
      <XAxis {...room} {...x} scale={place.x} span={x.labelled ?? x.span} />
      {children(place)}
    </>
  );
}
