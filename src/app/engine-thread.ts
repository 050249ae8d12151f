/** Running an engine on a thread of its own, so that it can be watched, stopped, and never blocks a request. */
import * as os from 'node:os';
import { Worker } from 'node:worker_threads';
import { Fault } from '../base/fault.js';
import { engine_stop_ms_max } from '../base/limits.js';
import type { EngineAnswer, EngineMessage, EngineTask } from './engine-protocol.js';
import { Gate } from './execution/gate.js';

export interface Watch {
  readonly onProgress?: (done: number) => void;
  /** Asked every `watch_ms`; true stops the engine at its next checkpoint. */
  readonly mustStop?: () => boolean;
}

/** How an engine is run: on a thread, unless a caller brings another way. */
export type RunEngine = (task: EngineTask, watch?: Watch) => Promise<EngineAnswer>;

const watch_ms = 100;
const memory_mb_max = 512;

/** Executions are counted by their leases; verifications, however many decisions arrive at once, take turns. */
const verifications = new Gate(os.availableParallelism());

/** The engine's answer; `stopped` when `mustStop` said so. @throws Fault when the thread dies (out of memory, a bug). */
export const runOnThread = (task: EngineTask, watch: Watch = {}): Promise<EngineAnswer> =>
  task.type === 'verify' ? verifications.run(() => run(task, watch)) : run(task, watch);

function run(task: EngineTask, watch: Watch): Promise<EngineAnswer> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./engine-worker.js', import.meta.url), {
    workerData: { task, stop },
    resourceLimits: { maxOldGenerationSizeMb: memory_mb_max },
  });
  return new Promise<EngineAnswer>((resolve, reject) => {
    let grace: NodeJS.Timeout | null = null;
    const settle = (end: () => void): void => {
      clearInterval(timer);
      if (grace !== null) clearTimeout(grace);
      end();
    };
    /** Calls of the watch come from the event loop: a throw there (a journal that cannot be read) would end the whole process. */
    const guarded = (call: () => void): void => {
      try {
        call();
      } catch (error) {
        settle(() => reject(error instanceof Error ? error : new Fault('watching the engine failed', error)));
        void worker.terminate();
      }
    };
    const timer = setInterval(() => {
      guarded(() => {
        if (grace !== null || watch.mustStop?.() !== true) return;
        Atomics.store(stop, 0, 1);
        grace = setTimeout(() => {
          resolve({ type: 'stopped' });
          void worker.terminate();
        }, engine_stop_ms_max);
      });
    }, watch_ms);
    worker.on('message', (message: EngineMessage) => {
      if (message.type === 'progress') guarded(() => watch.onProgress?.(message.done));
      else settle(() => resolve(message));
    });
    worker.on('error', (error) => settle(() => reject(new Fault("the engine's thread failed", error))));
    worker.on('exit', (code) => settle(() => reject(new Fault(`the engine's thread ended with code ${code}`))));
  });
}
