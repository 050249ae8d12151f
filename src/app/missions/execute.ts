/**
 * Executes a mission in three steps: an event of intent (the lease), the work with a deadline and a way to stop it, and an event
 * of outcome. The outcome is decided again on fresh state, so a late worker, a pause or a changed configuration cannot alter the
 * record.
 */
import type { MissionRecord } from '../../codec/api-missions.js';
import { runAttempt, type AttemptOptions } from './attempt.js';
import { takeLease, type LeaseOptions } from './lease.js';
import type { Home } from '../home/home.js';
import { withAgents, type OrchestratorOptions, type StageRunner } from '../orchestrator/orchestrator.js';

export interface ExecuteOptions extends AttemptOptions, LeaseOptions {
  /** Options of the agents that run the stages when no `runStage` is given. */
  readonly orchestrator?: OrchestratorOptions | undefined;
}

/**
 * Takes the lease and works to the end. Returns the mission in review.
 * @throws RefusalError that describes why the mission is not in review
 */
export async function executeMission(home: Home, id: string, options: ExecuteOptions): Promise<MissionRecord> {
  const leased = await takeLease(home, id, options);
  const attempt = (runStage: StageRunner): Promise<MissionRecord> => runAttempt(home, leased, { ...options, runStage });
  return options.runStage === undefined ? withAgents(attempt, options.orchestrator) : attempt(options.runStage);
}
