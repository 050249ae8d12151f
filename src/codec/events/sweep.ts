/** Events of the stream `@sweep:<id>`: what is varied, and its end. Its runs have streams of their own, which name it. */
import { sweep_runs_max } from '../../base/limits.js';
import { declare } from '../event-type.js';
import { integer, optional, required } from '../kit.js';
import { causedBy } from '../scalars.js';
import { runName } from '../simulation.js';
import { sweepField, sweepSeeds, sweepValues } from '../sweep.js';

const sweepRequested = declare('sweep.requested', {
  /** Absent without one. */
  name: optional(runName),
  field: required(sweepField),
  values: required(sweepValues),
  /** The seeds of each value. */
  seeds: required(sweepSeeds),
  ...causedBy,
});

/** All its runs have ended. */
const sweepCompleted = declare('sweep.completed', { succeeded: required(integer(0, sweep_runs_max)), ...causedBy });

const sweepCancelled = declare('sweep.cancelled', { ...causedBy });

export const sweepEvents = [sweepRequested, sweepCompleted, sweepCancelled] as const;
