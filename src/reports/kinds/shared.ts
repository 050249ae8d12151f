/** What reports of several kinds say. */
import { percent } from '../../pictures/screen.js';
import { type Fact, leadText } from '../content.js';

export interface Bound {
  readonly name: string;
  readonly value: number;
  readonly unit?: string;
  readonly gap: number;
}

/** Returns how good the result is known to be: by its bound, or by a search that only another run can confirm. */
export function proofFact(proven: 'bound' | 'search' | false, { name, value, unit, gap }: Bound): Fact {
  if (proven === 'bound') return ['Optimality', 'proven', 'the bound is reached; the gap is 0'];
  if (proven === 'search') return ['Optimality', 'optimal by search', `not certified: recompute to confirm; gap ${percent(gap)}`];
  return [name, unit === undefined ? leadText(value) : `${leadText(value)} ${unit}`, `not proven optimal; gap ${percent(gap)}`];
}
