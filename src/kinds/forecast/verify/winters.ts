/** The verifier's own Holt–Winters: see `plain.ts` on the order of operations. */
import type { Deseason, SeasonKind } from './season.js';

export function wintersPath(
  y: Float64Array,
  parameters: Readonly<Record<string, number>>,
  seasons: readonly number[],
  kind: SeasonKind,
  h: number,
  deseason: Deseason,
): Float64Array {
  const ratio = kind === 'ratio';
  const { alpha = 0, beta = 0, rho = 0 } = parameters;
  const longest = Math.max(...seasons);
  const { seasonAt } = deseason(y.slice(0, 3 * longest), seasons, kind);
  const tables = seasons.map((m, i) => Array.from({ length: m }, (_, phase) => seasonAt(i, phase)));
  const combined = (t: number): number =>
    tables.reduce((s, table) => (ratio ? s * (table[t % table.length] ?? 0) : s + (table[t % table.length] ?? 0)), ratio ? 1 : 0);
  let level = y.subarray(0, longest).reduce((sum, v) => sum + v, 0) / longest;
  let slope = 0;
  let miss = 0;
  for (let t = 0; t < y.length; t++) {
    const trend = level + 0.98 * slope;
    const season = combined(t);
    const guess = ratio ? trend * season : trend + season;
    miss = (y[t] ?? 0) - guess;
    const pull = ratio ? miss / season : miss;
    level = trend + alpha * pull;
    slope = 0.98 * slope + alpha * beta * pull;
    tables.forEach((table, i) => {
      const phase = t % table.length;
      const s = table[phase] ?? 0;
      const gamma = parameters[`gamma${i + 1}`] ?? 0;
      table[phase] = s + gamma * (ratio ? (miss / guess) * s : miss);
    });
  }
  return Float64Array.from({ length: h }, (_, k) => {
    slope *= 0.98;
    level += slope;
    miss *= rho;
    const season = combined(y.length + k);
    return (ratio ? level * season : level + season) + miss;
  });
}
