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
type Put = (bytes: Uint8Array) => number;

const held_chars = 8_192;
const line_chars_max = 65_536;
const line_end = 10;

/**
 * Log lines, written in batches. Lines that cannot be written (a full disk, or a reader that is gone or does not read) are
 * dropped and counted: a daemon that loses its log continues to serve, while one that waits for its log can neither respond nor
 * stop.
 */
export class LogLines {
  private held: string[] = [];
  private chars = 0;
  private lost = 0;
  /** True if the last write ended within a line. */
  private isCut = false;

  /** @param format formats one line of JSON, its line end included */
  constructor(
    private readonly put: Put,
    private readonly format: (line: string) => string = (line) => line,
  ) {}

  write(line: string): void {
    const text = this.format(line);
    if (text.length > line_chars_max) {
      this.lost++;
      return;
    }
    this.held.push(text);
    this.chars += text.length;
    if (this.chars >= held_chars) this.flush();
  }

  /** Writes the buffered lines, after a line with the number of lines lost before. */
  flush(): void {
    if (this.held.length === 0 && this.lost === 0) return;
    const head = `${this.isCut ? '\n' : ''}${this.lost === 0 ? '' : this.format(lostLine(this.lost))}`;
    const bytes = Buffer.from(head + this.held.join(''));
    const lines = this.held.length;
    [this.held, this.chars] = [[], 0];
    const done = this.putAll(bytes);
    if (done > 0) this.isCut = bytes[done - 1] !== line_end;
    const unwritten = bytes.subarray(done).filter((byte) => byte === line_end).length;
    this.lost = (done < Buffer.byteLength(head) ? this.lost : 0) + Math.min(lines, unwritten);
  }

  /** Writes the bytes and returns the number that was accepted. */
  private putAll(bytes: Uint8Array): number {
    let done = 0;
    try {
      while (done < bytes.length) {
        const taken = this.put(bytes.subarray(done));
        if (taken === 0) break;
        done += taken;
      }
    } catch {
      // A failure to log cannot be logged.
    }
    return done;
  }
}

const lostLine = (lost: number): string =>
  `${JSON.stringify({ level: 40, time: formatTime(Date.now()), msg: 'log lines were lost', lost })}\n`;
