import * as t from 'io-ts';
import { figuresOf, gained, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import type { AllocationWork } from './work.js';

const figures = t.type({ value: finite, baseline: t.type({ value: finite }) });

/** Returns the value that the portfolio adds to the greedy rule's. The mission's unit is that of its budget, and values have none. */
export function allocationImprovement(_work: AllocationWork, result: unknown): Improvement {
  const { value, baseline } = figuresOf(figures, result);
  return gained(baseline.value, value);
}
