/** The candidate models of a plan. A model is a core method, with or without a season removed before it. */
import { autoregression, lagsFor } from './autoregression.js';
import { type Core, cores, optimisedTheta } from './cores.js';
import { intermittentCores } from './intermittent.js';
import { localGlobalTrend } from './local-global-trend.js';
import type { Plan } from './plan.js';
import { type SeasonalAdjustment, differenced, type SeasonForm, withoutSeason } from './seasonal-index.js';
import { highest, lowest } from './series.js';
import { winters } from './winters.js';
import { exp, log } from '../../../base/math.js';

// Bounded deterministic search for a model's parameters: cyclic coordinate descent from the model's start values with
// steps halved (Hooke and Jeeves 1961). It minimises the multi-step error, because the forecast is a multi-step path.
// Parameters live on a grid of thousandths, so that a result carries them exactly.

const grid = 1000;
const rounds_max = 2;
const first_share = 0.25;
const halvings = 6;
const fit_origins_min = 40;
/** The number of compared values that bounds the origins of short paths. */
const fit_values_max = 480;
/** Fewer observations than this per step fit shorter paths: long paths of a short series overlap so much that they fit its noise. */
const observations_per_step = 40;

/**
 * Returns parameters in the order of `core.parameters`, fitted by the error of paths from origins after `from`. A path has
 * `steps` steps, fewer on a short series. `evaluations` is the number of losses computed.
 */
function fit(core: Core, y: Float64Array, from: number, steps: number, error: PathError) {
  if (core.solve !== undefined) return { theta: core.solve(y), evaluations: 1 };
  const theta = core.parameters.map((p) => p.start);
  if (theta.length === 0) return { theta, evaluations: 0 };
  const h = Math.min(steps, Math.max(1, Math.floor(y.length / observations_per_step)));
  const origins = fitOrigins(y.length, from, Math.max(fit_origins_min, Math.floor(fit_values_max / h)));
  const loss = (trial: readonly number[]): number => error(y, origins, core.walk(y, trial, origins, h));
  let best = loss(theta);
  let evaluations = 1;
  /** Moves one parameter by one step if that reduces the loss. */
  const moved = (i: number, share: number): boolean => {
    const { min, max } = core.parameters[i] ?? { min: 0, max: 0 };
    const step = Math.max(1, Math.round((max - min) * share * grid)) / grid;
    for (const sign of [-1, 1]) {
      const there = Math.round(Math.min(max, Math.max(min, (theta[i] ?? 0) + sign * step)) * grid) / grid;
      if (there === theta[i]) continue;
      const value = loss(theta.with(i, there));
      evaluations += 1;
      if (value < best) {
        best = value;
        theta[i] = there;
        return true;
      }
    }
    return false;
  };
  let share = first_share;
  for (let s = 0; s < halvings; s++) {
    for (let round = 0; round < rounds_max; round++) {
      let improved = false;
      for (let i = 0; i < theta.length; i++) improved = moved(i, share) || improved;
      if (!improved) break;
    }
    share /= 2;
  }
  return { theta, evaluations };
}

/** Returns ascending origins, evenly spread over [from, n − 1]. */
function fitOrigins(n: number, from: number, count: number): number[] {
  const stride = Math.max(1, Math.floor((n - from) / count));
  const origins: number[] = [];
  for (let o = n - 1; o >= from && origins.length < count; o -= stride) origins.push(o);
  return origins.reverse();
}

type PathError = (y: Float64Array, origins: readonly number[], paths: readonly Float64Array[]) => number;

/** Returns the sum of squared errors of the paths' sums where `y` is known: its least value is the mean, also among zeros. */
const sumError: PathError = (y, origins, paths) =>
  origins.reduce((total, n, i) => {
    const path = paths[i] ?? new Float64Array(0);
    let sum = 0;
    for (let k = 0; k < Math.min(path.length, y.length - n); k++) sum += (y[n + k] ?? 0) - (path[k] ?? 0);
    return total + sum * sum;
  }, 0);

