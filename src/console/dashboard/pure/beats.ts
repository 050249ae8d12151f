/** How the agents are, from what the server said and when. */

export interface Beat {
  /** Unix seconds. */
  readonly last_beat: number;
  readonly restarts: number;
}

export interface AgentState {
  readonly name: string;
  /** Whole tenths of a second between the beat and the answer; never negative, as two clocks may differ. */
  readonly age_s: number;
  readonly isSilent: boolean;
  readonly restarts: number;
}

/** Five seconds of silence are a hang. */
const silent_s = 5;

/** @param at milliseconds since the epoch, when the answer came */
export const agentStates = (agents: Readonly<Record<string, Beat>>, at: number): AgentState[] =>
  Object.entries(agents).map(([name, { last_beat, restarts }]) => {
    const age_s = Math.max(0, Math.round((at / 1000 - last_beat) * 10) / 10);
    return { name, age_s, isSilent: age_s > silent_s, restarts };
  });
