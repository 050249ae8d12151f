/**
 * A thread that ends its process when that has too much memory or outlives the program that started it. The thread that reads cannot do so
 * itself while a library works, and the limits of a worker thread bound only V8's heap.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { memory_mark, type ReadingLimits } from './request.js';

const interval_ms = 25;
/** The program that started the process ends it at its deadline; this is for a process whose starter was killed. */
const grace_ms = 2_000;
const standard_error = 2;

const { ms_max, resident_bytes_max } = workerData as ReadingLimits;
const began = performance.now();

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > resident_bytes_max;
  if (isTooLarge) writeSync(standard_error, memory_mark);
  if (isTooLarge || performance.now() - began > ms_max + grace_ms) process.kill(process.pid, 'SIGKILL');
}, interval_ms);
