/** The combination and the bands as of version 1.0.0. */
import { round12 } from '../../../../base/decimal.js';
import { log } from '../../../../base/math.js';

export interface Share {
  readonly index: number;
  readonly weight: number;
}

/** Returns the four lowest scores (ties by index), weighted by their inverse squares. */
export function chosen(scores: readonly number[]): Share[] {
  const ranked = scores
    .map((score, index) => ({ score, index }))
    .sort((a, b) => (a.score === b.score ? a.index - b.index : a.score - b.score));
  const four = ranked.slice(0, 4);
  const lowest = four[0]?.score ?? 0;
  const squares = four.map(({ score }) => (score > 0 ? (lowest / score) * (lowest / score) : 1));
  let total = 0;
  for (const v of squares) total += v;
  return four.map(({ index }, i) => ({ index, weight: round12((squares[i] ?? 0) / total) }));
}

export function blend(shares: readonly Share[], paths: readonly Float64Array[], h: number): number[] {
  return Array.from({ length: h }, (_, k) => {
    let top = 0;
    let bottom = 0;
    shares.forEach(({ weight }, i) => {
      top += weight * (paths[i]?.[k] ?? 0);
      bottom += weight;
    });
    return top / bottom;
  });
}

/** Returns the mean absolute residual per step, pooled until it never falls, then continued by the square root of the step. */
export function widths(residuals: readonly (readonly number[])[], steps: number, h: number): number[] {
  const blocks: { value: number; size: number }[] = [];
  for (let k = 0; k < steps; k++) {
    let sum = 0;
    for (const row of residuals) sum += Math.abs(row[k] ?? 0);
    let block = { value: sum / residuals.length, size: 1 };
    for (
      let before = blocks[blocks.length - 1];
      before !== undefined && before.value > block.value;
      before = blocks[blocks.length - 1]
    ) {
      blocks.pop();
      const size = before.size + block.size;
      block = { value: (before.value * before.size + block.value * block.size) / size, size };
    }
    blocks.push(block);
  }
  const out: number[] = [];
  for (const { value, size } of blocks) for (let i = 0; i < size; i++) out.push(value);
  const last = out[out.length - 1] ?? 0;
  for (let k = steps; k < h; k++) out.push(last * Math.sqrt((k + 1) / steps));
  return out.slice(0, h);
}

export function factor(level: number, residuals: readonly (readonly number[])[], width: readonly number[]): number {
  const ratios = residuals.flatMap((row) => row.flatMap((e, k) => ((width[k] ?? 0) > 0 ? [Math.abs(e) / (width[k] ?? 0)] : [])));
  ratios.sort((a, b) => a - b);
  const count = Math.max(1, ratios.length);
  const seen = ratios[Math.min(count - 1, Math.ceil((level / 100) * count))] ?? 0;
  const origins = residuals.length;
  return round12(((origins * seen + 6 * (normalQuantile(level) / 0.797884560802865)) / (origins + 6)) * (1 + 5 / origins));
}

/** Returns z with P(|Z| ≤ z) = level/100, after Abramowitz and Stegun 26.2.23. */
export function normalQuantile(level: number): number {
  const t = Math.sqrt(-2 * log((1 - level / 100) / 2));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
