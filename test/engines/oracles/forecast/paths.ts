/** A second definition of each forecasting method, from its fitted parameters; it shares no code with the engine. */
import { exp, log, pow } from '../../../../src/base/math.js';
import { movingMeans } from './read.js';

export type Parameters = Readonly<Record<string, number>>;

export function plainPath(name: string, { alpha = 0, beta = 0, phi = 1 }: Parameters, y: Float64Array, h: number): Float64Array {
  const n = y.length;
  const last = y[n - 1] ?? 0;
  const fill = (f: (k: number) => number): Float64Array => Float64Array.from({ length: h }, (_, k) => f(k));
  if (name === 'naive') return fill(() => last);
  if (name === 'mean') {
    const centre = average(y, n);
    return fill(() => centre);
  }
  if (name === 'drift') {
    const slope = (last - (y[0] ?? 0)) / (n - 1);
    return fill((k) => last + (k + 1) * slope);
  }
  if (name === 'ses') {
    const level = smooth(y, alpha);
    return fill(() => level);
  }
  if (name === 'theta') {
    const level = smooth(y, alpha);
    const half = regressionSlope(y) / 2;
    const lag = (1 - pow(1 - alpha, n)) / alpha;
    return fill((k) => level + half * (k + lag));
  }
  return trendPath(y, alpha, beta, phi, h);
}

function average(y: Float64Array, n: number): number {
  let total = 0;
  for (let t = 0; t < n; t++) total += y[t] ?? 0;
  return total / n;
}

function smooth(y: Float64Array, alpha: number): number {
  let level = y[0] ?? 0;
  for (let t = 1; t < y.length; t++) level = level + alpha * ((y[t] ?? 0) - level);
  return level;
}

function regressionSlope(y: Float64Array): number {
  const middle = (y.length - 1) / 2;
  const centre = average(y, y.length);
  let top = 0;
  let bottom = 0;
  for (let t = 0; t < y.length; t++) {
    const away = t - middle;
    top += away * ((y[t] ?? 0) - centre);
    bottom += away * away;
  }
  return top / bottom;
}

function trendPath(y: Float64Array, alpha: number, beta: number, phi: number, h: number): Float64Array {
  const start = Math.min(9, y.length - 1);
  let level = y[0] ?? 0;
  let slope = ((y[start] ?? 0) - level) / start;
  for (let t = 1; t < y.length; t++) {
    const guess = level + phi * slope;
    const miss = (y[t] ?? 0) - guess;
    level = guess + alpha * miss;
    slope = phi * slope + alpha * beta * miss;
  }
  const path = new Float64Array(h);
  for (let k = 0, power = phi, sum = phi; k < h; k++, power *= phi, sum += power) path[k] = level + sum * slope;
  return path;
}

export function repeated(y: Float64Array, m: number, h: number): Float64Array {
  const cycle = y.slice(-m);
  return Float64Array.from({ length: h }, (_, k) => cycle[k % m] ?? 0);
}

/** Returns per phase Σ λ^age·y / Σ λ^age over its values, the oldest first. */
export function decayed(y: Float64Array, m: number, lambda: number, h: number): Float64Array {
  const path = new Float64Array(h);
  for (let k = 0; k < h; k++) {
    let top = 0;
    let bottom = 0;
    for (let t = (y.length + k) % m; t < y.length; t += m) {
      top = top * lambda + (y[t] ?? 0);
      bottom = bottom * lambda + 1;
    }
    path[k] = top / bottom;
  }
  return path;
}

export function autoregressive(y: Float64Array, parameters: Parameters, h: number): Float64Array {
  const centre = average(y, y.length);
  const terms = Object.entries(parameters).map(([key, c]) => ({ lag: Number(key.slice(4)), c }));
  terms.sort((a, b) => a.lag - b.lag);
  const known = Array.from(y, (v) => v - centre);
  for (let k = 0; k < h; k++) {
    let sum = 0;
    for (const { lag, c } of terms) sum += c * (known[known.length - lag] ?? 0);
    known.push(sum);
  }
  return Float64Array.from(known.slice(-h), (v) => v + centre);
}

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

export const deseason: Deseason = deseasonBy(phaseTable);

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
