/** A simulation's thread: takes the steps of one run as it is told to. It loads no other engine, so that it begins at once. */
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

/** What is thrown here and is no stop ends the thread, which is what its watcher hears. */
async function take(stage: ThreadStage): Promise<void> {
  try {
    post(await steps.take(stage));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    post({ type: 'stopped' });
  }
}

parentPort?.on('message', (stage: ThreadStage) => void take(stage));
