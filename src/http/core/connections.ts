/**
 * The open connections of a server. When every place is taken, a new connection takes the place of the one whose client has been
 * waited for the longest and has shown no token. If there is none, it takes a reserved place, where only requests that must
 * always be possible are served.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Connection, type Handlers } from './connection.js';
import type { Settings } from './settings.js';

/** Why a connection was closed without a response: for a new one, or for want of a place. */
export type Drop = 'replaced' | 'refused';

export class Connections {
  private readonly bySocket = new Map<Duplex, Connection>();
  /** Connections in reserved places, the one that was quiet for the longest time first. */
  private readonly reserved = new Set<Connection>();
  /** The other connections without a token, the one that was quiet for the longest time first. */
  private readonly strangers = new Set<Connection>();

  constructor(
    private readonly settings: Pick<Settings, 'connections_max' | 'reserved_connections_max'>,
    private readonly handlers: Handlers,
    private readonly onDrop: (drop: Drop) => void,
  ) {}

  get size(): number {
    return this.bySocket.size;
  }

  of(socket: Duplex): Connection | undefined {
    return this.bySocket.get(socket);
  }

  values(): Iterable<Connection> {
    return this.bySocket.values();
  }

  /** Gives the connection a place, or closes it. */
  admit(socket: Socket): void {
    const { connections_max, reserved_connections_max } = this.settings;
    const free = (): boolean => this.size - this.reserved.size < connections_max;
    if (free() || this.replace(this.strangers)) return this.add(socket, false);
    if (this.reserved.size < reserved_connections_max || this.replace(this.reserved)) return this.add(socket, true);
    this.onDrop('refused');
    socket.destroy();
  }

  /** Closes the first connection that waits for its client; returns false if there is none. */
  private replace(among: Iterable<Connection>): boolean {
    for (const connection of among) {
      if (!connection.waitsForClient) continue;
      this.onDrop('replaced');
      this.forget(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  private add(socket: Socket, isReserved: boolean): void {
    const connection = new Connection(socket, this.handlers, isReserved, () => this.sort(connection));
    this.bySocket.set(socket, connection);
    this.sort(connection);
    socket.once('close', () => this.forget(connection));
  }

  /** Makes the connection the last one to be replaced. One that has shown a token is replaced in a reserved place only. */
  private sort(connection: Connection): void {
    this.strangers.delete(connection);
    if (!this.bySocket.has(connection.socket)) return;
    if (connection.isReserved) this.reserved.delete(connection);
    if (connection.isReserved) this.reserved.add(connection);
    else if (!connection.isKnown) this.strangers.add(connection);
  }

  private forget(connection: Connection): void {
    this.bySocket.delete(connection.socket);
    this.reserved.delete(connection);
    this.strangers.delete(connection);
  }
}
