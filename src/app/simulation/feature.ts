/** The simulation's part in a daemon's start, whether the simulation is served or not. */
import type { Feature } from '../daemon/feature.js';
import { failDeadRuns } from './runs.js';

/** Fails the runs that a killed process left unfinished, or says that nothing can be recorded now. */
export const simulationFeature: Feature = {
  onStart: async (home, onWarning) => {
    try {
      await failDeadRuns(home, { actor: 'daemon', isDaemon: true });
    } catch (error) {
      onWarning(`unfinished simulation runs could not be failed (${error instanceof Error ? error.message : String(error)})`);
    }
  },
};
