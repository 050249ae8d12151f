/** The simulation's thread: executes the steps of runs, one run after the other. It loads no other engine, so that it starts quickly. */
import { parentPort } from 'node:worker_threads';
import { serveTasks, Stopped } from '../../threads/watched-thread.js';
import type { ThreadTask } from '../islands/threads.js';
import { Steps } from './steps.js';
import type { SimulationMessage, ThreadStage } from './thread.js';

const post = (message: SimulationMessage): void => {
  parentPort?.postMessage(message, message.type === 'answered' && typeof message.text !== 'string' ? [message.text.buffer] : []);
};

/** Executes a step. Any error other than a stop ends the thread, which its watcher reports. */
async function take(steps: Steps, stage: ThreadStage): Promise<void> {
  try {
    post(await steps.take(stage));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    post({ type: 'stopped' });
  }
}

serveTasks<ThreadTask, ThreadStage>((task, watch) => {
  const steps = new Steps(task, { ...watch, post });
  return (stage) => void take(steps, stage);
});
