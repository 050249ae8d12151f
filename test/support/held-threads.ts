/** Threads that wait at a barrier, before they load their module, until the test lets them go. */
import { syncBuiltinESMExports } from 'node:module';
import workers, { setEnvironmentData, type WorkerOptions } from 'node:worker_threads';

export interface HeldThreads {
  /** Returns how many were started. */
  readonly started: () => number;
  /** Lets them run, those that are started later too. */
  readonly release: () => void;
  /** Lets them run, and holds no more. */
  readonly end: () => void;
}

const held = `
  const { getEnvironmentData } = require('node:worker_threads');
  Atomics.wait(getEnvironmentData('barrier'), 0, 0);
  import(getEnvironmentData('module'));
`;

/** Holds the threads that are started from a module of this name. */
export function holdThreads(name: string): HeldThreads {
  const { Worker } = workers;
  const barrier = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let started = 0;
  class HeldWorker extends Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      const isHeld = String(script).endsWith(`/${name}.js`);
      if (isHeld) {
        started++;
        setEnvironmentData('barrier', barrier);
        setEnvironmentData('module', String(script));
      }
      super(isHeld ? held : script, isHeld ? { ...options, eval: true } : options);
    }
  }
  const use = (worker: typeof Worker): void => {
    Object.assign(workers, { Worker: worker });
    syncBuiltinESMExports();
  };
  const release = (): void => {
    Atomics.store(barrier, 0, 1);
    Atomics.notify(barrier, 0);
  };
  use(HeldWorker);
  return {
    started: () => started,
    release,
    end: () => {
      release();
      use(Worker);
    },
  };
}
