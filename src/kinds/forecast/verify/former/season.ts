/** Seasonal indices as of version 1.0.0. */
import { type Deseason, deseasonBy, type SeasonKind } from '../season.js';

/**
 * Returns the weighted mean per phase of the difference from (or ratio to) a centred average over one cycle; a cycle weighs 0.8
 * of the next.
 */
function phaseTable(y: Float64Array, m: number, kind: SeasonKind): number[] {
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

export const deseason: Deseason = deseasonBy(phaseTable);
