/**
 * Finds where the messages of one connection end, counted over its raw bytes (RFC 9112, section 6). Node's parser reports a
 * message as complete but does not report what came after it: the bytes that make an upload longer than declared. Nor does it
 * report the protocol of a request line: it takes RTSP for HTTP.
 *
 * The bytes are passed in after the parser has seen them, so that the framing of every head in them is known. It follows only what
 * the boundary admits: heads that end in CRLF CRLF, bodies of a known length and chunked ones. After anything else it stops counting.
 */
import { ChunkedBody } from './chunked-body.js';

const cr = 0x0d;
const lf = 0x0a;
/** The end of a request line, without its LF. */
const httpEnd = /HTTP\/[0-9]\.[0-9]\r$/;
const http_end_chars = 9;

export class MessageEnds {
  private readonly lengths: (number | null)[] = [];
  private state: 'between' | 'head' | 'body' | 'chunks' | 'lost' = 'between';
  private chunks = new ChunkedBody();
  /** Whether the last body had a declared length, which more bytes would exceed. */
  private isMeasured = true;
  /** The number of bytes of CR LF CR LF that have been read. */
  private matched = 0;
  private left = 0;
  /** The end of the request line as far as it has arrived; null outside of one. */
  private line: string | null = null;
  /** The number of messages whose head has begun. */
  private begun = 0;
  /** The first message, counted from 0, whose request line names another protocol than HTTP. */
  private foreign = Number.POSITIVE_INFINITY;
  /** The number of complete messages. */
  ended = 0;
  /** The number of bytes after the last complete message, unless that was chunked. */
  extra = 0;
  /** Whether bytes other than blank lines arrived since `rest` while the ends of messages are unknown. */
  private heard = false;

  /** Whether a part of a head has arrived after the last complete message. Blank lines do not begin a head. */
  get isWithinHead(): boolean {
    return this.state === 'head' || (this.state === 'lost' && this.heard);
  }

  /** Returns whether the protocol of a message is not HTTP, by its number from 0. Once the ends are unknown, so are the protocols. */
  isForeign(message: number): boolean {
    return message >= this.foreign;
  }

  /** Called when every request has its response. */
  rest(): void {
    this.heard = false;
  }

  /** Sets the body length of the next head; null if its body is chunked. */
  expect(length: number | null): void {
    this.lengths.push(length);
  }

  take(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && this.state !== 'lost') {
      if (this.state === 'body') at = this.body(chunk, at);
      else at = this.state === 'chunks' ? this.chunked(chunk, at) : this.head(chunk, at);
    }
    if (this.state === 'lost') this.heard ||= chunk.subarray(at).some((byte) => byte !== cr && byte !== lf);
  }

  private body(chunk: Uint8Array, at: number): number {
    const taken = Math.min(this.left, chunk.length - at);
    this.left -= taken;
    if (this.left === 0) this.end();
    return at + taken;
  }

  private chunked(chunk: Uint8Array, at: number): number {
    const next = this.chunks.take(chunk, at);
    if (this.chunks.isEnded) this.end();
    return next;
  }

  private head(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.isMeasured) this.extra++;
      if (this.state === 'between') {
        // Empty lines before a request line are skipped (section 2.2).
        if (byte === cr || byte === lf) continue;
        this.state = 'head';
        this.line = '';
        this.begun++;
      }
      if (this.line !== null && byte === lf) this.endLine(endOf(this.line, chunk.subarray(start, at)));
      this.matched = byte === (this.matched % 2 === 0 ? cr : lf) ? this.matched + 1 : Number(byte === cr);
      if (this.matched === 4) {
        this.begin();
        return at + 1;
      }
    }
    if (this.line !== null) this.line = endOf(this.line, chunk.subarray(start));
    return chunk.length;
  }

  private endLine(end: string): void {
    if (!httpEnd.test(end)) this.foreign = Math.min(this.foreign, this.begun - 1);
    this.line = null;
  }

  private begin(): void {
    const length = this.lengths.shift();
    this.matched = 0;
    this.isMeasured = length !== null;
    if (length === undefined) this.state = 'lost';
    else if (length === null) {
      this.state = 'chunks';
      this.chunks = new ChunkedBody();
    } else if (length === 0) this.end();
    else {
      this.state = 'body';
      this.left = length;
    }
  }

  private end(): void {
    this.ended++;
    this.extra = 0;
    this.state = 'between';
  }
}

/** Returns the last characters of a text and the bytes after it. */
const endOf = (text: string, bytes: Uint8Array): string =>
  `${text}${String.fromCharCode(...bytes.subarray(-http_end_chars))}`.slice(-http_end_chars);
