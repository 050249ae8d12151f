/**
 * Structured logs: one line an answer, with the endpoint's template in place of the path. Header fields, queries and bodies are never
 * logged, so no token can be.
 */
import { formatTime } from '../base/time.js';
import { destination, pino, type DestinationStream, type Logger } from 'pino';

const held_bytes = 8_192;
const held_ms_max = 250;

/** Lines of JSON with an RFC 3339 time, on standard error unless told otherwise. */
export const createLogger = (level: string, to: DestinationStream = standardError()): Logger =>
  pino({ level, base: null, timestamp: () => `,"time":"${formatTime(Date.now())}"` }, to);

/** Lines are written together, at the latest a moment later and when the process ends. */
function standardError(): DestinationStream {
  const stream = destination({ fd: 2, sync: true, minLength: held_bytes });
  setInterval(() => stream.flushSync(), held_ms_max).unref();
  process.once('exit', () => stream.flushSync());
  return stream;
}
