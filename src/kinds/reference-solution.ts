/** What our search can start from: the choice of an allocation, the order of a schedule. */
import type { ScheduleWork } from './schedule/work.js';
import type { Work } from './works.js';
import type { ReferenceResult } from '../engines/reference/reading.js';
import { readOperations } from './schedule/reference.js';
import { verifyReference } from './reference.js';

/** In the form of our engines' own solutions; null for another kind, and for a result that does not keep its rules. */
export function solutionOf(work: Work, result: ReferenceResult): unknown {
  if (!verifyReference(work, result).passed) return null;
  if (work.kind === 'allocation') return { selected: result.node.members?.get('selected')?.value ?? null };
  return work.kind === 'schedule' ? { sequence: sequenceOf(work, result) } : null;
}

/** Jobs by number, in the order in which their operations start. */
function sequenceOf(work: ScheduleWork, result: ReferenceResult): readonly number[] {
  const number = new Map(work.jobs.map(({ id }, i) => [id, i]));
  return readOperations(result)
    .map(({ job, start }) => ({ start, job: number.get(job) ?? 0 }))
    .toSorted((a, b) => a.start - b.start || a.job - b.job)
    .map(({ job }) => job);
}
