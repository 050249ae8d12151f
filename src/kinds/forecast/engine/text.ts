/** The sentences of a result. */
import type { ForecastWork } from '../work.js';
import type { Outlier } from '../result.js';
import type { Plan } from './plan.js';

export const method =
  'mean of the best few classical methods by rolling-origin error, weighted by its inverse square; on short series also the median of six simple methods';

const outliers_named_max = 3;

export function limitsOf(work: ForecastWork, plan: Plan, outliers: readonly Outlier[]): string[] {
  const wanted = Math.max(work.horizon, work.holdout);
  const limits = [
    'The future is taken to resemble the past: no outside cause enters.',
    `Bands rest on ${plan.origins.length} rolling origins of ${plan.isCut ? 'up to ' : ''}${plan.steps} steps and on the holdout.`,
  ];
  if (plan.steps < wanted) limits.push(`Bands beyond step ${plan.steps} widen as those of a random walk.`);
  if (plan.isUndetected) limits.push('No season was found: the series is forecast without one.');
  for (const m of plan.short) limits.push(`Season ${m}: too few cycles for more than the seasonal naive methods.`);
  for (const m of plan.dropped) limits.push(`Season ${m}: too long for the training observations, left out.`);
  for (const { index, value, replacement } of outliers.slice(0, outliers_named_max))
    limits.push(`Observation ${index + 1} (${value}) is an outlier: the forecast takes ${replacement} in its place.`);
  const more = outliers.length - outliers_named_max;
  if (more > 0)
    limits.push(`${more} more ${more === 1 ? 'observation is an outlier' : 'observations are outliers'} and replaced.`);
  return limits;
}
