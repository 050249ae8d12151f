/** The thread that inspects the home that its process serves, as `doctor` does. */
import type { DoctorReport } from '../../codec/api-status.js';
import type { Config } from '../../codec/config.js';
import type { Verification } from '../daemon/verification.js';
import { damageFaults, type World } from '../home/home.js';
import { openHome } from '../home/open.js';
import { serveTasks } from '../threads/watched-thread.js';
import { inspectHome, readableConfig } from './doctor.js';

export interface DoctorTask extends Pick<World, 'env' | 'directory'> {
  /** How far the clock of the daemon is ahead of the machine's, in ms. */
  readonly clock_ahead_ms: number;
  readonly verification: Verification;
}

export interface Inspection {
  readonly report: DoctorReport;
  /** The configuration; null for a damaged one. */
  readonly config: Config | null;
}

/** The daemon's own home was checked when it was opened, so it is opened a second time, tolerating every fault that doctor reports. */
function inspect({ env, directory, clock_ahead_ms, verification }: DoctorTask): Inspection {
  const world: World = { env, directory, clock: () => Date.now() + clock_ahead_ms };
  const home = openHome(world, { tolerate: ['config', 'witness', 'permissions', ...damageFaults] });
  try {
    return { report: inspectHome(home, verification.valid === null), config: readableConfig(home) };
  } finally {
    home.close();
  }
}

serveTasks(inspect);
