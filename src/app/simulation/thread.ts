/** Running a simulation on a thread of its own, so that it can be watched, stopped, and never blocks a request. */
import { Worker } from 'node:worker_threads';
import { Fault } from '../../base/fault.js';
import type { SimulationAnswer, SimulationMessage, SimulationTask } from './protocol.js';

export interface SimulationWatch {
  /** Once: how many sectors are disrupted by each year. */
  readonly onYears?: ((affected: readonly number[]) => void) | undefined;
  /** Every generation once and in order, with the share of the run that is done. */
  readonly onGeneration?: ((generation: number, done: number) => void) | undefined;
  /** Asked every `watch_ms`; true stops the run at its next generation. */
  readonly mustStop?: (() => boolean) | undefined;
}

export type RunSimulation = (task: SimulationTask, watch?: SimulationWatch) => Promise<SimulationAnswer>;

const watch_ms = 100;
const stop_grace_ms = 10_000;
const memory_mb_max = 1_024;

/** The answer; `stopped` when `mustStop` said so. @throws Fault when the thread dies (out of memory, a bug). */
export function simulateOnThread(task: SimulationTask, watch: SimulationWatch = {}): Promise<SimulationAnswer> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { task, stop },
    resourceLimits: { maxOldGenerationSizeMb: memory_mb_max },
  });
  const tell = listener(watch);
  return new Promise<SimulationAnswer>((resolve, reject) => {
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
        settle(() => reject(error instanceof Error ? error : new Fault('watching the simulation failed', error)));
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
        }, stop_grace_ms);
      });
    }, watch_ms);
    worker.on('message', (message: SimulationMessage) => {
      if (message.type === 'answered' || message.type === 'stopped') settle(() => resolve(message));
      else guarded(() => tell(message));
    });
    worker.on('error', (error) => settle(() => reject(new Fault("the simulation's thread failed", error))));
    worker.on('exit', (code) => settle(() => reject(new Fault(`the simulation's thread ended with code ${code}`))));
  });
}

/** A message tells of several generations where they are short: each is heard. */
function listener({ onYears, onGeneration }: SimulationWatch): (message: Exclude<SimulationMessage, SimulationAnswer>) => void {
  let heard = 0;
  return (message) => {
    if (message.type === 'years') return onYears?.(message.affected);
    for (; heard < message.generation; heard++) onGeneration?.(heard + 1, message.done);
    return undefined;
  };
}
