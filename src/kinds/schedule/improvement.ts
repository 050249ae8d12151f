import * as t from 'io-ts';
import { figuresOf, saved, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import type { ScheduleWork } from './work.js';

const figures = t.type({ makespan: finite, tardiness: finite, baseline: finite });

/** Returns what the schedule saves of the dispatching rule's makespan, or of its weighted tardiness when that is the objective. */
export function scheduleImprovement({ objective, unit }: ScheduleWork, result: unknown): Improvement {
  const { makespan, tardiness, baseline } = figuresOf(figures, result);
  return objective === 'makespan' ? saved(baseline, makespan, unit) : saved(baseline, tardiness, `${unit} × weight`);
}
