/** A watched thread of tests: lives for a while, then does what it is told for ever. */
import { serveTasks } from '../../../src/app/threads/watched-thread.js';

interface ChildTask {
  readonly lives_ms: number;
  /** `dozes`: loops, but leaves the processor to others. */
  readonly ends: 'loops' | 'dozes' | 'waits';
}

serveTasks<ChildTask, never>(({ lives_ms, ends }, { alive }) => {
  const end = performance.now() + lives_ms;
  while (performance.now() < end) alive();
  const cell = new Int32Array(new SharedArrayBuffer(4));
  if (ends === 'waits') Atomics.wait(cell, 0, 0);
  for (;;)
    if (ends === 'dozes') Atomics.wait(cell, 0, 0, 10);
    else Math.hypot(lives_ms, 1);
});
