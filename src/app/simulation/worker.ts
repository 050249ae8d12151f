/** The simulation's thread: executes the steps of one run on request. It loads no other engine, so that it starts quickly. */
import { parentPort } from 'node:worker_threads';
import { watchedTask } from '../threads/watched-thread.js';
import type { SimulationMessage, ThreadStage, ThreadTask } from './protocol.js';
import { Steps } from './steps.js';
import { Stopped } from './stopped.js';

const { task, cells, isBackground, mustStop, alive } = watchedTask<ThreadTask>();
const post = (message: SimulationMessage): void => {
  const large = message.type === 'answered' && typeof message.text !== 'string' ? [message.text.buffer] : [];
  parentPort?.postMessage(message, large);
};
const steps = new Steps(task, { mustStop, alive, post, cells, isBackground });

/** Executes a step. Any error other than a stop ends the thread, which its watcher reports. */
async function take(stage: ThreadStage): Promise<void> {
  try {
    post(await steps.take(stage));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    post({ type: 'stopped' });
  }
}

parentPort?.on('message', (stage: ThreadStage) => void take(stage));
