/** The candidate models of a plan. A model is a core method, with or without a season removed before it. */
import { autoregression, lagsFor } from './autoregression.js';
import { type Core, cores } from './cores.js';
import { type Fitted, fit } from './fit.js';
import type { Plan } from './plan.js';
import { type Adjusted, type SeasonForm, withoutSeason } from './seasonal-index.js';
import { seasonalNaive, weightedSeasonalNaive } from './seasonal-naive.js';
import { highest, lowest } from './series.js';
import { winters } from './winters.js';
import { exp, log } from '../../../base/math.js';

export interface Model {
  readonly name: string;
  /** The method for this form of the season; multiplicative models fall back to additive where a value is not positive. */
  readonly core: (form: SeasonForm) => Core;
  readonly form: SeasonForm;
  /** The lengths removed before the core receives the series. */
  readonly removed: readonly number[];
  /** Whether the core receives logarithms, so that its trend is multiplicative; not where a value is not positive. */
  readonly logged: boolean;
}

/** The methods that are also tried on logarithms. */
const on_logarithms: readonly string[] = ['drift', 'theta', 'damped', 'holt'];

/** Returns the models in ascending order of name. */
export function pool(plan: Plan, positive: boolean): Model[] {
  const { seasons } = plan;
  const lags = lagsFor(seasons, Math.min(plan.trainCount, plan.window), plan.firstOriginMin);
  const forms: SeasonForm[] = positive ? ['additive', 'multiplicative'] : ['additive'];
  const alone = (core: Core): Model => ({ name: core.name, core: () => core, form: 'additive', removed: [], logged: false });
  const growing = cores.filter(({ name }) => positive && on_logarithms.includes(name));
  const models = [...cores, ...(lags.length > 0 ? [autoregression(lags)] : [])].map(alone);
  for (const m of [...seasons, ...plan.short]) models.push(alone(seasonalNaive(m)), alone(weightedSeasonalNaive(m)));
  const logged = (core: Core): Model => ({ ...alone(core), name: `${core.name}-log`, form: 'multiplicative', logged: true });
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

const actualForm = (model: Model, y: Float64Array): SeasonForm => (lowest(y) > 0 ? model.form : 'additive');

/** Returns a series without each form of its season, computed once for all models that need it. */
export type Adjustments = (form: SeasonForm) => Adjusted;

export function adjustments(y: Float64Array, seasons: readonly number[]): Adjustments {
  const kept = new Map<SeasonForm, Adjusted>();
  return (form) => {
    const found = kept.get(form) ?? withoutSeason(y, seasons, form);
    kept.set(form, found);
    return found;
  };
}

export function fitModel(model: Model, y: Float64Array, adjusted: Adjustments, from: number, h: number): Fitted {
  const form = actualForm(model, y);
  const rest = model.removed.length > 0 ? adjusted(form).rest : y;
  return fit(model.core(form), isLogged(model, form) ? rest.map(log) : rest, from, h);
}

/** A model on logarithms takes the values themselves where one is not positive. */
const isLogged = (model: Model, form: SeasonForm): boolean => model.logged && form === 'multiplicative';

/**
 * Returns the path of h steps after the last value of `y`, clipped to a multiple of the observed range; a value that is not
 * finite is replaced by y's last value.
 */
export function predict(model: Model, theta: readonly number[], y: Float64Array, adjusted: Adjustments, h: number): Float64Array {
  const form = actualForm(model, y);
  const season = model.removed.length > 0 ? adjusted(form) : null;
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
