/** A second definition of each forecasting method, from its fitted parameters; it shares no code with the engine. */
import { exp, log, pow } from '../../../../src/base/math.js';
import { movingMeans, sum } from './read.js';

export type Parameters = Readonly<Record<string, number>>;
type Series = Float64Array;

const path = (h: number, f: (k: number) => number): Series => Float64Array.from({ length: h }, (_, k) => f(k));
const average = (y: Iterable<number> & { readonly length: number }): number => sum(y) / y.length;

function plainPath(name: string, { alpha = 0, beta = 0, phi = 1, share = 0.5 }: Parameters, y: Series, h: number): Series {
  const [first, last] = [y[0]!, y.at(-1)!];
  const level = y.reduce((smooth, v) => smooth + alpha * (v - smooth));
  if (name === 'naive') return path(h, () => last);
  if (name === 'mean') return path(h, () => average(y));
  if (name === 'drift') return path(h, (k) => (y.length === 1 ? last : last + (k + 1) * ((last - first) / (y.length - 1))));
  if (name === 'ses') return path(h, () => level);
  if (name !== 'theta' && name !== 'optimised-theta') return trendPath(y, alpha, beta, phi, h);
  const [middle, centre] = [(y.length - 1) / 2, average(y)];
  const times = sum(y.map((_, t) => (t - middle) * (t - middle)));
  const slope = times === 0 ? 0 : sum(y.map((v, t) => (t - middle) * (v - centre))) / times;
  const lag = (1 - pow(1 - alpha, y.length)) / alpha;
  return path(h, (k) => level + share * slope * (k + lag));
}

function trendPath(y: Series, alpha: number, beta: number, phi: number, h: number): Series {
  const start = Math.min(9, y.length - 1);
  let level = y[0]!;
  let slope = start === 0 ? 0 : (y[start]! - level) / start;
  for (const v of y.subarray(1)) {
    const guess = level + phi * slope;
    level = guess + alpha * (v - guess);
    slope = phi * slope + alpha * beta * (v - guess);
  }
  let [power, total] = [1, 0];
  return path(h, () => level + (total += power *= phi) * slope);
}

/**
 * Returns the mean of the paths of l + g·l^ρ + b/2 over α, β, ρ and three priors of g, weighted by the likelihood of `y` without g and the size
 * of its errors, which are integrated out.
 */
function trendOfAll(y: Series, h: number): Series {
  const top = Math.max(...y);
  const x = y.map((v) => v / top);
  const pairs = Array.from(x.subarray(1), (v, t) => ({ before: x[t]!, v }));
  const typical = sum(pairs.map(({ before, v }) => Math.abs(v - before))) / pairs.length;
  const guesses = [0.2, 0.5, 0.8].flatMap((alpha) =>
    [0.3, 0.7].flatMap((beta) => {
      let [level, slope] = [x[0]!, 0];
      const steps = pairs.map(({ v }) => {
        const step = { level, miss: v - level - slope / 2, spread: Math.max(level, 0.01) };
        const next = level + alpha * (v - level);
        slope += beta * (next - level - slope);
        level = next;
        return step;
      });
      const unit = exp(sum(steps.map(({ spread }) => log(spread))) / steps.length);
      return [0, 1].flatMap((rho) => {
        const over = (f: (step: { level: number; miss: number }, base: number) => number): number =>
          sum(steps.map((step) => (unit / step.spread) * f(step, rho === 0 ? 1 : step.level)));
        const [bases, both, misses] = [over((_, l) => l * l), over(({ miss }, l) => l * miss), over(({ miss }) => miss * miss)];
        return [0.0048, 0.0099, 0.032].map((deviation) => {
          const prior = Math.max(1e-12, (typical / deviation) * (typical / deviation));
          const g = both / (bases + prior);
          const left = Math.max(1e-12, misses - g * both);
          return { alpha, beta, rho, g, level, slope, fit: -(log(bases / prior + 1) + steps.length * log(left)) / 2 };
        });
      });
    }),
  );
  const most = Math.max(...guesses.map(({ fit }) => fit));
  const total = sum(guesses.map(({ fit }) => exp(fit - most)));
  const paths = guesses.map(({ alpha, beta, rho, g, fit, ...end }) => {
    let { level, slope } = end;
    return path(h, () => {
      const step = g * (rho === 0 ? 1 : level) + slope / 2;
      const value = level + step;
      level += alpha * step;
      slope += beta * (alpha * step - slope);
      return exp(fit - most) * value;
    });
  });
  return path(h, (k) => (sum(paths.map((one) => one[k]!)) / total) * top);
}

