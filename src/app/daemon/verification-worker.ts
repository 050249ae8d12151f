/** The thread that verifies the home which its process serves: exactly what `verify` does, with threads of its own for the entries. */
import * as os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { failedOf, type Failed } from '../../journal/verify-failed.js';
import { openHome, type World } from '../home/home.js';
import { verifyHome } from '../log/verify-home.js';

export type VerificationTask = Pick<World, 'env' | 'directory'>;
export type VerificationAnswer = { readonly failure: string | null } | { readonly failed: Failed };

/** One processor is left for the requests. */
const threads = Math.max(1, os.availableParallelism() - 1);

async function verify(task: VerificationTask): Promise<string | null> {
  const home = openHome({ ...task, clock: () => Date.now() }, { tolerate: ['config', 'witness', 'head'] });
  try {
    const { failure } = await verifyHome(home, { deep: false, threads });
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

// Not awaited by the module: where a thread is ended while such a module begins, V8 ends the whole process.
void answer().then((said) => parentPort?.postMessage(said));
