/** The simulation's step in the daemon's start, whether or not the simulation is served. */
import type { Feature } from '../daemon/feature.js';
import { failDeadRuns } from './runs.js';

/** Fails the runs that a killed process left unfinished, or warns that nothing can be recorded now. */
export const simulationFeature: Feature = {
  onStart: async (home, onWarning) => {
    try {
      await failDeadRuns(home, { actor: 'daemon', isDaemon: true });
    } catch (error) {
      onWarning(`unfinished simulation runs could not be failed (${error instanceof Error ? error.message : String(error)})`);
    }
  },
};
