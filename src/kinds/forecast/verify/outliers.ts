/** The verifier's own search for outliers: see `plain.ts` on the order of operations. */

export interface Replaced {
  readonly index: number;
  readonly value: number;
  readonly replacement: number;
}

export interface Clean {
  readonly values: Float64Array;
  readonly outliers: readonly Replaced[];
}

const medianOf = (values: Iterable<number>): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2;
};

/** Returns the series with its outliers replaced, and the outliers by position. */
export function cleaned(series: Float64Array): Clean {
  const marked = positions(series);
  const isMarked = series.map(() => 0);
  for (const t of marked) isMarked[t] = 1;
  const values = series.slice();
  for (const t of marked) values[t] = substitute(series, t, isMarked);
  return {
    values,
    outliers: marked.map((index) => ({ index, value: series[index] ?? 0, replacement: values[index] ?? 0 })),
  };
}

function substitute(series: Float64Array, t: number, isMarked: Float64Array): number {
  let left = t - 1;
  while (left >= 0 && isMarked[left] === 1) left -= 1;
  let right = t + 1;
  while (right < series.length && isMarked[right] === 1) right += 1;
  const steps = (from: number, to: number): number[] => {
    const found: number[] = [];
    for (let i = from; i < to; i++) {
      if (isMarked[i] === 0 && isMarked[i + 1] === 0) found.push((series[i + 1] ?? 0) - (series[i] ?? 0));
    }
    return found;
  };
  const usual = (changes: number[]): number => (changes.length === 0 ? 0 : medianOf(changes));
  if (left < 0) {
    return (series[right] ?? 0) - (right - t) * usual(steps(right, Math.min(series.length - 1, right + 16)));
  }
  const start = series[left] ?? 0;
  if (right >= series.length) return start + (t - left) * usual(steps(Math.max(0, left - 16), left));
  return start + (((series[right] ?? 0) - start) * (t - left)) / (right - left);
}

/**
 * Returns the positions whose distance beyond both sides is at least ten usual changes and twice that of the next most distant one: at
 * most a twentieth of the series (one at least), and twenty.
 */
function positions(series: Float64Array): number[] {
  const { length } = series;
  const moves = Array.from({ length: length - 1 }, (_, i) => Math.abs((series[i + 1] ?? 0) - (series[i] ?? 0)));
  const floor = Math.max(medianOf(moves), 0.01 * medianOf(series.map((v) => Math.abs(v))));
  if (floor === 0) return [];
  const rated = Array.from(series, (_, t) => {
    const distance = Math.max(beyond(series, t, 1), beyond(series, t, -1));
    return { t, ratio: distance > floor * 5 ? distance / Math.max(floor, usualMove(moves, t)) : 0 };
  });
  rated.sort((a, b) => (a.ratio === b.ratio ? a.t - b.t : b.ratio - a.ratio));
  const most = Math.min(20, Math.max(1, Math.floor(length * 0.05)));
  for (let count = most; count > 0; count--) {
    const last = rated[count - 1]?.ratio ?? 0;
    if (rated.length > count && last >= 10 && last >= 2 * (rated[count]?.ratio ?? 0)) {
      return rated
        .slice(0, count)
        .map(({ t }) => t)
        .sort((a, b) => a - b);
    }
  }
  return [];
}

/** Returns how far the value lies above (sign 1) or below (−1) the two values on each side, the side counting where it is farther. */
function beyond(series: Float64Array, t: number, sign: number): number {
  const away = (i: number): number => sign * ((series[t] ?? 0) - (series[i] ?? 0));
  const left = [t - 1, t - 2].filter((i) => i >= 0).map(away);
  const right = [t + 1, t + 2].filter((i) => i < series.length).map(away);
  if (left.length === 0) return Math.min(...right);
  if (right.length === 0) return Math.min(...left);
  return Math.min(Math.max(...left), Math.max(...right));
}

/** Returns the median of the sixteen moves around t; at an end, twice the largest of the sixteen beyond the one at the end. */
function usualMove(moves: readonly number[], t: number): number {
  const last = moves.length;
  if (t === 0) return 2 * Math.max(0, ...moves.slice(1, 17));
  if (t === last) return 2 * Math.max(0, ...moves.slice(Math.max(0, last - 17), last - 1));
  return medianOf(moves.slice(Math.max(0, t - 8), t + 8));
}