/** Returns per phase Σ λ^age·y / Σ λ^age over its values, the oldest first. */
const decayed = (y: Series, m: number, lambda: number, h: number): Series =>
  path(h, (k) => {
    let [top, bottom] = [0, 0];
    for (let t = (y.length + k) % m; t < y.length; t += m) [top, bottom] = [top * lambda + y[t]!, bottom * lambda + 1];
    return top / bottom;
  });

function autoregressive(y: Series, parameters: Parameters, h: number): Series {
  const centre = average(y);
  const terms = Object.entries(parameters).map(([key, c]) => ({ lag: Number(key.slice(4)), c }));
  terms.sort((a, b) => a.lag - b.lag);
  const known = Array.from(y, (v) => v - centre);
  for (let k = 0; k < h; k++) known.push(sum(terms.map(({ lag, c }) => c * known.at(-lag)!)));
  return Float64Array.from(known.slice(-h), (v) => v + centre);
}

/** Removes the seasons of these lengths, one after the other. */
function deseason(y: Series, seasons: readonly number[], isRatio: boolean) {
  const flat = y.slice();
  const tables = seasons.map((m) => {
    const table = phaseTable(flat, m, isRatio);
    for (const [t, v] of flat.entries()) flat[t] = isRatio ? v / table[t % m]! : v - table[t % m]!;
    return table;
  });
  return { flat, tables };
}

/**
 * Returns per phase the weighted mean of the difference from (or ratio to) a centred average over one cycle, centred and moved towards no
 * season by the share of its variance that is noise; a cycle weighs 0.8 of the next.
 */
function phaseTable(y: Series, m: number, isRatio: boolean): number[] {
  const reach = m >> 1;
  const centres = movingMeans(y, m);
  const weights = [1];
  for (let c = Math.ceil(y.length / m) - 1; c > 0; c--) weights.unshift(weights[0]! * 0.8);
  const parts = Array.from(y, (v, t) => ({
    t,
    w: weights[Math.floor(t / m)]!,
    part: isRatio ? v / centres[t]! : v - centres[t]!,
  }));
  const whole = parts.slice(reach, y.length - reach);
  const phases = Array.from({ length: m }, (_, phase) => whole.filter(({ t }) => t % m === phase));
  const weightOf = phases.map((phase) => sum(phase.map(({ w }) => w)));
  const means = phases.map((phase, i) => sum(phase.map(({ w, part }) => w * part)) / weightOf[i]!);
  const scatter = sum(whole.map(({ t, part }) => (part - means[t % m]!) * (part - means[t % m]!)));
  const noise = sum(phases.map((phase, i) => sum(phase.map(({ w }) => w * w)) / (weightOf[i]! * weightOf[i]!)));
  const spare = whole.length - m;
  const variance = spare > 0 ? (scatter / spare) * (noise / m) : 0;
  const middle = average(means);
  const table = means.map((v) => (isRatio ? v / middle : v - middle));
  const none = isRatio ? 1 : 0;
  const squares = sum(table.map((v) => (v - none) * (v - none)));
  const kept = squares > 0 ? Math.max(0, 1 - ((m - 1) * variance) / squares) : 1;
  return table.map((v) => none + kept * (v - none));
}

const seasonAt = (tables: readonly number[][], t: number, isRatio: boolean): number =>
  tables.reduce((s, table) => (isRatio ? s * table[t % table.length]! : s + table[t % table.length]!), isRatio ? 1 : 0);

function wintersPath(y: Series, parameters: Parameters, seasons: readonly number[], isRatio: boolean, h: number): Series {
  const { alpha = 0, beta = 0, rho = 0 } = parameters;
  const longest = Math.max(...seasons);
  const { tables } = deseason(y.slice(0, 3 * longest), seasons, isRatio);
  let [level, slope, miss] = [average(y.subarray(0, longest)), 0, 0];
  for (const [t, v] of y.entries()) {
    const trend = level + 0.98 * slope;
    const season = seasonAt(tables, t, isRatio);
    const guess = isRatio ? trend * season : trend + season;
    miss = v - guess;
    const pull = isRatio ? miss / season : miss;
    level = trend + alpha * pull;
    slope = 0.98 * slope + alpha * beta * pull;
    for (const [i, table] of tables.entries()) {
      const s = table[t % table.length]!;
      table[t % table.length] = s + parameters[`gamma${i + 1}`]! * (isRatio ? (miss / guess) * s : miss);
    }
  }
  return path(h, (k) => {
    slope *= 0.98;
    level += slope;
    miss *= rho;
    const season = seasonAt(tables, y.length + k, isRatio);
    return (isRatio ? level * season : level + season) + miss;
  });
}

