/** The candidate models of a plan. A model is a core method, with or without a season removed before it. */
import { autoregression, lagsFor } from './autoregression.js';
import { type Core, cores } from './cores.js';
import { type Fitted, fit } from './fit.js';
import type { Plan } from './plan.js';
import { type Adjusted, type SeasonForm, withoutSeason } from './seasonal-index.js';
import { seasonalNaive, weightedSeasonalNaive } from './seasonal-naive.js';
import { highest, lowest } from './series.js';
import { winters } from './winters.js';

export interface Model {
  readonly name: string;
  /** The method for this form of the season; multiplicative models fall back to additive where a value is not positive. */
  readonly core: (form: SeasonForm) => Core;
  readonly form: SeasonForm;
  /** The lengths removed before the core receives the series. */
  readonly removed: readonly number[];
}

/** Returns the models in ascending order of name. */
export function pool(plan: Plan, positive: boolean): Model[] {
  const { seasons } = plan;
  const lags = lagsFor(seasons, Math.min(plan.trainCount, plan.window), plan.firstOriginMin);
  const forms: SeasonForm[] = positive ? ['additive', 'multiplicative'] : ['additive'];
  const alone = (core: Core): Model => ({ name: core.name, core: () => core, form: 'additive', removed: [] });
  const models = [...cores, ...(lags.length > 0 ? [autoregression(lags)] : [])].map(alone);
  for (const m of [...seasons, ...plan.short]) models.push(alone(seasonalNaive(m)), alone(weightedSeasonalNaive(m)));
  if (seasons.length > 0) {
    for (const form of forms) {
      for (const core of cores) models.push({ name: `${core.name}-${form}`, core: () => core, form, removed: seasons });
      models.push({ name: `holt-winters-${form}`, core: (actual) => winters(seasons, actual), form, removed: [] });
    }
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
  return fit(model.core(form), model.removed.length > 0 ? adjusted(form).rest : y, from, h);
}

/**
 * Returns the path of h steps after the last value of `y`, clipped to a multiple of the observed range; a value that is not
 * finite is replaced by y's last value.
 */
export function predict(model: Model, theta: readonly number[], y: Float64Array, adjusted: Adjustments, h: number): Float64Array {
  const form = actualForm(model, y);
  const season = model.removed.length > 0 ? adjusted(form) : null;
  const x = season === null ? y : season.rest;
  const path = model.core(form).walk(x, theta, [x.length], h)[0] ?? new Float64Array(h);
  const whole = season === null ? path : season.restore(path);
  const low = lowest(y);
  const high = highest(y);
  const margin = (high - low) * (3 + (2 * h) / y.length);
  return whole.map((v) => (Number.isFinite(v) ? Math.min(high + margin, Math.max(low - margin, v)) : (y[y.length - 1] ?? 0)));
}
