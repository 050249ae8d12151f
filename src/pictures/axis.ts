/** Axes of the pictures: round steps for times, and labels that never run into each other. */
import { Canvas } from './canvas.js';
import { figure, type Screen } from './screen.js';

export interface Mark {
  readonly column: number;
  readonly label: string;
}

/** The smallest of 1, 2, 5, 10, 20, … that is at least `least`. */
export function roundStep(least: number): number {
  let power = 1;
  while (power * 10 <= least) power *= 10;
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** Round times from `from` to `to` over a number of columns. */
export function timeMarks(from: number, to: number, columns: number, labelOf: (time: number) => string = figure): Mark[] {
  const span = to - from;
  if (!(span > 0)) return [{ column: 0, label: labelOf(from) }];
  const label_columns = Math.max(labelOf(from).length, labelOf(to).length) + 3;
  const step = roundStep(Math.max(1, (span * label_columns) / columns));
  const marks: Mark[] = [];
  const first = Math.ceil(from / step) * step;
  for (let i = 0; i <= columns && first + i * step <= to; i++) {
    const time = first + i * step;
    marks.push({ column: Math.round(((time - from) / span) * columns), label: labelOf(time) });
  }
  return marks;
}

/** The axis under a field of a number of columns: a line with ticks, and the labels; a label without room is left away, earlier ones stay. */
export function axisLines(marks: readonly Mark[], columns: number, indent: string, screen: Screen): string[] {
  const { glyphs } = screen;
  const canvas = new Canvas(columns + 1, 2);
  canvas.text(0, 0, glyphs.corner + glyphs.across.repeat(columns), 'grey');
  const taken: (readonly [number, number])[] = [];
  for (const { column, label } of marks) {
    const end = columns + 1 - label.length;
    const left = Math.max(0, Math.min(end, column - Math.floor(label.length / 2)));
    canvas.put(Math.min(columns, column), 0, column === 0 ? glyphs.corner : glyphs.tick, 'grey');
    if (taken.some(([a, b]) => left <= b && left + label.length >= a)) continue;
    taken.push([left, left + label.length]);
    canvas.text(left, 1, label);
  }
  return canvas.rows(screen).map((line) => indent + line);
}
