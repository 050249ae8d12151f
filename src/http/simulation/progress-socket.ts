/**
 * One open progress socket: it sends the lines of runs, answers pings, and closes with the code of the reason. The next line is requested
 * only while little written data is buffered, so that a client that reads slowly costs no memory, and one that reads nothing is
 * disconnected.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import * as limits from '../../base/simulation-limits.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';
import { untilAborted } from '../core/events.js';
import type { ProgressFormat } from './socket-handshake.js';

/** The limits of the progress socket; tests pass shorter ones. */
export const defaultSettings = {
  sockets_max: limits.progress_sockets_max,
  sockets_per_address_max: limits.progress_sockets_per_address_max,
  buffered_bytes_max: limits.progress_buffered_bytes_max,
  burst_messages_max: limits.progress_burst_messages_max,
  drain_ms_max: limits.progress_drain_ms_max,
  close_ms_max: limits.progress_close_ms_max,
  ping_ms: limits.progress_ping_ms,
  message_bytes_max: limits.progress_message_bytes_max,
  messages_max: limits.progress_messages_max,
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
    private readonly wire: Socket,
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
    const outlet = new Outlet(this.socket, this.wire, this.settings);
    const how = await pump(outlet, items, format, gone.signal);
    if (how === 'ended') this.close(1000, 'no more lines');
    if (how === 'slow') this.close(1013, 'the client reads too slowly');
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

/**
 * Sends until the source ends, the signal aborts or the client is too slow; errors of the source are thrown. Returns how it
 * ended: `gone` is a signal that aborted.
 */
export async function pump(
  outlet: Outlet,
  source: AsyncIterable<ProgressMessage>,
  format: ProgressFormat,
  signal: AbortSignal,
): Promise<'ended' | 'slow' | 'gone'> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      if (!(await outlet.hasRoom(signal))) return 'slow';
      if (signal.aborted) return 'gone';
      const next = await untilAborted(items.next(), signal);
      if (next === null) return 'gone';
      if (next.done === true) return 'ended';
      const message = messageOf(next.value, format);
      if (message !== null) outlet.send(message);
    }
  } finally {
    // A source that still waits for its next item returns only later, or never.
    void items.return?.().catch(() => undefined);
  }
}

/** Sends lines that are available together in one batch: one system call for each would take longer than everything else. */
export class Outlet {
  /** The number of messages of this turn. */
  private held = 0;
  private onSent: (() => void) | null = null;
  constructor(
    private readonly socket: WebSocket,
    private readonly wire: Socket,
    private readonly settings: Pick<SocketSettings, 'buffered_bytes_max' | 'burst_messages_max' | 'drain_ms_max'>,
  ) {}

  send(message: string): void {
    if (this.held === 0) {
      this.wire.cork();
      setImmediate(() => {
        this.held = 0;
        this.wire.uncork();
      });
    }
    this.held++;
    this.socket.send(message, () => this.onSent?.());
  }

  /** Waits until the client took what was written; returns false if it did not in time. An aborted signal ends the wait. */
  async hasRoom(signal: AbortSignal): Promise<boolean> {
    if (!this.isFull && this.held < this.settings.burst_messages_max) return true;
    // Other work gets its turn now, even if more items are available, and buffered messages are sent.
    await turn();
    return !this.isFull || signal.aborted || (await this.drained(signal));
  }

  private get isFull(): boolean {
    return this.socket.bufferedAmount >= this.settings.buffered_bytes_max;
  }

  private drained(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (taken: boolean): void => {
        clearTimeout(timer);
        this.onSent = null;
        signal.removeEventListener('abort', leave);
        resolve(taken);
      };
      const leave = (): void => settle(true);
      const timer = setTimeout(() => settle(false), this.settings.drain_ms_max);
      this.onSent = () => void (this.isFull || settle(true));
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
