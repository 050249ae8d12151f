/** Scales of the charts, and paths along them. */

export type Span = readonly [from: number, to: number];
export type Scale = (value: number) => number;

/** Maps a span of values onto a span of pixels; an empty span lands in the middle. In halves, no length is beyond the range of doubles. */
export function linear([a, b]: Span, [from, to]: Span): Scale {
  if (!(b > a)) return () => (from + to) / 2;
  return (value) => from + ((value / 2 - a / 2) / (b / 2 - a / 2)) * (to - from);
}

/** Round values from `a` to `b`, about `wanted` of them, at steps of 1, 2 or 5 times a power of ten. */
export function ticks([a, b]: Span, wanted: number): number[] {
  if (!(b > a)) return [a];
  const least = b / Math.max(1, wanted) - a / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(a / step - 1e-9);
  const out: number[] = [];
  for (let i = first; i * step <= b + step * 1e-9 && out.length < 1000; i++) out.push(Number((i * step).toPrecision(12)));
  return out;
}

/** Lowest and highest, or [0, 1] of nothing. */
export function spanOf(values: Iterable<number>): Span {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : [0, 1];
}

/** The span with a share of its length added at both ends; a single value gets room as well, and nothing but 0 is a span from 0. */
export function widened([a, b]: Span, share: number): Span {
  if (a === 0 && b === 0) return [0, 1];
  const room = b > a ? b * share - a * share : Math.max(1, Math.abs(a)) * share;
  return [a - room, b + room];
}

type Line = readonly (readonly [x: number, y: number])[];

/** An SVG path through points; coordinates to a tenth of a pixel. */
export const path = (points: Line): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** An SVG path around what lies between two lines. */
export const area = (upper: Line, lower: Line): string => `${path([...upper, ...lower.toReversed()])}Z`;

/** Returns the lowest and highest value of each pixel of a long series, in order, so that no spike is lost. */
export function thinned(values: readonly number[], columns: number): readonly (readonly [index: number, value: number])[] {
  if (values.length <= columns * 2) return values.map((value, i) => [i, value] as const);
  const out: (readonly [number, number])[] = [];
  const per = values.length / columns;
  for (let column = 0; column < columns; column++) {
    const from = Math.floor(column * per);
    const to = Math.max(from + 1, Math.floor((column + 1) * per));
    let low = from;
    let high = from;
    for (let i = from; i < to; i++) {
      if ((values[i] ?? 0) < (values[low] ?? 0)) low = i;
      if ((values[i] ?? 0) > (values[high] ?? 0)) high = i;
    }
    for (const i of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) out.push([i, values[i] ?? 0]);
  }
  return out;
}

/** The point of a chart that a pointer means. */
interface Points {
  /** The place of each point, in pixels. */
  readonly xs: ArrayLike<number>;
  readonly ys: ArrayLike<number>;
}

/** Returns the one of `among` that is nearest to a place and not further than `reach` pixels, the first of equals; null when there is none. */
export function nearest(
  { xs, ys }: Points,
  among: Iterable<number>,
  [px, py]: readonly [number, number],
  reach: number,
): number | null {
  let found: number | null = null;
  let least = reach * reach;
  for (const i of among) {
    const dx = (xs[i] ?? Infinity) - px;
    const dy = (ys[i] ?? Infinity) - py;
    const distance = dx * dx + dy * dy;
    if (distance > least || (found !== null && distance === least)) continue;
    least = distance;
    found = i;
  }
  return found;
}
