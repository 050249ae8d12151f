/** The places of the labels at the ends of lines. */

const label_height = 13;
const label_width = 16;

/** Heights of labels at `[x, y]`, moved downwards where one would lie upon another, and upwards where that leads below `bottom`. */
export function apart(ends: readonly (readonly [x: number, y: number])[], bottom: number): number[] {
  const out = ends.map(([, y]) => y);
  const order = Array.from(ends.keys()).toSorted((a, b) => (out[a] ?? 0) - (out[b] ?? 0) || a - b);
  const isBeside = (i: number, j: number): boolean => Math.abs((ends[j]?.[0] ?? 0) - (ends[i]?.[0] ?? 0)) >= label_width;
  const move = (places: readonly number[], moved: (own: number, other: number) => number): void => {
    for (const [nth, i] of places.entries())
      for (const other of places.slice(0, nth)) if (!isBeside(i, other)) out[i] = moved(out[i] ?? 0, out[other] ?? 0);
  };
  move(order, (own, other) => Math.max(own, other + label_height));
  for (const i of order) out[i] = Math.min(out[i] ?? 0, bottom);
  move(order.toReversed(), (own, other) => Math.min(own, other - label_height));
  return out;
}
