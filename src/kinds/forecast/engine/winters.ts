/**
 * Holt–Winters with one seasonal array per length (Winters 1960; several lengths and the autoregressive correction of the error
 * after Taylor 2003), additive or multiplicative, with a damped slope. `rho` is the first autocorrelation of the errors.
 */
import type { Core, Parameter } from './cores.js';
import { type SeasonForm, withoutSeason } from './seasonal-index.js';
import { mean } from './series.js';

type State = ReturnType<typeof initial>;

const slope_damping = 0.98;

const common: readonly Parameter[] = [
  { name: 'alpha', min: 0, max: 0.9, start: 0.1 },
  { name: 'beta', min: 0, max: 0.3, start: 0 },
  { name: 'rho', min: 0, max: 0.98, start: 0.5 },
];

/** Sets the indices from the first cycles; the level starts at the mean of the first cycle of the longest season. */
function initial(y: Float64Array, seasons: readonly number[], form: SeasonForm) {
  const longest = seasons[seasons.length - 1] ?? 1;
  const { indices } = withoutSeason(y.subarray(0, longest * 3), seasons, form);
  return { level: mean(y, 0, longest), slope: 0, lastError: 0, seasons: indices };
}

function seasonAt(state: State, t: number, form: SeasonForm): number {
  let s = form === 'additive' ? 0 : 1;
  for (const array of state.seasons) {
    const v = array[t % array.length] ?? 0;
    s = form === 'additive' ? s + v : s * v;
  }
  return s;
}

/** Updates the state with y[from..to). */
function advance(state: State, y: Float64Array, from: number, to: number, form: SeasonForm, theta: readonly number[]): void {
  const [a = 0, b = 0] = theta;
  const additive = form === 'additive';
  for (let t = from; t < to; t++) {
    const trend = state.level + slope_damping * state.slope;
    const s = seasonAt(state, t, form);
    const fitted = additive ? trend + s : trend * s;
    const e = (y[t] ?? 0) - fitted;
    const onLevel = additive ? e : e / s;
    state.level = trend + a * onLevel;
    state.slope = slope_damping * state.slope + a * b * onLevel;
    state.seasons.forEach((array, j) => {
      const i = t % array.length;
      const v = array[i] ?? 0;
      array[i] = v + (theta[3 + j] ?? 0) * (additive ? e : (e / fitted) * v);
    });
    state.lastError = e;
  }
}

function ahead(state: State, n: number, form: SeasonForm, r: number, h: number): Float64Array {
  const path = new Float64Array(h);
  let trend = state.level;
  let slope = state.slope;
  let carried = state.lastError;
  for (let k = 0; k < h; k++) {
    slope *= slope_damping;
    trend += slope;
    carried *= r;
    const s = seasonAt(state, n + k, form);
    path[k] = (form === 'additive' ? trend + s : trend * s) + carried;
  }
  return path;
}

export const winters = (seasons: readonly number[], form: SeasonForm): Core => ({
  name: form === 'additive' ? 'holt-winters-additive' : 'holt-winters-multiplicative',
  parameters: [...common, ...seasons.map((_, j): Parameter => ({ name: `gamma${j + 1}`, min: 0, max: 0.6, start: 0.1 }))],
  walk: (y, theta, origins, h) => {
    const state = initial(y, seasons, form);
    let t = 0;
    return origins.map((n) => {
      advance(state, y, t, n, form, theta);
      t = n;
      return ahead(state, n, form, theta[2] ?? 0, h);
    });
  },
});