/** Returns the mean of a step of rare demand: sizes, distances and probabilities are means at first, then smoothed. */
function rareLevel(name: string, { alpha = 0, beta = 0 }: Parameters, y: Series): number {
  const smooth = (values: readonly number[], a: number): number =>
    values.reduce((level, v, i) => level + Math.max(a, 1 / (i + 1)) * (v - level), 0);
  const demands = [...y.keys()].filter((t) => y[t]! > 0);
  if (name === 'adida') {
    const width = demands.length === 0 ? y.length : Math.max(1, Math.round(y.length / demands.length));
    const count = Math.floor(y.length / width);
    const from = y.length - count * width;
    return smooth(
      Array.from({ length: count }, (_, i) => average(y.subarray(from + i * width, from + (i + 1) * width))),
      alpha,
    );
  }
  const sizes = demands.map((t) => y[t]!);
  if (name === 'tsb')
    return (
      smooth(sizes, beta) *
      smooth(
        Array.from(y, (v) => (v > 0 ? 1 : 0)),
        alpha,
      )
    );
  if (demands.length === 0) return 0;
  const distances = demands.map((t, i) => t - (demands[i - 1] ?? -1));
  return ((name === 'sba' ? 1 - alpha / 2 : 1) * smooth(sizes, alpha)) / smooth(distances, alpha);
}

/** Returns the path of the changes over one cycle, added to (or times) the values a cycle before. */
function cyclic(method: string, parameters: Parameters, y: Series, m: number, isRatio: boolean, h: number): Series {
  const changes = y.slice(m).map((v, t) => (isRatio ? v / y[t]! : v - y[t]!));
  const whole = [...y];
  for (const change of plainPath(method, parameters, changes, h))
    whole.push(isRatio ? whole.at(-m)! * change : whole.at(-m)! + change);
  return Float64Array.from(whole.slice(-h));
}

/** Returns `h` values after the end of `y` by the method called `name`. */
export function pathOf(
  name: string,
  parameters: Parameters,
  y: Series,
  seasons: readonly number[],
  h: number,
  cycle = 0,
): Series {
  const isPositive = y.every((v) => v > 0);
  const [core = '', form] = name.split(/-(?=additive$|multiplicative$)/);
  const method = core.replace(/-log$/, '');
  const isLogged = method !== core && isPositive;
  const isRatio = form === 'multiplicative' && isPositive;
  if (method === 'holt-winters') return within(wintersPath(y, parameters, seasons, isRatio, h), y, 3);
  if (['adida', 'croston', 'sba', 'tsb'].includes(name))
    return within(
      path(h, () => rareLevel(name, parameters, y)),
      y,
      3,
    );
  if (method.endsWith('-difference'))
    return within(cyclic(method.slice(0, -'-difference'.length), parameters, y, cycle, isRatio, h), y, 3);
  const { flat, tables } = deseason(y, form === undefined ? [] : seasons, isRatio);
  const rest = isLogged ? grown(method, parameters, flat, h) : unseasoned(method, parameters, flat, h);
  // One season after the other, as floating point has it.
  const whole = tables.reduce(
    (all, table) =>
      all.map((v, k) => (isRatio ? v * table[(y.length + k) % table.length]! : v + table[(y.length + k) % table.length]!)),
    rest,
  );
  return isLogged ? finite(whole, y) : within(whole, y, 3);
}

function unseasoned(method: string, parameters: Parameters, y: Series, h: number): Series {
  if (method === 'autoregression') return autoregressive(y, parameters, h);
  if (method === 'local-global-trend') return trendOfAll(y, h);
  const [, weighted, length] = /^(weighted-)?seasonal-naive-(\d+)$/.exec(method) ?? [];
  if (length === undefined) return plainPath(method, parameters, y, h);
  const m = Number(length);
  return weighted === undefined ? path(h, (k) => y.at((k % m) - m)!) : decayed(y, m, parameters['lambda']!, h);
}

/** Returns the path of the logarithms, no farther than a range (and 2h/n) beyond theirs, back on the scale of the values. */
function grown(method: string, parameters: Parameters, y: Series, h: number): Series {
  const logs = y.map(log);
  return within(plainPath(method, parameters, logs, h), logs, 1).map(exp);
}

function within(values: Series, y: Series, ranges: number): Series {
  const [low, high] = [Math.min(...y), Math.max(...y)];
  const slack = (high - low) * (ranges + (2 * values.length) / y.length);
  return values.map((v) => (Number.isFinite(v) ? Math.min(high + slack, Math.max(low - slack, v)) : y.at(-1)!));
}

/** Returns the path with y's last value where it is not finite. */
const finite = (values: Series, y: Series): Series => values.map((v) => (Number.isFinite(v) ? v : y.at(-1)!));
