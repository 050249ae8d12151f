/**
 * One connection, beside Node's own handling of it: which of its requests are taken, how a failure of the parser is answered, and how it
 * ends. A mutation where no chunked bodies are accepted, and any request with a refused head, is the last one of its connection, because
 * the origin of what follows it is unknown.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCode } from '../../base/refusal.js';
import type { Head } from './head.js';
import { denialOf, rawAnswer, type Denial } from './problem.js';
import type { Settings } from './limits.js';

/** What a connection needs of its server. */
export interface ConnectionRules {
  readonly settings: Settings;
  /** Whether the end of each message is found in the raw bytes, so that bytes behind a mutation are noticed. */
  readonly isCounted: boolean;
  /** Called when a response was written without a request. */
  readonly onRefused: (id: string, status: number, code: string, address: string) => void;
}

export class Connection {
  /** The parser's error, once there is one: a request without a response yet must then change no state. */
  failure: Error | null = null;
  /** Aborts at the failure. */
  readonly failing = new AbortController();
  /** The number of requests taken; the next field counts those without a response yet. */
  private taken = 0;
  private open = 0;
  private newest: ServerResponse | null = null;
  /** True when no further request is taken. */
  private isOver = false;
  private isEnding = false;
  private isReleased = false;
  /** The response to what never became a request, sent after those that are under way. */
  private refusal: Denial | null = null;
  private readonly address: string;
  /** When the last response ended. */
  private since_ms = performance.now();
  /** Since when bytes wait to be taken, and the number that had been taken by then. */
  private sending: { readonly since_ms: number; readonly bytes: number } | null = null;
  readonly tail = new MessageTail();
  /** Whether the ends of messages no longer matter. */
  private isLost = false;
  private readonly follow = (chunk: Buffer): void => {
    if (this.isLost) return;
    this.tail.take(chunk);
    this.isLost = this.failure !== null || (this.isOver && this.tail.last === null);
  };

  constructor(
    readonly socket: Socket,
    private readonly rules: ConnectionRules,
  ) {
    this.address = socket.remoteAddress ?? '';
    // Added after the parser's own listener, so that the heads in a chunk are known here.
    if (rules.isCounted) socket.on('data', this.follow);
    // Node calls this after the last response of a connection.
    socket.destroySoon = () => this.end();
    // Node listens for errors only while its parser has the connection: not after CONNECT and not after an upgrade.
    socket.on('error', () => undefined);
  }

  /** Whether a request has no response yet. */
  get isBusy(): boolean {
    return this.open > 0;
  }

  /** Called when a head is complete; returns false for a request that is dropped. */
  take(request: IncomingMessage, response: ServerResponse, head: Head): boolean {
    if (this.open >= this.rules.settings.http_pipelined_max) this.finish();
    if (this.isOver) {
      // A further request behind a mutation is not a part of it.
      this.tail.last = null;
      request.resume();
      return false;
    }
    this.taken++;
    this.open++;
    this.newest = response;
    response.once('close', () => {
      this.open--;
      this.since_ms = performance.now();
      if (this.open > 0) return;
      if (this.refusal !== null) this.refuse(this.refusal);
      else if (this.isOver) this.end();
    });
    if (head.denial !== null) this.finish();
    else if (head.mutation && this.rules.isCounted) {
      this.tail.last = { message: this.taken, length: head.length ?? 0 };
      this.finish();
    }
    return true;
  }

  /** Takes no further request; the response to the newest one ends the connection. */
  finish(): void {
    this.isOver = true;
    if (this.open === 0) this.end();
    else if (this.newest !== null) this.newest.shouldKeepAlive = false;
  }

  /** Called when the parser failed or the head took too long. Requests under way still get their responses; then the connection ends. */
  fail(error: Error): void {
    if (this.failure !== null || this.isEnding) return;
    this.failure = error;
    if (!this.socket.writable || errorCode(error) === 'ECONNRESET') this.socket.destroy();
    else this.refuse(denialOf(error));
    this.failing.abort();
  }

  /** Sends a response that has no request, after those that are under way, and ends the connection. */
  refuse(denial: Denial): void {
    this.isOver = true;
    this.refusal = denial;
    if (this.open > 0 || this.isEnding || !this.socket.writable) return;
    const id = randomUUID();
    const { status, document } = rawAnswer(this.socket, denial, id);
    this.rules.onRefused(id, status, document.code, this.address);
    this.end();
  }

  /** Called when the socket leaves HTTP. */
  release(): void {
    this.isReleased = this.isEnding = this.isOver = true;
    this.socket.off('data', this.follow);
    // Node's own handler again.
    Reflect.deleteProperty(this.socket, 'destroySoon');
  }

  /**
   * Called now and then. Ends a connection that has had no request for too long: Node's timer for kept connections begins again with every
   * byte, even with blank lines. Cuts off a client that does not take what is sent.
   */
  check(now_ms: number): void {
    if (this.isReleased) return;
    const { http_keep_alive_ms, http_head_ms_max, http_send_ms_max, http_send_bytes_per_ms_min } = this.rules.settings;
    if (this.open === 0 && now_ms - this.since_ms > http_keep_alive_ms + http_head_ms_max) this.end();
    const { writableLength, bytesWritten } = this.socket;
    this.sending = writableLength === 0 ? null : (this.sending ?? { since_ms: now_ms, bytes: bytesWritten - writableLength });
    if (this.sending === null) return;
    const allowed_ms = http_send_ms_max + (bytesWritten - this.sending.bytes) / http_send_bytes_per_ms_min;
    if (now_ms - this.sending.since_ms > allowed_ms) this.socket.destroy();
  }

  /**
   * Ends the connection once everything is sent. What still arrives is dropped for a while: a client that is still sending when the socket
   * closes loses the response.
   */
  private end(): void {
    if (this.isEnding) return;
    this.isEnding = this.isOver = true;
    this.socket.end(() => setTimeout(() => this.socket.destroy(), this.rules.settings.http_linger_ms_max).unref());
    this.socket.resume();
  }
}

const cr = 0x0d;
const lf = 0x0a;
const heads_end = '\r\n\r\n';
const httpLine = /^[^\r\n]* HTTP\/[0-9]\.[0-9]\r\n/;

/**
 * Counts the bytes behind a mutation with a declared length, which Node's parser does not report. Before it come only requests without a
 * body, so that each head ends with the first empty line after its beginning.
 */
class MessageTail {
  /** The number from 1 of the message that is the last one, and the length of its body; null while there is none. */
  last: { readonly message: number; readonly length: number } | null = null;
  /** Whether a request line names another protocol than HTTP: the parser takes RTSP for it. */
  isForeign = false;
  private heads = 0;
  /** The beginning of a head that is not complete yet. */
  private head: Buffer = Buffer.alloc(0);
  private behind = 0;

  /** Whether bytes arrived behind the last message. */
  get hasExtra(): boolean {
    return this.last !== null && this.behind > this.last.length;
  }

  take(chunk: Buffer): void {
    let bytes = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
    while (this.last === null || this.heads < this.last.message) {
      // Empty lines before a request line are skipped (RFC 9112, section 2.2).
      const start = bytes.findIndex((byte) => byte !== cr && byte !== lf);
      const end = start < 0 ? -1 : bytes.indexOf(heads_end, start);
      this.head = bytes.subarray(start < 0 ? bytes.length : start);
      if (end < 0) return;
      this.isForeign ||= !httpLine.test(bytes.toString('latin1', start, end + 2));
      this.heads++;
      bytes = bytes.subarray(end + heads_end.length);
    }
    this.head = Buffer.alloc(0);
    this.behind += bytes.length;
  }
}
