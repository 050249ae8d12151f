/** How the engine does with promotions that are known beforehand: on series that they move, and on series that they do not. */
import { promoted, type PromotedShape, randomOf } from './generated.js';
import { resultOf } from './ours.js';
import { at } from './scores.js';

const horizon = 12;

export interface EffectFigures {
  /** The share of series whose effect lies in its 90 % interval. */
  readonly covered: number;
  /** The error of the forecast over that of one without the regressor, both in units of the usual change of the series. */
  readonly ratio: number;
}

/** @param size the effect of a promotion in standard deviations of the noise; 0 for none */
export function effectFigures(shape: PromotedShape, seeds: number, size: number): EffectFigures {
  let [covered, told, untold] = [0, 0, 0];
  for (let seed = 0; seed < seeds; seed++) {
    const { observations, promotions, future, effect } = promoted(randomOf(seed), horizon, shape, size);
    const work = { observations, horizon, holdout: 4, season: 'auto', ...shape.dated } as const;
    const changes = observations.slice(1).reduce((sum, v, t) => sum + Math.abs(v - at(observations, t)), 0);
    const error = (path: readonly number[]): number => future.reduce((sum, v, k) => sum + Math.abs(v - at(path, k)), 0) / changes;
    const { effects = [], forecast } = resultOf({ ...work, regressors: { promotion: promotions } });
    const { lower, upper } = effects[0] ?? {};
    if ((lower ?? Infinity) <= effect && effect <= (upper ?? -Infinity)) covered++;
    told += error(forecast);
    untold += error(resultOf(work).forecast);
  }
  return { covered: covered / seeds, ratio: told / untold };
}
