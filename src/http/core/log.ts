/**
 * Structured logs: one line for each response, with the endpoint's template in place of the path. Header fields, queries and
 * bodies are never logged, so no token can be.
 */
import * as fs from 'node:fs';
import { isatty } from 'node:tty';
import { pino, type DestinationStream, type Logger } from 'pino';
import { formatTime } from '../../base/time.js';
import { LogLines } from './log-lines.js';

const held_ms_max = 250;
const standard_error = 2;

/** Creates a logger that writes lines of JSON with an RFC 3339 time, to standard error unless another stream is given. */
export const createLogger = (level: string, to: DestinationStream = standardError()): Logger =>
  pino({ level, base: null, timestamp: () => `,"time":"${formatTime(Date.now())}"` }, to);

/**
 * Returns a stream to standard error. Lines are written in batches, shortly after or when the process ends; lines that cannot be
 * written are dropped.
 */
export function standardError(format?: (line: string) => string): DestinationStream {
  const descriptor = openWithoutWaiting();
  const lines = new LogLines((bytes) => fs.writeSync(descriptor, bytes), format);
  setInterval(() => lines.flush(), held_ms_max).unref();
  process.once('exit', () => lines.flush());
  return lines;
}

/**
 * Opens standard error again for writing without waiting: a pipe or terminal that accepts nothing would block the whole process.
 */
function openWithoutWaiting(): number {
  try {
    if (!fs.fstatSync(standard_error).isFIFO() && !isatty(standard_error)) return standard_error;
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
    return fs.openSync(`/proc/self/fd/${standard_error}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return standard_error;
  }
}
