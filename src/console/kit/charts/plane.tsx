/** The field of a chart: two axes, and the scales that place things between them. */
import type { ComponentChildren } from 'preact';
import { useText } from '../text/context.js';
import { linear, type Scale, type Span, ticks } from './scale.js';

/** The size of a chart, in pixels. */
export type Room = { readonly width: number; readonly height: number };

export interface Direction {
  readonly span: Span;
  /** The part of the span that has labels; the whole of it without. */
  readonly labelled?: Span;
  readonly label?: string;
  /** Years and other things that are counted have no labels between them. */
  readonly whole?: boolean;
  /** Writes a value; as a number without it. */
  readonly print?: (value: number) => string;
  /** The values that have labels, in place of round ones. */
  readonly marked?: readonly number[];
}

export type Place = { readonly x: Scale; readonly y: Scale };

interface PlaneProps extends Room {
  readonly frame: Frame;
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

/** Room around the field of a chart, in pixels. */
export interface Frame {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

type AxisProps = Omit<Direction, 'labelled'> & Room & { readonly scale: Scale; readonly frame: Frame };

/** Returns the values that have labels, at least `pixels` apart. */
function places(span: Span, room: number, pixels: number, whole: boolean): number[] {
  const wanted = room / pixels;
  return ticks(span, whole ? Math.min(wanted, span[1] - span[0]) : wanted);
}

const y_tick_pixels = 44;
const x_tick_pixels = 90;

/** The name of the vertical axis, above its labels, at the left edge of the chart. */
function YAxis({ scale, span, frame, width, height, label, whole = false, print }: AxisProps) {
  const { f } = useText();
  return (
    <g class="axis">
      {label !== undefined && (
        <text class="axis-name" x={0} y={12}>
          {label}
        </text>
      )}
      {places(span, height - frame.top - frame.bottom, y_tick_pixels, whole).map((value) => (
        <g key={value}>
          <line x1={frame.left} x2={width - frame.right} y1={scale(value)} y2={scale(value)} />
          <text x={frame.left - 8} y={scale(value)} dy="0.32em" text-anchor="end">
            {(print ?? f.number)(value)}
          </text>
        </g>
      ))}
    </g>
  );
}

interface XLabel {
  readonly text: string;
  /** Its middle. */
  readonly x: number;
}

/** Returns the labels that do not run into the one before them. */
function apart(labels: readonly XLabel[]): readonly XLabel[] {
  const kept: XLabel[] = [];
  for (const label of labels) {
    const before = kept.at(-1);
    const room = before === undefined ? 0 : ((before.text.length + label.text.length) / 2) * char_pixels;
    if (before === undefined || label.x - before.x >= room) kept.push(label);
  }
  return kept;
}

/** The width of a character of a label, about. */
const char_pixels = 6.9;

export function XAxis({ scale, span, frame, width, height, label, whole = false, print, marked }: AxisProps) {
  const { f } = useText();
  const bottom = height - frame.bottom;
  const values = marked ?? places(span, width - frame.left - frame.right, x_tick_pixels, whole);
  /** A label at an edge moves inwards rather than being cut off. */
  const inside = (x: number, text: string): number => {
    const half = (text.length * char_pixels) / 2;
    return Math.max(half, Math.min(width - half, x));
  };
  return (
    <g class="axis">
      <line class="strong" x1={frame.left} x2={width - frame.right} y1={bottom} y2={bottom} />
      {values.map((value) => (
        <line key={value} class="strong" x1={scale(value)} x2={scale(value)} y1={bottom} y2={bottom + 5} />
      ))}
      {apart(
        values.map((value) => {
          const text = (print ?? f.number)(value);
          return { text, x: inside(scale(value), text) };
        }),
      ).map(({ text, x }) => (
        <text key={x} x={x} y={bottom + 18} text-anchor="middle">
          {text}
        </text>
      ))}
      {label !== undefined && (
        <text class="axis-name" x={(frame.left + width - frame.right) / 2} y={height - 6} text-anchor="middle">
          {label}
        </text>
      )}
    </g>
  );
}
