/** The thread that verifies the home that its process serves, as `verify` does, with its own threads for the entries, and compares its tables. */
import * as os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { failedOf, type Failed } from '../../journal/verify-failed.js';
import { damageFaults } from '../home/damage-faults.js';
import { openHome, type World } from '../home/home.js';
import { isSmall } from '../../rows/connection.js';
import { compareProjections, verifyHome } from '../log/verify-home.js';

export interface VerificationTask extends Pick<World, 'env' | 'directory'> {
  /** Whether to compare all tables. Those of a small journal are always compared. */
  readonly tables: boolean;
}

export type VerificationAnswer = { readonly failure: string | null } | { readonly failed: Failed };

/** The number of threads, which leaves one processor for requests. */
const threads = Math.max(1, os.availableParallelism() - 1);

async function verify(task: VerificationTask): Promise<string | null> {
  const { tables, ...world } = task;
  const home = openHome({ ...world, clock: () => Date.now() }, { tolerate: ['config', 'witness', ...damageFaults] });
  try {
    const { failure } = await verifyHome(home, { deep: false, threads });
    if (failure !== null) return failure.detail;
    return tables || isSmall(home.db) ? (compareProjections(home.db)?.detail ?? null) : null;
  } finally {
    home.close();
  }
}

async function answer(): Promise<VerificationAnswer> {
  try {
    return { failure: await verify(workerData as VerificationTask) };
  } catch (error) {
    return { failed: failedOf(error) };
  }
}

// Not awaited at the top level: if a thread is terminated while such a module loads, V8 ends the whole process.
void answer().then((said) => parentPort?.postMessage(said));
