/** The series that the methods forecast: without gaps, outliers, the effects of regressors, and a step of the level near its end. */
import { filled, observedOf } from '../gaps.js';
import type { ForecastWork, Observation } from '../work.js';
import { isIntermittent } from './intermittent.js';
import { type LevelShift, levelShift, shifted } from './level-shift.js';
import { type CleanSeries, withoutOutliers } from './outliers.js';
import { planFor } from './plan.js';
import { regress, type Regression, type Regressor } from './regression.js';

export interface Series extends CleanSeries {
  /** The values with NaN in the gaps. */
  readonly seen: Float64Array;
  /** The observations without outliers, with what stands for gaps and the effects of regressors. */
  readonly whole: Float64Array;
  /** The same with NaN in the gaps. */
  readonly observed: Float64Array;
  readonly step: LevelShift | null;
  /** Null for a mission without regressors. */
  readonly regression: Regression | null;
}

/**
 * Returns the first observations as the methods take them. @param ahead the number of steps after them for which regressors are known
 */
export function seriesOf(work: ForecastWork, count: number, ahead: number): Series {
  const observations = work.observations.slice(0, count);
  const given = observedOf(observations);
  const { values, outliers: found, regression } = withoutEffects(observations, work, ahead);
  const whole = filled(observations, work.gaps);
  const outliers = found.map(({ index, replacement }) => {
    const value = whole[index] ?? 0;
    whole[index] = replacement + (regression?.lift[index] ?? 0);
    return { index, value, replacement: whole[index] };
  });
  const step = levelShift(values);
  const flat = shifted(values, step);
  const withGaps = (y: Float64Array): Float64Array => y.map((v, t) => (Number.isNaN(given[t]) ? Number.NaN : v));
  return { values: flat, outliers, seen: withGaps(flat), whole, observed: withGaps(whole), step, regression };
}

interface Base extends CleanSeries {
  readonly regression: Regression | null;
}

/** How often effects are estimated without the outliers that were found. */
const rounds_max = 5;

const isEach = (outliers: CleanSeries['outliers'], indices: ReadonlySet<number>): boolean =>
  outliers.length === indices.size && outliers.every(({ index }) => indices.has(index));

/** Returns the series without what the regressors add to it, and then without its outliers. */
function withoutEffects(observations: readonly Observation[], work: ForecastWork, ahead: number): Base {
  const given = observedOf(observations);
  const whole = filled(observations, work.gaps);
  const plain = withoutOutliers(whole, given, work);
  const regressors = regressorsOf(work, observations.length + ahead);
  if (regressors.length === 0) return { ...plain, regression: null };
  const { seasons, short } = planFor(work, shifted(plain.values, levelShift(plain.values)));
  const isRare = isIntermittent(whole);
  const base = (regression: Regression): Base => {
    const rest = observations.map((v, t) => {
      const value = v === null ? null : v - (regression.lift[t] ?? 0);
      return value === null || !isRare ? value : Math.max(0, value);
    });
    return { ...withoutOutliers(filled(rest, work.gaps), given, work), regression };
  };
  // A wrong value would be taken for an effect: the effects are those of the other values. Without one, others may show.
  let found = base(regress(given, regressors, [...seasons, ...short]));
  let wrong = new Set<number>();
  for (let round = 0; round < rounds_max && !isEach(found.outliers, wrong); round++) {
    wrong = new Set(found.outliers.map(({ index }) => index));
    const others = given.map((v, t) => (wrong.has(t) ? Number.NaN : v));
    found = base(regress(others, regressors, [...seasons, ...short]));
  }
  return found;
}

/** Returns the regressors in the order of their names. */
const regressorsOf = ({ regressors = {} }: ForecastWork, count: number): Regressor[] =>
  Object.entries(regressors)
    .map(([name, values]) => ({ name, values: values.slice(0, count) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
