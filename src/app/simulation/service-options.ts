/** How the simulation's service is started, and what it reports to operators. */
import type { RunError } from '../../codec/events/simulation.js';
import type { IslandSettings } from './islands.js';
import type { RunSimulation } from './thread.js';

export interface SimulationOptions {
  /** Names and backends of every run's islands. */
  readonly islands: IslandSettings;
  /** One epoch of the islands' workers in this many is recomputed here. */
  readonly check_one_in?: number | undefined;
  readonly onWarning: (message: string) => void;
  /** Called when a run has failed. */
  readonly onFailed?: ((id: string, error: RunError) => void) | undefined;
  /** The function that computes a run: on threads, unless a caller supplies another one. */
  readonly simulate?: RunSimulation | undefined;
  /** The largest number of runs that execute at once; max(1, processors − 1) when absent. */
  readonly running_max?: number | undefined;
  readonly waiting_max?: number | undefined;
  /** The time between two searches for runs whose process died, in ms. */
  readonly sweep_ms?: number | undefined;
}
