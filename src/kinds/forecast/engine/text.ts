/** The sentences of a result. */
import type { ForecastWork } from '../work.js';
import type { Plan } from './plan.js';

export const method = 'mean of the best few classical methods by rolling-origin error, weighted by its inverse square';

export function limitsOf(work: ForecastWork, plan: Plan): string[] {
  const wanted = Math.max(work.horizon, work.holdout);
  const limits = [
    'The future is taken to resemble the past: no outside cause enters.',
    `Bands rest on ${plan.origins.length} rolling origins of ${plan.steps} steps.`,
  ];
  if (plan.steps < wanted) limits.push(`Bands beyond step ${plan.steps} widen with the square root of the step.`);
  for (const m of plan.short) limits.push(`Season ${m}: too few cycles for more than the seasonal naive methods.`);
  for (const m of plan.dropped) limits.push(`Season ${m}: too long for the training observations, left out.`);
  return limits;
}
