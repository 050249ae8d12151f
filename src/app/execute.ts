/**
 * Executing a mission in three beats: an event of intent (the lease), the work with a deadline and a way to stop it, and an event
 * of outcome that is decided again against fresh state; so a late worker, a pause or a changed configuration alters nothing.
 */
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../base/result.js';
import { runAttempt, type AttemptOptions } from './execution/attempt.js';
import { takeLease, type LeaseOptions } from './execution/lease.js';
import type { Home } from './home.js';
import type { MissionRecord } from './mission-store.js';

export type ExecuteOptions = AttemptOptions & LeaseOptions;

/** Takes the lease and works to the end: the mission in review, or the refusal that says why it is not. */
export async function executeMission(home: Home, id: string, options: ExecuteOptions): Promise<Result<MissionRecord>> {
  const leased = await takeLease(home, id, options);
  return E.isLeft(leased) ? leased : runAttempt(home, leased.right, options);
}
