/** Documents that commands print and that a running daemon serves for its home. */
import { type Refusal, RefusalError } from '../../base/refusal.js';
import { threadScript } from '../../base/thread-script.js';
import type { Checkpoint } from '../../codec/api-journal.js';
import type { DoctorReport } from '../../codec/api-status.js';
import type { Daemon } from '../daemon/daemon.js';
import type { Home } from '../home/home.js';
import { checkpoint } from '../log/checkpoint.js';
import { wholeAnswer, watchThread, type WatchedThread } from '../threads/watched-worker.js';
import { withExecution } from './doctor.js';
import type { DoctorTask, Inspection } from './doctor-worker.js';

const stopping: Refusal = { code: 'interrupted', detail: 'the daemon is stopping' };

/**
 * Returns a function that returns the current report of `doctor` for the home of a daemon. A thread inspects the home, since that takes longer
 * than other requests may wait. Calls during an inspection share its report.
 */
export function doctorReader({ home, verification, endWith }: Pick<Daemon, 'home' | 'verification' | 'endWith'>) {
  let thread: WatchedThread<Inspection> | null = null;
  let isStopping = false;
  let current: Promise<DoctorReport> | null = null;
  endWith(async () => {
    isStopping = true;
    await thread?.end();
  });
  const make = async (): Promise<DoctorReport> => {
    if (isStopping) throw new RefusalError(stopping);
    const { env, directory, clock } = home.world;
    const task: DoctorTask = { env: { ...env }, directory, clock_ahead_ms: clock() - Date.now(), verification: verification() };
    const script = threadScript(new URL('./doctor-worker.js', import.meta.url));
    thread = watchThread<Inspection>({ script, isBackground: false, task, name: 'the doctor' });
    const { report, config } = await wholeAnswer(thread).catch((error: unknown) => {
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
