/**
 * Executing a mission in three steps: an event of intent (the lease), the work with a deadline and a way to stop it, and an event
 * of outcome that is decided again against fresh state; so a late worker, a pause or a changed configuration alters nothing.
 */
import type { MissionRecord } from '../../codec/api-missions.js';
import { runAttempt, type AttemptOptions } from './attempt.js';
import { takeLease, type LeaseOptions } from './lease.js';
import type { Home } from '../home/home.js';
import { withAgents, type OrchestratorOptions, type StageRunner } from '../orchestrator/orchestrator.js';

export interface ExecuteOptions extends AttemptOptions, LeaseOptions {
  /** Options of the agents that run the stages where no `runStage` is given. */
  readonly orchestrator?: OrchestratorOptions | undefined;
}

/** Takes the lease and works to the end. Returns the mission in review. @throws RefusalError that says why it is not */
export async function executeMission(home: Home, id: string, options: ExecuteOptions): Promise<MissionRecord> {
  const leased = await takeLease(home, id, options);
  const attempt = (runStage: StageRunner): Promise<MissionRecord> => runAttempt(home, leased, { ...options, runStage });
  return options.runStage === undefined ? withAgents(attempt, options.orchestrator) : attempt(options.runStage);
}
