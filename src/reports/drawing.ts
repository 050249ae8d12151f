/** Charts as SVG texts: scales, axes and marks. Only arithmetic that every machine does alike, so that a chart has the same bytes everywhere. */
import { numberText } from './content.js';
import { escaped } from './text.js';

export const width = 720;

export type Span = readonly [from: number, to: number];
export type Scale = (value: number) => number;

/** Room around the field of a chart, in its units. */
export const field = { left: 64, right: width - 12, top: 26 } as const;

/** Maps a span of values onto a span of places; an empty span lands in the middle. */
export const linear = ([a, b]: Span, [from, to]: Span): Scale =>
  b > a ? (value) => from + ((value - a) / (b - a)) * (to - from) : () => (from + to) / 2;

/** Returns the lowest and highest value with a share of their distance at both ends. */
export function spanOf(values: readonly number[], share = 0.05): Span {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(least <= most)) return [0, 1];
  const room = most > least ? (most - least) * share : Math.max(1, Math.abs(least)) * share;
  return [least - room, most + room];
}

/** Returns round values of a span, about `wanted` of them, at steps of 1, 2 or 5 times a power of ten. */
export function ticks([a, b]: Span, wanted: number): number[] {
  if (!(b > a)) return [a];
  const least = (b - a) / wanted;
  // The digits of a number are the same everywhere; its logarithm is not.
  const power = Number(`1e${least.toExponential().split('e')[1]}`);
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
  const out: number[] = [];
  for (let i = Math.ceil(a / step); i * step <= b && out.length < 100; i++) out.push(Number((i * step).toPrecision(12)));
  return out;
}

const at = (value: number): string => String(Number(value.toFixed(1)));

type Attributes = Readonly<Record<string, string | number>>;
const attributes = (given: Attributes): string =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? at(value) : escaped(value)}"`)
    .join('');

export const shape = (name: 'rect' | 'line' | 'circle' | 'path', given: Attributes): string => `<${name}${attributes(given)}/>`;

export const label = (text: string, x: number, y: number, given: Attributes = {}): string =>
  `<text${attributes({ x, y, ...given })}>${escaped(text)}</text>`;

type Points = readonly (readonly [x: number, y: number])[];

/** Returns the path through points. */
export const pathOf = (points: Points): string => points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('');

/** Returns the path around what lies between two lines. */
export const areaOf = (upper: Points, lower: Points): string => `${pathOf([...upper, ...lower.toReversed()])}Z`;

/** Draws the grid of the vertical axis and its name. */
export function yAxis(scale: Scale, span: Span, name: string): string {
  const lines = ticks(span, 6).map(
    (value) =>
      shape('line', { class: 'grid', x1: field.left, x2: field.right, y1: scale(value), y2: scale(value) }) +
      label(numberText(value), field.left - 8, scale(value) + 4, { 'text-anchor': 'end' }),
  );
  return label(name, 0, 12, { class: 'axis' }) + lines.join('');
}

export type Mark = readonly [value: number, text: string];

const char_units = 6;

/** Draws the horizontal axis at `bottom` with its marks, which stay inside, and its name. */
export function xAxis(scale: Scale, marks: readonly Mark[], bottom: number, name: string, left: number = field.left): string {
  const inside = (x: number, text: string): number => {
    const half = (text.length * char_units) / 2;
    return Math.max(half, Math.min(width - half, x));
  };
  const drawn = marks.map(
    ([value, text]) =>
      shape('line', { class: 'tick', x1: scale(value), x2: scale(value), y1: bottom, y2: bottom + 5 }) +
      label(text, inside(scale(value), text), bottom + 18, { 'text-anchor': 'middle' }),
  );
  const middle = (left + field.right) / 2;
  const line = shape('line', { class: 'base', x1: left, x2: field.right, y1: bottom, y2: bottom });
  return line + drawn.join('') + label(name, middle, bottom + 36, { class: 'axis', 'text-anchor': 'middle' });
}

/** The colours of things that are told apart, by number. */
export const tones = 10;
export const toneOf = (index: number): string => `t${index % tones}`;
