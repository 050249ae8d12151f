/** The verifier's own detection of the season: see `plain.ts` on the order of operations. */
import { strongestPeriod } from './former/plan.js';
import { movingMeans } from './season.js';

/** Returns the shortest length whose phases explain enough of the variance, of the usual ones and of the autocorrelation's; 1 for none. */
export function detectedSeason(train: Float64Array): number {
  const tail = train.slice(-6000);
  const candidates = [...new Set([4, 7, 12, 24, 52, strongestPeriod(tail)])].sort((a, b) => a - b);
  const rated = candidates.flatMap((m) => (m >= 2 && tail.length >= 3 * m ? [{ m, share: explained(tail, m) }] : []));
  let best = 0.3;
  for (const { share } of rated) best = Math.max(best, share);
  return rated.find(({ share }) => share >= 0.3 && share >= best - 0.1)?.m ?? 1;
}

/** Returns the adjusted share of the variance around a moving mean that the phases explain. */
function explained(y: Float64Array, m: number): number {
  const reach = Math.floor(m / 2);
  const centres = movingMeans(y, m);
  const raw = Array.from(y.subarray(reach, y.length - reach), (v, i) => v - (centres[reach + i] ?? 0));
  let size = 0;
  for (const v of raw) size = Math.max(size, Math.abs(v));
  if (size === 0) return 0;
  const parts = raw.map((v, i) => ({ phase: (reach + i) % m, v: v / size }));
  const phases = Array.from({ length: m }, () => ({ sum: 0, count: 0 }));
  let total = 0;
  for (const { phase, v } of parts) {
    const cell = phases[phase];
    if (cell !== undefined) {
      cell.sum += v;
      cell.count += 1;
    }
    total += v;
  }
  const middle = total / parts.length;
  let within = 0;
  let whole = 0;
  for (const { phase, v } of parts) {
    const own = phases[phase] ?? { sum: 0, count: 1 };
    const away = v - own.sum / own.count;
    within += away * away;
    whole += (v - middle) * (v - middle);
  }
  return whole > 0 ? 1 - within / (parts.length - m) / (whole / (parts.length - 1)) : 0;
}
