/** The verifier's own seasonal indices: see `plain.ts` on the order of operations. */
export type SeasonKind = 'difference' | 'ratio';

export interface Deseasoned {
  readonly flat: Float64Array;
  /** Returns the index of the i-th season at time t, past or future. */
  readonly seasonAt: (i: number, t: number) => number;
}

/** Removes the seasons of these lengths, one after the other. */
export type Deseason = (y: Float64Array, seasons: readonly number[], kind: SeasonKind) => Deseasoned;

type PhaseTable = (y: Float64Array, m: number, kind: SeasonKind) => number[];

/** Returns a function that removes seasons by these tables. */
export const deseasonBy =
  (phaseTable: PhaseTable): Deseason =>
  (y, seasons, kind) => {
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
  };

/**
 * Returns per phase the weighted mean of the difference from (or ratio to) a centred average over one cycle, moved towards no season by the
 * share of its variance that is noise; a cycle weighs 0.8 of the next.
 */
function phaseTable(y: Float64Array, m: number, kind: SeasonKind): number[] {
  const reach = Math.floor(m / 2);
  const centres = movingMeans(y, m);
  const weights: number[] = [1];
  for (let c = Math.ceil(y.length / m) - 1; c > 0; c--) weights.unshift((weights[0] ?? 0) * 0.8);
  const phases = Array.from({ length: m }, () => ({ top: 0, bottom: 0, squares: 0 }));
  const parts: { readonly t: number; readonly part: number }[] = [];
  for (let t = reach; t + reach < y.length; t++) {
    const w = weights[Math.floor(t / m)] ?? 0;
    const centre = centres[t] ?? 0;
    const v = y[t] ?? 0;
    const part = kind === 'ratio' ? v / centre : v - centre;
    const phase = phases[t % m];
    if (phase === undefined) continue;
    phase.top += w * part;
    phase.bottom += w;
    phase.squares += w * w;
    parts.push({ t, part });
  }
  const means = phases.map(({ top, bottom }) => top / bottom);
  let scatter = 0;
  for (const { t, part } of parts) scatter += (part - (means[t % m] ?? 0)) * (part - (means[t % m] ?? 0));
  let noise = 0;
  for (const { bottom, squares } of phases) noise += squares / (bottom * bottom);
  const spare = parts.length - m;
  return towardsNone(means, kind, spare > 0 ? (scatter / spare) * (noise / m) : 0);
}

/** Centres the table and multiplies its distance from no season by what is not noise. */
function towardsNone(means: readonly number[], kind: SeasonKind, variance: number): number[] {
  let total = 0;
  for (const v of means) total += v;
  const middle = total / means.length;
  const table = means.map((v) => (kind === 'ratio' ? v / middle : v - middle));
  const none = kind === 'ratio' ? 1 : 0;
  let squares = 0;
  for (const v of table) squares += (v - none) * (v - none);
  const kept = squares > 0 ? Math.max(0, 1 - ((table.length - 1) * variance) / squares) : 1;
  return table.map((v) => none + kept * (v - none));
}

/** Returns the centred mean over m values (2×m for an even m) where it is whole; other entries are 0. */
export function movingMeans(y: Float64Array, m: number): number[] {
  const reach = Math.floor(m / 2);
  const running: number[] = [0];
  for (const v of y) running.push((running[running.length - 1] ?? 0) + v);
  return Array.from(y, (_, t) => {
    if (t < reach || t + reach >= y.length) return 0;
    const span = (running[t + reach + 1] ?? 0) - (running[t - reach] ?? 0);
    const edge = m % 2 === 1 ? 0 : ((y[t - reach] ?? 0) + (y[t + reach] ?? 0)) / 2;
    return (span - edge) / m;
  });
}

export const deseason: Deseason = deseasonBy(phaseTable);
