/**
 * One open progress socket: it sends the lines of runs, answers pings, and closes with the code of the reason. The next line is requested
 * when the one before is taken, so that a client that reads slowly costs no memory, and one that reads nothing is disconnected.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { ProgressMessage } from '../../codec/api-simulation.js';
import { untilAborted } from '../core/context.js';
import type { ProgressFormat } from './socket-handshake.js';

const progress_sockets_max = 64;
/** Open sockets of one address: all clients have the same token. */
const progress_sockets_per_address_max = 32;
/** Lines that one client is sent before the other clients are served. */
const progress_burst_messages_max = 64;
/** Time for a client to take a line. */
const progress_drain_ms_max = 10_000;
/** Time for the client to complete the closing handshake. */
const progress_close_ms_max = 2_000;
/** Time between two pings; a client that does not respond before the next one is disconnected. */
const progress_ping_ms = 20_000;
/** Messages of clients are ignored: the size of one, and their number until the next ping. */
const progress_message_bytes_max = 1_024;
const progress_messages_max = 1_000;

/** The limits of the progress socket; tests pass shorter ones. */
export const defaultSettings = {
  sockets_max: progress_sockets_max,
  sockets_per_address_max: progress_sockets_per_address_max,
  burst_messages_max: progress_burst_messages_max,
  drain_ms_max: progress_drain_ms_max,
  close_ms_max: progress_close_ms_max,
  ping_ms: progress_ping_ms,
  message_bytes_max: progress_message_bytes_max,
  messages_max: progress_messages_max,
};

export type SocketSettings = Readonly<typeof defaultSettings>;

export interface Stream {
  readonly items: AsyncIterable<ProgressMessage>;
  readonly format: ProgressFormat;
  /** Aborted when the client is gone; the items end then. */
  readonly gone: AbortController;
}

export class ProgressSocket {
  /** True while a ping has no response. */
  private isSilent = false;
  /** The number of messages and pings from the client since the last ping. */
  private heard = 0;

  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Stream,
    private readonly settings: SocketSettings,
  ) {
    const hear = (): void => {
      if (++this.heard === settings.messages_max) this.close(1008, 'too many messages');
    };
    socket.on('message', hear).on('ping', hear);
    socket.on('pong', () => (this.isSilent = false));
    socket.once('close', () => stream.gone.abort());
  }

  /** Sends every line, then closes. Rejects with what the source throws. */
  async tell(): Promise<void> {
    const { items, format, gone } = this.stream;
    const source = items[Symbol.asyncIterator]();
    try {
      for (let sent = 0; ; sent++) {
        // Other work gets its turn now and then, even if more items are available.
        if (sent % this.settings.burst_messages_max === 0) await turn();
        const next = await untilAborted(source.next(), gone.signal);
        if (next === null) return;
        if (next.done === true) return this.close(1000, 'no more lines');
        const message = messageOf(next.value, format);
        if (message !== null && !(await this.send(message))) return this.close(1013, 'the client reads too slowly');
      }
    } finally {
      // A source that still waits for its next item returns only later, or never.
      void source.return?.().catch(() => undefined);
    }
  }

  /** Resolves to whether the client, or the operating system for it, took the message in time. */
  private send(message: string): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.settings.drain_ms_max);
      this.socket.send(message, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Ends a socket whose client sent nothing since the last ping; otherwise sends a ping. */
  ping(): void {
    this.heard = 0;
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.isSilent) return this.socket.terminate();
    this.isSilent = true;
    this.socket.ping();
  }

  /** Ends the lines and closes; a client that does not respond is cut off after `close_ms_max`. */
  close(code: number, reason: string): void {
    this.stream.gone.abort();
    this.socket.close(code, reason);
  }
}

/** Returns the message of an item; null for an item without a line. */
export function messageOf(item: ProgressMessage, format: ProgressFormat): string | null {
  if (format === 'json') return JSON.stringify(item);
  switch (item.type) {
    case 'year':
      return `Year ${item.year}: ${item.affected} affected`;
    case 'generation':
      return `Generation ${item.generation}`;
    case 'ended':
      return null;
  }
}
