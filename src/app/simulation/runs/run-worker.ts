/** The simulation's thread: executes the steps of runs, one run after the other. It loads no other engine, so that it starts quickly. */
import { serveTasks } from '../../threads/watched-thread.js';
import type { ThreadTask } from '../islands/threads.js';
import { Steps } from './steps.js';
import type { RunEnd, RunNews, ThreadStage } from './thread.js';

serveTasks<ThreadTask, RunEnd, RunNews, ThreadStage, null>(
  async (task, watch) => {
    const steps = new Steps(task, watch);
    for (;;) {
      const ended = await steps.take(await watch.order());
      if (ended !== null) return ended;
      watch.reply(null);
    }
  },
  (ended) => (ended.type === 'answered' && typeof ended.text !== 'string' ? ended.text.buffer : null),
);
