/** Fails runs whose process died while a server is running, because no other process may check them for days. */
import { simulation_sweep_ms } from '../../base/simulation-limits.js';
import type { Home } from '../home/home.js';
import { failDeadRuns } from './runs.js';

export interface SweepOptions {
  readonly actor: string;
  readonly onWarning: (message: string) => void;
  readonly pause_ms?: number | undefined;
}

/** Searches periodically until the returned function is called. The daemon's own runs are never counted as dead. */
export function sweepDeadRuns(home: Home, { actor, onWarning, pause_ms = simulation_sweep_ms }: SweepOptions): () => void {
  const sweep = async (): Promise<void> => {
    try {
      await failDeadRuns(home, { actor });
    } catch (error) {
      onWarning(`dead simulation runs could not be failed (${error instanceof Error ? error.message : String(error)})`);
    }
  };
  const timer = setInterval(() => void sweep(), pause_ms).unref();
  return () => clearInterval(timer);
}
