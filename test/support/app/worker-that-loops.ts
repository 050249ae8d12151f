/** A thread of a worker that never ends its first job. */
import { serveTasks } from '../../../src/app/threads/watched-thread.js';

serveTasks<unknown, never>(() => {
  for (;;) Math.hypot(1, 1);
});
