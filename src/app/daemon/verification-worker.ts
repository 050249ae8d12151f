/** The thread that verifies the home that its process serves, as `verify` does, with its own threads for the entries. */
import * as os from 'node:os';
import { openAsIs } from '../home/read-only.js';
import { damageFaults, type World } from '../home/home.js';
import { verifyHome, type VerifyReport } from '../log/verify-home.js';
import { serveTasks } from '../threads/watched-thread.js';

export type VerificationTask = Pick<World, 'env' | 'directory'>;

/** Why the home failed, or null. */
export type VerificationAnswer = VerifyReport['failure'];

/** The number of threads, which leaves one processor for requests. */
const threads = Math.max(1, os.availableParallelism() - 1);

async function verify(task: VerificationTask): Promise<VerificationAnswer> {
  const home = openAsIs({ ...task, clock: () => Date.now() }, { tolerate: ['config', 'witness', ...damageFaults] });
  try {
    // The daemon compares config.json itself, whenever it records something.
    const checked = { ...home, faults: { ...home.faults, config: null } };
    const { failure } = await verifyHome(checked, { deep: false, threads });
    return failure;
  } finally {
    home.close();
  }
}

serveTasks(verify);
