/** Forecasts from fitted parameters, as of version 1.0.0. */
import { autoregressive, decayed, type Parameters, plainPath, repeated } from '../plain.js';
import type { SeasonKind } from '../season.js';
import { wintersPath } from '../winters.js';
import { deseason } from './season.js';

/** Returns `h` values after the end of `y` by the method called `name`. */
export function pathOf(
  name: string,
  parameters: Parameters,
  y: Float64Array,
  seasons: readonly number[],
  h: number,
): Float64Array {
  let low = Infinity;
  let high = -Infinity;
  for (const v of y) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const raw = rawPath(name, parameters, y, seasons, low > 0, h);
  const slack = (high - low) * (3 + (2 * h) / y.length);
  const last = y[y.length - 1] ?? 0;
  for (let k = 0; k < h; k++) {
    const v = raw[k] ?? 0;
    if (Number.isFinite(v)) raw[k] = Math.min(high + slack, Math.max(low - slack, v));
    else raw[k] = last;
  }
  return raw;
}

function rawPath(
  name: string,
  parameters: Parameters,
  y: Float64Array,
  seasons: readonly number[],
  positive: boolean,
  h: number,
): Float64Array {
  if (name === 'autoregression') return autoregressive(y, parameters, h);
  const cycle = /^(weighted-)?seasonal-naive-(\d+)$/.exec(name);
  if (cycle !== null) {
    const m = Number(cycle[2]);
    return cycle[1] === undefined ? repeated(y, m, h) : decayed(y, m, parameters['lambda'] ?? 0, h);
  }
  const cut = /^(.+)-(additive|multiplicative)$/.exec(name);
  if (cut === null) return plainPath(name, parameters, y, h);
  const kind: SeasonKind = cut[2] === 'multiplicative' && positive ? 'ratio' : 'difference';
  if (cut[1] === 'holt-winters') return wintersPath(y, parameters, seasons, kind, h, deseason);
  const { flat, seasonAt } = deseason(y, seasons, kind);
  const path = plainPath(cut[1] ?? '', parameters, flat, h);
  for (let k = 0; k < h; k++) {
    for (let i = 0; i < seasons.length; i++) {
      const s = seasonAt(i, y.length + k);
      path[k] = kind === 'ratio' ? (path[k] ?? 0) * s : (path[k] ?? 0) + s;
    }
  }
  return path;
}
