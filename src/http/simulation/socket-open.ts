/** One open progress socket: it sends lines and pings, and closes with the code of the reason. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { ProgressFormat } from './socket-handshake.js';
import { Outlet, pump } from './socket-pump.js';
import type { SocketSettings } from './socket-settings.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';

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
