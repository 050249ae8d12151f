/** Sends a large body in pieces, in turn with the other ones. A client that stops reading, or reads too slowly, is disconnected. */
import { beginAnswer, type Fields } from './answer.js';
import { drained } from './drain.js';
import type { Exchange } from './exchange.js';
import type { LargeBodies } from './large-bodies.js';
import type { Settings } from './settings.js';
import { Turns } from './turns.js';

export interface LargeResponse {
  readonly status: number;
  readonly fields: Fields;
  readonly body: string | Uint8Array;
  /** Whom the body's size is charged to. */
  readonly client: string;
}

type Bounds = Pick<Settings, 'piece_bytes' | 'piece_ms_max' | 'turn_bytes' | 'send_ms_max' | 'send_bytes_per_ms_min'>;

export class LargeSender {
  private readonly turns: Turns;

  constructor(
    private readonly bodies: LargeBodies,
    private readonly settings: Bounds,
  ) {
    this.turns = new Turns(settings.turn_bytes);
  }

  isLarge(body: string | Uint8Array): boolean {
    return body.length > this.settings.piece_bytes;
  }

  /** Resolves when the client has read all but what the operating system holds, or is gone. @throws Denied 503 before the head */
  async send(exchange: Exchange, { status, fields, body, client }: LargeResponse): Promise<void> {
    const { bytes, release } = this.bodies.hold(client, body);
    try {
      beginAnswer(exchange, status, { ...fields, 'Content-Length': String(bytes.length) });
      if (await this.write(exchange, bytes)) exchange.response.end();
      else exchange.request.socket.destroy();
    } finally {
      release();
    }
  }

  /** Returns false if the client is gone or did not read in time. */
  private async write({ response, signal }: Exchange, bytes: Uint8Array): Promise<boolean> {
    const { piece_bytes, piece_ms_max, send_ms_max, send_bytes_per_ms_min } = this.settings;
    const until_ms = performance.now() + send_ms_max + bytes.length / send_bytes_per_ms_min;
    for (let at = 0; at < bytes.length; at += piece_bytes) {
      const piece = bytes.subarray(at, at + piece_bytes);
      await this.turns.take(piece.length);
      if (signal.aborted) return false;
      response.write(piece);
      const wait_ms = Math.min(piece_ms_max, until_ms - performance.now());
      if (!(await drained(response, signal, wait_ms)) || signal.aborted) return false;
    }
    return true;
  }
}
