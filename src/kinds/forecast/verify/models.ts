/** The verifier's own forecasts from fitted parameters: see `plain.ts` on the order of operations. */
import { exp, log } from '../../../base/math.js';
import { autoregressive, decayed, type Parameters, plainPath, repeated } from './plain.js';
import { deseason, type SeasonKind } from './season.js';
import { wintersPath } from './winters.js';

/** Returns `h` values after the end of `y` by the method called `name`. */
export function pathOf(
  name: string,
  parameters: Parameters,
  y: Float64Array,
  seasons: readonly number[],
  h: number,
): Float64Array {
  const isPositive = y.every((v) => v > 0);
  const [core = '', form] = name.split(/-(?=additive$|multiplicative$)/);
  const isLogged = core.endsWith('-log') && isPositive;
  const method = core.endsWith('-log') ? core.slice(0, -4) : core;
  const kind: SeasonKind = form === 'multiplicative' && isPositive ? 'ratio' : 'difference';
  if (form === undefined) {
    if (isLogged) return finite(grown(method, parameters, y, h), y);
    return within(unseasoned(method, parameters, y, h), y, 3);
  }
  if (method === 'holt-winters') return within(wintersPath(y, parameters, seasons, kind, h, deseason), y, 3);
  const { flat, seasonAt } = deseason(y, seasons, kind);
  const path = isLogged ? grown(method, parameters, flat, h) : plainPath(method, parameters, flat, h);
  for (let k = 0; k < h; k++) {
    for (let i = 0; i < seasons.length; i++) {
      const s = seasonAt(i, y.length + k);
      path[k] = kind === 'ratio' ? (path[k] ?? 0) * s : (path[k] ?? 0) + s;
    }
  }
  return isLogged ? finite(path, y) : within(path, y, 3);
}

function unseasoned(method: string, parameters: Parameters, y: Float64Array, h: number): Float64Array {
  if (method === 'autoregression') return autoregressive(y, parameters, h);
  const cycle = /^(weighted-)?seasonal-naive-(\d+)$/.exec(method);
  if (cycle === null) return plainPath(method, parameters, y, h);
  const m = Number(cycle[2]);
  return cycle[1] === undefined ? repeated(y, m, h) : decayed(y, m, parameters['lambda'] ?? 0, h);
}

/** Returns the path of the logarithms, no farther than a range (and 2h/n) beyond theirs, back on the scale of the values. */
function grown(method: string, parameters: Parameters, y: Float64Array, h: number): Float64Array {
  const logs = y.map(log);
  return within(plainPath(method, parameters, logs, h), logs, 1).map(exp);
}

function within(path: Float64Array, y: Float64Array, ranges: number): Float64Array {
  let low = Infinity;
  let high = -Infinity;
  for (const v of y) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const slack = (high - low) * (ranges + (2 * path.length) / y.length);
  return finite(path, y).map((v, k) => (Number.isFinite(path[k] ?? 0) ? Math.min(high + slack, Math.max(low - slack, v)) : v));
}

/** Returns the path with y's last value where it is not finite. */
const finite = (path: Float64Array, y: Float64Array): Float64Array => {
  const last = y[y.length - 1] ?? 0;
  return path.map((v) => (Number.isFinite(v) ? v : last));
};
