/** Events of the streams `@agent:<role>`: restarts of an agent. Each holds the number of all of them. */
import { declare } from '../event-type.js';
import { choice, required, text } from '../kit.js';
import { sequence } from '../scalars.js';

/** Why an agent restarts: its work threw an unexpected error, or showed no progress for too long. */
export const restartCauses = ['failed', 'unresponsive'] as const;
export type RestartCause = (typeof restartCauses)[number];

const restarted = declare('agent.restarted', {
  /** The number of the agent's restarts, this one included. */
  restarts: required(sequence),
  cause: required(choice(...restartCauses)),
  /** The id of the mission or run whose work failed; empty for other work. */
  work: required(text({ max: 64 })),
});

export const agentEvents = [restarted] as const;
