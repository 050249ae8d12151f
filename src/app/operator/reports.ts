/** Documents that commands print and that a running daemon serves for its home. */
import { Worker } from 'node:worker_threads';
import { type Refusal, RefusalError } from '../../base/refusal.js';
import { threadScript } from '../../base/thread-script.js';
import type { Checkpoint } from '../../codec/api-journal.js';
import type { DoctorReport } from '../../codec/api-status.js';
import type { Daemon } from '../daemon/daemon.js';
import type { Home } from '../home/home.js';
import { checkpoint } from '../log/checkpoint.js';
import { answerOf } from '../threads/watched-thread.js';
import { withExecution } from './doctor.js';
import type { DoctorTask, Inspection } from './doctor-worker.js';

const stopping: Refusal = { code: 'interrupted', detail: 'the daemon is stopping' };

/**
 * Returns a function that returns the current report of `doctor` for the home of a daemon. A thread inspects the home, since that takes longer
 * than other requests may wait. Calls during an inspection share its report.
 */
export function doctorReader({ home, verification, endWith }: Pick<Daemon, 'home' | 'verification' | 'endWith'>) {
  let worker: Worker | null = null;
  let isStopping = false;
  let current: Promise<DoctorReport> | null = null;
  endWith(async () => {
    isStopping = true;
    await worker?.terminate();
  });
  const make = async (): Promise<DoctorReport> => {
    if (isStopping) throw new RefusalError(stopping);
    const { env, directory, clock } = home.world;
    const task: DoctorTask = { env: { ...env }, directory, clock_ahead_ms: clock() - Date.now(), verification: verification() };
    worker = new Worker(threadScript(new URL('./doctor-worker.js', import.meta.url)), { workerData: task });
    const { report, config } = await answerOf<Inspection>(worker).catch((error: unknown) => {
      throw isStopping ? new RefusalError(stopping) : error;
    });
    return withExecution(home, report, config);
  };
  return (): Promise<DoctorReport> => (current ??= make().finally(() => (current = null)));
}

export function checkpointNow(home: Home): Checkpoint {
  const { output: _, ...report } = checkpoint(home, undefined);
  return report;
}
