/**
 * Structured logs: one line for each response, with the endpoint's template in place of the path. Header fields, queries and
 * bodies are never logged, so no token can be.
 */
import * as fs from 'node:fs';
import { isatty } from 'node:tty';
import { pino, type DestinationStream, type Logger } from 'pino';
import { formatTime } from '../base/time.js';

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

/** Writes bytes and returns the number that was accepted; throws if none is. */
type WriteBytes = (bytes: Uint8Array) => number;

/** Lines are written together when they have as many characters. */
const batch_chars = 8_192;
/** Characters and bytes that wait while nothing is accepted. */
const held_max = 32_768;

/**
 * Log lines, written in batches. While they cannot be written (a full disk, or a reader that is gone or does not read) a few wait, and the others
 * are dropped and counted: a daemon that loses its log continues to serve, while one that waits for its log can neither respond nor stop.
 */
export class LogLines {
  private lines = '';
  /** What an earlier write left over. */
  private rest: Uint8Array = new Uint8Array();
  private lost = 0;

  /** @param format formats one line of JSON, its line end included */
  constructor(
    private readonly put: WriteBytes,
    private readonly format: (line: string) => string = (line) => line,
  ) {}

  write(line: string): void {
    const text = this.format(line);
    if (this.rest.length + this.lines.length + text.length > held_max) this.lost++;
    else this.lines += text;
    if (this.lines.length >= batch_chars) this.flush();
  }

  /** Writes what waits, and then the number of lines lost before. */
  flush(): void {
    this.rest = Buffer.concat([this.rest, Buffer.from(this.lines)]);
    this.lines = '';
    try {
      while (this.rest.length > 0) {
        const taken = this.put(this.rest);
        if (taken === 0) return;
        this.rest = this.rest.subarray(taken);
      }
    } catch {
      // A failure to log cannot be logged.
      return;
    }
    if (this.lost === 0) return;
    const note = { level: 40, time: formatTime(Date.now()), msg: 'log lines were lost', lost: this.lost };
    this.lost = 0;
    this.lines = this.format(`${JSON.stringify(note)}\n`);
    this.flush();
  }
}
