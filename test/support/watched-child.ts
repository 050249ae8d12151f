/** A watched thread of tests: lives for a while, then does what it is told for ever. */
import { watchedTask } from '../../src/app/threads/watched-thread.js';

const { task, alive } = watchedTask<{ readonly lives_ms: number; readonly ends: 'loops' | 'waits' }>();
const end = performance.now() + task.lives_ms;
while (performance.now() < end) alive();
if (task.ends === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
for (;;) Math.hypot(task.lives_ms, 1);
