/** Lines, bands and points over steps: values on the left, one or more columns a step, or several steps a column. */
import { Canvas } from './canvas.js';
import { type Colour, marks, type Screen } from './screen.js';

/** Lowest and highest of the values that one column shows. */
export type Span = readonly [number, number];

/** The spans of consecutive runs of `per` values, the last run whole. */
export function spans(values: readonly number[], per: number): Span[] {
  const out: Span[] = [];
  for (let end = values.length; end > 0; end -= per) out.push(spanOf(values.slice(Math.max(0, end - per), end)));
  return out.toReversed();
}

/** As `spans`, the first run whole. */
export function spansForward(values: readonly number[], per: number): Span[] {
  const out: Span[] = [];
  for (let start = 0; start < values.length; start += per) out.push(spanOf(values.slice(start, start + per)));
  return out;
}

/** NaN, a step without a value, does not count. */
export function spanOf(values: readonly number[]): Span {
  const known = values.filter((value) => !Number.isNaN(value));
  return [
    known.reduce((least, value) => Math.min(least, value), Infinity),
    known.reduce((most, value) => Math.max(most, value), -Infinity),
  ];
}

/** The span of all values, widened where they are all the same. */
export function scaleOf(values: readonly number[]): Span {
  const [low, high] = spanOf(values);
  if (low < high) return [low, high];
  const room = Math.abs(low) / 10 || 1;
  return [low - room, high + room];
}

const label_every = 3;

/** A value for every third row, equally wide; blanks for the others. */
export function valueLabels([low, high]: Span, rows: number): string[] {
  const step = (high - low) / (rows - 1);
  const all = Array.from({ length: rows }, (_, y) => y);
  const texts = marks(
    all.map((y) => high - step * y),
    step * label_every,
  ).map((text, y) => (y % label_every === 0 ? text : ''));
  const width = Math.max(...texts.map((text) => text.length));
  return texts.map((text) => text.padStart(width));
}

export class Chart {
  readonly canvas: Canvas;
  constructor(
    columns: number,
    readonly rows: number,
    private readonly scale: Span,
    private readonly screen: Screen,
  ) {
    this.canvas = new Canvas(columns, rows);
  }

  row(value: number): number {
    const [low, high] = this.scale;
    return Math.round(((high - value) / (high - low)) * (this.rows - 1));
  }

  fill(x: number, [low, high]: Span, glyph: string, colour: Colour): void {
    for (let y = this.row(high); y <= this.row(low); y++) this.canvas.put(x, y, glyph, colour);
  }

  /** Draws a line through single values that begins where `before` ended; returns where it ends. It is broken where a value is NaN. */
  line(x0: number, values: readonly number[], before: number | null, colour: Colour | null): number | null {
    const { across, upright, turns } = this.screen.glyphs;
    let last = before === null ? null : this.row(before);
    values.forEach((value, i) => {
      if (Number.isNaN(value)) {
        last = null;
        return;
      }
      const x = x0 + i;
      const y = this.row(value);
      if (last === null || last === y) this.canvas.put(x, y, across, colour);
      else {
        const up = y < last;
        for (let between = Math.min(y, last) + 1; between < Math.max(y, last); between++)
          this.canvas.put(x, between, upright, colour);
        this.canvas.put(x, last, up ? turns[3] : turns[1], colour);
        this.canvas.put(x, y, up ? turns[0] : turns[2], colour);
      }
      last = y;
    });
    const end = values.at(-1) ?? before;
    return Number.isNaN(end) ? null : end;
  }

  /** Upright strokes over what each column stands for. */
  strokes(x0: number, columns: readonly Span[], colour: Colour | null): void {
    const { across, upright } = this.screen.glyphs;
    columns.forEach((span, i) => {
      const flat = this.row(span[0]) === this.row(span[1]);
      this.fill(x0 + i, span, flat ? across : upright, colour ?? 'bold');
    });
  }

  /** The field with these values at its left. */
  lines(labels: readonly string[]): string[] {
    const { paint, glyphs } = this.screen;
    return labels.map((label, y) => `${label} ${paint('grey', glyphs.upright)}${this.canvas.row(y, this.screen)}`);
  }
}
