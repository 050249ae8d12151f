/** Documents that commands print and that a running daemon serves for its home. */
import type { Checkpoint } from '../../codec/api-journal.js';
import type { DoctorReport } from '../../codec/api-status.js';
import { checkpoint } from '../log/checkpoint.js';
import { doctor } from './doctor.js';
import { damageFaults } from '../home/damage-faults.js';
import { openHome, type Home, type World } from '../home/home.js';

/**
 * Returns the current report of `doctor`. The daemon's own home was checked when it was opened, so it is opened a second time, as
 * the command does, tolerating every fault that doctor reports.
 */
export async function doctorNow(world: World): Promise<DoctorReport> {
  const home = openHome(world, { tolerate: ['config', 'witness', 'permissions', ...damageFaults] });
  try {
    return await doctor(home);
  } finally {
    home.close();
  }
}

export function checkpointNow(home: Home): Checkpoint {
  const { output: _, ...report } = checkpoint(home, undefined);
  return report;
}
