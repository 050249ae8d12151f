/** The simplest methods that a textbook names, as peers: seasonal naive, exponential smoothing, Theta and SBA. */
import { at, naive2 } from './scores.js';

type Path = readonly number[];

export function seasonalNaive(y: Path, m: number, h: number): number[] {
  const period = m <= y.length ? m : 1;
  return Array.from({ length: h }, (_, k) => at(y, y.length - period + (k % period)));
}

/** Returns the level after y, with the smoothing of the least squared error one step ahead. */
function smoothed(y: Path): number {
  let best = { error: Infinity, level: 0 };
  for (let alpha = 0.05; alpha < 1; alpha += 0.05) {
    let [level, error] = [at(y, 0), 0];
    for (const v of y.slice(1)) {
      error += (v - level) ** 2;
      level += alpha * (v - level);
    }
    if (error < best.error) best = { error, level };
  }
  return best.level;
}

export const exponentialSmoothing = (y: Path, h: number): number[] => new Array<number>(h).fill(smoothed(y));

/** Returns Theta (Assimakopoulos and Nikolopoulos 2000) on the series that the competitions' test and decomposition adjust. */
export function theta(y: Path, m: number, h: number): number[] {
  // The index of a phase, as the naive method on the adjusted series shows it.
  const index = naive2(y, m, m);
  const level = index.reduce((sum, v) => sum + v, 0) / m;
  const factor = (t: number): number => at(index, (((t - y.length) % m) + m) % m) / level || 1;
  const flat = y.map((v, t) => v / factor(t));
  const middle = (flat.length - 1) / 2;
  const centre = flat.reduce((sum, v) => sum + v, 0) / flat.length;
  const slope =
    flat.reduce((sum, v, t) => sum + (t - middle) * (v - centre), 0) / flat.reduce((sum, _, t) => sum + (t - middle) ** 2, 0);
  const last = smoothed(flat);
  return Array.from({ length: h }, (_, k) => (last + (slope / 2) * (k + 1)) * factor(y.length + k));
}

/** Returns Syntetos and Boylan's (2005) correction of Croston's (1972) method, with smoothing 0.1. */
export function sba(y: Path, h: number): number[] {
  const alpha = 0.1;
  let [size, interval, since] = [0, 0, 0];
  for (const v of y) {
    since++;
    if (v === 0) continue;
    size = interval === 0 ? v : size + alpha * (v - size);
    interval = interval === 0 ? since : interval + alpha * (since - interval);
    since = 0;
  }
  return new Array<number>(h).fill(interval > 0 ? ((1 - alpha / 2) * size) / interval : 0);
}
