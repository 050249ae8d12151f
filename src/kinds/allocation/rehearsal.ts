/** The mission that an idle thread runs ahead of its first allocation mission. */
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Rehearsal } from '../rehearsal.js';
import { allocationWork, type AllocationWork } from './work.js';

const items_count = 24;

/** Returns items with groups, requirements and exclusions, under a budget and a risk limit that both bind. */
function work(): AllocationWork {
  const items = Array.from({ length: items_count }, (_, i) => ({
    id: `i${i}`,
    cost: 1 + ((i * 7) % 9),
    value: 2 + ((i * 5) % 11),
    risk: i % 3,
    ...(i % 6 === 0 ? { group: `g${i % 12}` } : {}),
    ...(i % 7 === 1 ? { requires: ['i0'] } : {}),
    ...(i % 11 === 2 ? { excludes: ['i3'] } : {}),
  }));
  return unwrap(decode(allocationWork, { kind: 'allocation', budget: 40, max_risk: 12, items }));
}

export const allocationRehearsal = (): Rehearsal<AllocationWork> => ({
  goal: 'Which projects fit?',
  work: work(),
  runs: 8,
  verified_every: 2,
});
