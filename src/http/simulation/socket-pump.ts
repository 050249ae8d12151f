/**
 * Writes the lines of runs to one socket. The next one is requested only while little written data is buffered, so that a client
 * that reads slowly costs no memory, and one that reads nothing is disconnected.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { untilAborted } from '../core/sse.js';
import type { ProgressFormat } from './socket-handshake.js';
import type { SocketSettings } from './socket-settings.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';

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