/** Returns the sum of absolute errors of the paths where `y` is known. */
const pathError: PathError = (y, origins, paths) => {
  let sum = 0;
  origins.forEach((n, i) => {
    const path = paths[i] ?? new Float64Array(0);
    const known = Math.min(path.length, y.length - n);
    for (let k = 0; k < known; k++) sum += Math.abs((y[n + k] ?? 0) - (path[k] ?? 0));
  });
  return sum;
};

// Seasonal naive methods: the last cycle repeated, and the weighted mean of all cycles with weights that fall by lambda
// per cycle of age.

const seasonalNaive = (m: number): Core => ({
  name: `seasonal-naive-${m}`,
  parameters: [],
  walk: (y, _theta, origins, h) => origins.map((n) => new Float64Array(h).map((_, k) => y[n - m + (k % m)] ?? 0)),
});

const weightedSeasonalNaive = (m: number): Core => ({
  name: `weighted-seasonal-naive-${m}`,
  parameters: [{ name: 'lambda', min: 0, max: 1, start: 0.5 }],
  walk: (y, [lambda = 0], origins, h) => {
    const sums = new Float64Array(m);
    const weights = new Float64Array(m);
    let t = 0;
    return origins.map((n) => {
      for (; t < n; t++) {
        sums[t % m] = (sums[t % m] ?? 0) * lambda + (y[t] ?? 0);
        weights[t % m] = (weights[t % m] ?? 0) * lambda + 1;
      }
      return new Float64Array(h).map((_, k) => (sums[(n + k) % m] ?? 0) / (weights[(n + k) % m] ?? 1));
    });
  },
});

export interface Model {
  readonly name: string;
  /** The method for this form of the season; multiplicative models fall back to additive where a value is not positive. */
  readonly core: (form: SeasonForm) => Core;
  readonly form: SeasonForm;
  /** The lengths removed before the core receives the series. */
  readonly removed: readonly number[];
  /** Whether the season is removed by differences from the cycle before. */
  readonly differenced?: true;
  /** Whether the core receives logarithms, so that its trend is multiplicative; not where a value is not positive. */
  readonly logged: boolean;
}

/** The methods that are also tried on logarithms. */
const on_logarithms: readonly string[] = ['drift', 'theta', 'damped', 'holt'];

