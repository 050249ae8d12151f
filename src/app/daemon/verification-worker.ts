/** The thread that verifies the home that its process serves, as `verify` does, with its own threads for the entries. */
import * as os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { failedOf, type Failed } from '../../journal/verify-failed.js';
import { openAsIs } from '../home/as-is.js';
import { damageFaults } from '../home/damage-faults.js';
import type { World } from '../home/home.js';
import { verifyHome } from '../log/verify-home.js';

export interface VerificationTask extends Pick<World, 'env' | 'directory'> {
  /** Whether to compare the tables of a large journal too. */
  readonly tables: boolean;
}

export type VerificationAnswer = { readonly failure: string | null } | { readonly failed: Failed };

/** The number of threads, which leaves one processor for requests. */
const threads = Math.max(1, os.availableParallelism() - 1);

async function verify(task: VerificationTask): Promise<string | null> {
  const { tables, ...world } = task;
  const home = openAsIs({ ...world, clock: () => Date.now() }, { tolerate: ['config', 'witness', ...damageFaults] });
  try {
    const { failure } = await verifyHome(home, { deep: false, tables, threads });
    return failure?.detail ?? null;
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
