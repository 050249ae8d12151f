/** Records the restarts of the agents, so that their numbers survive the daemon. */
import { roles, type Role } from '../../codec/roles.js';
import { agentStream } from '../../domain/agent.js';
import { publicKeyOf } from '../../journal/keys.js';
import { requireSigned, streamState } from '../../journal/stream.js';
import type { Home } from '../home/home.js';
import type { AgentRestart } from '../orchestrator/orchestrator.js';

/** Returns the recorded number of restarts of each agent. @throws RefusalError `integrity` for an altered entry */
export const recordedRestarts = ({ db }: Pick<Home, 'db'>): Readonly<Record<Role, number>> =>
  Object.fromEntries(
    roles.map((role) => {
      const state = streamState(db, agentStream, role, (entry) => requireSigned(entry, publicKeyOf(entry.identity)));
      return [role, state?.restarts ?? 0];
    }),
  ) as Record<Role, number>;

export class RestartRecorder {
  private readonly recording = new Set<Promise<unknown>>();

  constructor(
    private readonly home: Pick<Home, 'transact'>,
    private readonly onWarning: (message: string) => void,
  ) {}

  /** Records a restart. If that is not possible now, the number in the next event includes it. */
  readonly record = ({ role, restarts, cause, work }: AgentRestart): void => {
    const document = { restarts, cause, work };
    const recorded = this.home
      .transact((tx) => tx.append(agentStream.nameOf(role), { type: 'agent.restarted', document }))
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.onWarning(`restart ${restarts} of the ${role} agent could not be recorded (${why})`);
      })
      .finally(() => this.recording.delete(recorded));
    this.recording.add(recorded);
  };

  /** Resolves when nothing is being recorded. */
  readonly settled = async (): Promise<void> => {
    await Promise.all(this.recording);
  };
}