/** Returns the models in ascending order of name. */
export function pool(plan: Plan, positive: boolean): Model[] {
  const { seasons } = plan;
  if (plan.isIntermittent) return intermittentPool(seasons);
  const lags = lagsFor(seasons, Math.min(plan.trainCount, plan.window), plan.firstOriginMin);
  const forms: SeasonForm[] = positive ? ['additive', 'multiplicative'] : ['additive'];
  const alone = (core: Core): Model => ({ name: core.name, core: () => core, form: 'additive', removed: [], logged: false });
  const growing = cores.filter(({ name }) => positive && on_logarithms.includes(name));
  const models = [...cores, ...(lags.length > 0 ? [autoregression(lags)] : [])].map(alone);
  for (const m of [...seasons, ...plan.short]) models.push(alone(seasonalNaive(m)), alone(weightedSeasonalNaive(m)));
  const logged = (core: Core): Model => ({ ...alone(core), name: `${core.name}-log`, form: 'multiplicative', logged: true });
  const [cycle = Infinity] = seasons.length === 0 ? plan.short.slice(-1) : [];
  if (cycle < plan.firstOriginMin)
    for (const form of forms)
      for (const core of cores)
        models.push({ ...alone(core), name: `${core.name}-difference-${form}`, form, removed: [cycle], differenced: true });
  if (plan.isPlain) models.push(alone(optimisedTheta), ...(positive ? [alone(localGlobalTrend)] : []));
  if (seasons.length === 0) models.push(...growing.map(logged));
  else {
    for (const form of forms) {
      for (const core of cores) models.push({ ...alone(core), name: `${core.name}-${form}`, form, removed: seasons });
      models.push({
        ...alone(winters(seasons, form)),
        name: `holt-winters-${form}`,
        core: (actual) => winters(seasons, actual),
        form,
      });
    }
    for (const core of growing) models.push({ ...logged(core), name: `${core.name}-log-multiplicative`, removed: seasons });
  }
  return models.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns methods that forecast the mean of a step, with and without the season, in ascending order of name. */
function intermittentPool(seasons: readonly number[]): Model[] {
  const level = cores.filter(({ name }) => name === 'mean' || name === 'ses');
  const plain = { form: 'additive', removed: [], logged: false } as const;
  const seasonal = seasons.length === 0 ? [] : level;
  return [
    ...[...intermittentCores, ...level].map((core): Model => ({ ...plain, name: core.name, core: () => core })),
    ...seasonal.map((core): Model => ({ ...plain, name: `${core.name}-additive`, core: () => core, removed: seasons })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const actualForm = (model: Model, y: Float64Array): SeasonForm => (lowest(y) > 0 ? model.form : 'additive');

/** Returns a series without each form of its season, computed once for all models that need it. */
export type Adjustments = (model: Model, form: SeasonForm) => SeasonalAdjustment;

export function adjustments(y: Float64Array): Adjustments {
  const kept = new Map<string, SeasonalAdjustment>();
  return (model, form) => {
    const { removed } = model;
    const key = model.differenced === true ? `difference-${form}` : form;
    const found =
      kept.get(key) ?? (model.differenced === true ? differenced(y, removed[0] ?? 1, form) : withoutSeason(y, removed, form));
    kept.set(key, found);
    return found;
  };
}

export function fitModel(model: Model, y: Float64Array, adjusted: Adjustments, plan: Plan) {
  const form = actualForm(model, y);
  const { rest, skipped } = model.removed.length > 0 ? adjusted(model, form) : { rest: y, skipped: 0 };
  return fit(
    model.core(form),
    isLogged(model, form) ? rest.map(log) : rest,
    Math.max(1, plan.firstOriginMin - skipped),
    plan.steps,
    plan.isIntermittent ? sumError : pathError,
  );
}

/** A model on logarithms takes the values themselves where one is not positive. */
const isLogged = (model: Model, form: SeasonForm): boolean => model.logged && form === 'multiplicative';

/**
 * Returns the path of h steps after the last value of `y`, clipped to a multiple of the observed range; a value that is not
 * finite is replaced by y's last value.
 */
export function predict(model: Model, theta: readonly number[], y: Float64Array, adjusted: Adjustments, h: number): Float64Array {
  const form = actualForm(model, y);
  const season = model.removed.length > 0 ? adjusted(model, form) : null;
  const rest = season === null ? y : season.rest;
  const logged = isLogged(model, form);
  const x = logged ? rest.map(log) : rest;
  const path = model.core(form).walk(x, theta, [x.length], h)[0] ?? new Float64Array(h);
  const kept = logged ? clipped(path, x, logged_range).map(exp) : path;
  const whole = season === null ? kept : season.restore(kept);
  return logged ? whole.map((v) => (Number.isFinite(v) ? v : (y[y.length - 1] ?? 0))) : clipped(whole, y, plain_range);
}

const plain_range = 3;
const logged_range = 1;

/** Returns the path within `ranges` (and 2h/n) ranges of y around it; y's last value where it is not finite. */
function clipped(path: Float64Array, y: Float64Array, ranges: number): Float64Array {
  const low = lowest(y);
  const high = highest(y);
  const margin = (high - low) * (ranges + (2 * path.length) / y.length);
  return path.map((v) => (Number.isFinite(v) ? Math.min(high + margin, Math.max(low - margin, v)) : (y[y.length - 1] ?? 0)));
}
