/** The verifier's own seasonal indices: see `verify-models.ts` on the order of operations. */
export type SeasonKind = 'difference' | 'ratio';

export interface Deseasoned {
  readonly flat: Float64Array;
  /** Returns the index of the i-th season at time t, past or future. */
  readonly seasonAt: (i: number, t: number) => number;
}

export function deseason(y: Float64Array, seasons: readonly number[], kind: SeasonKind): Deseasoned {
  const flat = Float64Array.from(y);
  const tables = seasons.map((m) => {
    const table = phaseTable(flat, m, kind);
    for (let t = 0; t < flat.length; t++) {
      const s = table[t % m] ?? 0;
      flat[t] = kind === 'ratio' ? (flat[t] ?? 0) / s : (flat[t] ?? 0) - s;
    }
    return table;
  });
  const seasonAt = (i: number, t: number): number => {
    const table = tables[i] ?? [0];
    return table[t % table.length] ?? 0;
  };
  return { flat, seasonAt };
}

/**
 * Returns the weighted mean per phase of the difference from (or ratio to) a centred average over one cycle; a cycle weighs 0.8
 * of the next.
 */
export function phaseTable(y: Float64Array, m: number, kind: SeasonKind): number[] {
  const n = y.length;
  const reach = Math.floor(m / 2);
  const running: number[] = [0];
  for (const v of y) running.push((running[running.length - 1] ?? 0) + v);
  const weights: number[] = [1];
  for (let c = Math.ceil(n / m) - 1; c > 0; c--) weights.unshift((weights[0] ?? 0) * 0.8);
  const top = new Array<number>(m).fill(0);
  const bottom = new Array<number>(m).fill(0);
  for (let t = reach; t + reach < n; t++) {
    const span = (running[t + reach + 1] ?? 0) - (running[t - reach] ?? 0);
    const edge = m % 2 === 1 ? 0 : ((y[t - reach] ?? 0) + (y[t + reach] ?? 0)) / 2;
    const centre = (span - edge) / m;
    const w = weights[Math.floor(t / m)] ?? 0;
    const v = y[t] ?? 0;
    const phase = t % m;
    top[phase] = (top[phase] ?? 0) + w * (kind === 'ratio' ? v / centre : v - centre);
    bottom[phase] = (bottom[phase] ?? 0) + w;
  }
  const table = top.map((v, phase) => v / (bottom[phase] ?? 1));
  let total = 0;
  for (const v of table) total += v;
  const middle = total / m;
  return table.map((v) => (kind === 'ratio' ? v / middle : v - middle));
}
