/** The state of the agents, from the server's status and its time. */
import type { AgentBeat } from '../../../codec/api-simulation.js';

/** Five seconds of silence are a hang. */
const silent_s = 5;

/**
 * `age_s`: seconds between the heartbeat and the response, in tenths; never negative, because the two clocks may differ.
 * @param at the time of the response, in milliseconds since the epoch
 */
export const agentStates = (agents: Readonly<Record<string, AgentBeat>>, at: number) =>
  Object.entries(agents).map(([name, { last_beat, restarts }]) => {
    const age_s = Math.max(0, Math.round((at / 1000 - last_beat) * 10) / 10);
    return { name, age_s, isSilent: age_s > silent_s, restarts };
  });
