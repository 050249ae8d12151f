/** The places of the labels at the ends of lines. */

const label_height = 13;
const label_width = 16;

/** Heights of labels at `[x, y]`, moved downwards where one would lie upon another. */
export function apart(ends: readonly (readonly [x: number, y: number])[]): number[] {
  const out = ends.map(([, y]) => y);
  const set: number[] = [];
  for (const i of Array.from(ends.keys()).toSorted((a, b) => (out[a] ?? 0) - (out[b] ?? 0) || a - b)) {
    const [x = 0] = ends[i] ?? [];
    for (const other of set) {
      const isBeside = Math.abs((ends[other]?.[0] ?? 0) - x) >= label_width;
      if (!isBeside) out[i] = Math.max(out[i] ?? 0, (out[other] ?? 0) + label_height);
    }
    set.push(i);
  }
  return out;
}
