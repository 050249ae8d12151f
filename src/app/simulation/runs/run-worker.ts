/** The simulation's thread: executes the steps of runs, one run after the other. It loads no other engine, so that it starts quickly. */
import { serveTasks } from '../../threads/watched-thread.js';
import type { ThreadTask } from '../islands/threads.js';
import { stepsOf } from './steps.js';
import type { RunEnd, RunNews } from './thread.js';

serveTasks<ThreadTask, RunEnd, RunNews, null, null>(
  async (task, watch) => {
    const steps = stepsOf(task, watch);
    for (;;) {
      await watch.order();
      watch.checkpoint();
      const step = await steps.next();
      if (step.done === true) return step.value;
      watch.reply(step.value);
    }
  },
  (ended) => (ended.type === 'answered' && typeof ended.text !== 'string' ? ended.text.buffer : null),
);
