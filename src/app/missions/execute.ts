/**
 * Executing a mission in three beats: an event of intent (the lease), the work with a deadline and a way to stop it, and an event
 * of outcome that is decided again against fresh state; so a late worker, a pause or a changed configuration alters nothing.
 */
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../base/result.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import { runAttempt, type AttemptOptions } from './attempt.js';
import { takeLease, type LeaseOptions } from './lease.js';
import type { Home } from '../home/home.js';
import { withAgents, type OrchestratorOptions, type Pass } from '../orchestrator/orchestrator.js';

export interface ExecuteOptions extends AttemptOptions, LeaseOptions {
  /** Of the agents that see the work through where no `pass` is given. */
  readonly orchestrator?: OrchestratorOptions | undefined;
}

/** Takes the lease and works to the end: the mission in review, or the refusal that says why it is not. */
export async function executeMission(home: Home, id: string, options: ExecuteOptions): Promise<Result<MissionRecord>> {
  const leased = await takeLease(home, id, options);
  if (E.isLeft(leased)) return leased;
  const attempt = (pass: Pass): Promise<Result<MissionRecord>> => runAttempt(home, leased.right, { ...options, pass });
  return options.pass === undefined ? withAgents(attempt, options.orchestrator) : attempt(options.pass);
}
