/** A watched thread of tests: lives for a while, then does what it is told for ever. */
import { serveTasks } from '../../src/app/threads/watched-thread.js';

interface ChildTask {
  readonly lives_ms: number;
  readonly ends: 'loops' | 'waits';
}

serveTasks<ChildTask>(({ lives_ms, ends }, { alive }) => {
  const end = performance.now() + lives_ms;
  while (performance.now() < end) alive();
  if (ends === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  for (;;) Math.hypot(lives_ms, 1);
});
