/** Sparklines: a line of values, one character high. */
import type { Screen } from '../../pictures/screen.js';

const unicode = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const ascii = ['_', '.', ',', '-', '~', '=', '*', '#'] as const;

/** Draws values from 0 to 1, one character each; at most `columns` of them, evenly spaced, the first and the last included. */
export function sparkline(values: readonly number[], columns: number, { glyphs }: Screen): string {
  const steps = glyphs.full === '█' ? unicode : ascii;
  return evenly(values, columns)
    .map((value) => steps[Math.round(Math.min(1, Math.max(0, value)) * (steps.length - 1))] ?? '')
    .join('');
}

/** Returns at most `most` items, evenly spaced, the first and the last included. */
export function evenly<A>(items: readonly A[], most: number): A[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))] as A);
}
