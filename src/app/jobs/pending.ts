/** A job in flight. */
import type { JobClaim } from '../../codec/jobs.js';
import type { Job, JobAnswer } from './job.js';

export interface Pending {
  readonly job: Job;
  readonly input_sha256: string;
  readonly settle: (answer: JobAnswer | Promise<JobAnswer>) => void;
  /** The worker that has it, the delivery to it, and its progress; null while it waits in the queue. */
  taken: { readonly key: string; readonly delivery: number; progress: number } | null;
  /** Results of this delivery and earlier ones are ignored. */
  lost: number;
  /** Its place in the queue. */
  place: number | null;
  /** When it was queued, taken, lost, or made progress last. */
  since: number;
}

/** Returns why a result does not count, or null. @param accepts whether results of a key count */
export function objection(
  { key, release, input_sha256 }: JobClaim,
  { job, input_sha256: own }: Pending,
  { accepts, release: ours }: { readonly accepts: (key: string) => boolean; readonly release: string },
): string | null {
  if (!accepts(key)) return 'its key is not accepted';
  if (job.notBy?.includes(key) === true) return 'its key must not compute this job';
  if (release !== ours) return 'another version computed it';
  return input_sha256 === own ? null : 'it is for a different input';
}
