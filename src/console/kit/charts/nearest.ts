/** The point of a chart that a pointer means. */

export interface Points {
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
