/**
 * Structured logs: one line an answer, with the endpoint's template in place of the path. Header fields, queries and bodies are never
 * logged, so no token can be.
 */
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

/** Lines of JSON with an RFC 3339 time, on standard error unless told otherwise. */
export const createLogger = (level: string, to: DestinationStream = destination({ fd: 2, sync: true })): Logger =>
  pino({ level, base: null, timestamp: stdTimeFunctions.isoTime }, to);
