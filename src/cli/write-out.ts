/** Writes to standard output without Node's stream, whose write may end later or fail unseen. */
import { writeSync } from 'node:fs';
import { errorCode } from '../base/fault.js';

const standard_output = 1;
const wait_ms_max = 5_000;
const wait_ms = 10;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Returns once the system has taken the whole text. Blocks while a pipe is full. @throws the system's error, ETIMEDOUT after 5 s */
export function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  const end = performance.now() + wait_ms_max;
  for (let at = 0; at < bytes.length; ) {
    const written = writeSome(bytes.subarray(at));
    at += written;
    if (written > 0) continue;
    if (performance.now() > end) throw Object.assign(new Error('standard output takes no text'), { code: 'ETIMEDOUT' });
    Atomics.wait(sleeper, 0, 0, wait_ms);
  }
}

/** Returns the number of bytes written; 0 while a pipe is full. */
function writeSome(bytes: Uint8Array): number {
  try {
    return writeSync(standard_output, bytes);
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return 0;
    throw error;
  }
}
