/** The connections of the bus. A connection, and not the sender that an envelope names, has done the handshake, fails and is limited. */
import type { Socket } from 'node:net';
import { status } from '@grpc/grpc-js';
import { WrongTokens } from '../base/wrong-tokens.js';

/** Wrong first messages and wrong tokens of one connection: the last one gets PERMISSION_DENIED and ends the connection. */
export const bus_failures_per_peer_max = 3;
/** Malformed envelopes of one connection: the last one gets PERMISSION_DENIED and ends the connection. */
export const bus_malformed_per_peer_max = 100;
/** Envelopes of one connection, and of all, that are accepted within `bus_window_ms`. */
export const bus_envelopes_per_peer_max = 60;
export const bus_envelopes_max = 600;
const bus_window_ms = 60_000;
/** Time from the connection to the end of its first message, the TLS handshake included. */
const bus_first_message_ms_max = 10_000;
/** Open connections. */
const bus_peers_max = 1_000;
/** Time for a peer to read the last response before its connection ends. */
const bus_linger_ms = 250;

/** Limits what happens within any window of time. */
export class SlidingWindow {
  /** When each of the last ones happened, the oldest first. */
  private readonly times: number[] = [];

  constructor(
    private readonly max: number,
    private readonly window_ms: number,
  ) {}

  hasRoom(now: number): boolean {
    while (this.times.length > 0 && (this.times[0] ?? 0) <= now - this.window_ms) this.times.shift();
    return this.times.length < this.max;
  }

  count(now: number): void {
    this.times.push(now);
  }
}

export interface PeerLimits {
  readonly first_message_ms_max: number;
  readonly peers_max: number;
  readonly linger_ms: number;
  readonly window_ms: number;
}

const usual: PeerLimits = {
  first_message_ms_max: bus_first_message_ms_max,
  peers_max: bus_peers_max,
  linger_ms: bus_linger_ms,
  window_ms: bus_window_ms,
};

export class Peer {
  /** Whether the connection has done the handshake. */
  isGreeted = false;
  /** Whether the connection failed too often. */
  isBarred = false;
  private hasSpoken = false;
  private failures = 0;
  private malformed = 0;
  readonly envelopes: SlidingWindow;
  private readonly silence: NodeJS.Timeout;

  constructor(
    /** `address:port`, for the journal and the log. */
    readonly name: string,
    readonly address: string,
    private readonly socket: Socket,
    private readonly limits: PeerLimits,
    private readonly onDropped: () => void,
  ) {
    this.envelopes = new SlidingWindow(bus_envelopes_per_peer_max, limits.window_ms);
    this.silence = setTimeout(() => this.drop(), limits.first_message_ms_max);
  }

  /** Notes that a message is complete. */
  spoke(): void {
    this.hasSpoken = true;
    clearTimeout(this.silence);
  }

  /** Counts a wrong first message or a wrong token. Returns whether it was the last one that is tolerated. */
  failed(): boolean {
    return ++this.failures >= bus_failures_per_peer_max && this.bar();
  }

  /** Counts a malformed envelope. Returns whether it was the last one that is tolerated. */
  sentMalformed(): boolean {
    return ++this.malformed >= bus_malformed_per_peer_max && this.bar();
  }

  closed(): void {
    clearTimeout(this.silence);
  }

  /** Ends the connection. @param isSilent only if it never sent a message */
  end(isSilent = false): void {
    if (!isSilent || !this.hasSpoken) this.socket.destroy();
  }

  /** Ends the connection because of what it did, or because there are too many. */
  drop(): void {
    if (this.socket.destroyed) return;
    this.onDropped();
    this.socket.destroy();
  }

  /** Refuses everything from now on, and ends the connection once the peer could read why. */
  private bar(): true {
    if (!this.isBarred) setTimeout(() => this.drop(), this.limits.linger_ms);
    this.isBarred = true;
    return true;
  }
}

export class Peers {
  private readonly byKey = new Map<string, Peer>();
  private readonly limits: PeerLimits;
  private readonly envelopes: SlidingWindow;
  dropped = 0;

  constructor(limits: Partial<PeerLimits> = {}) {
    this.limits = { ...usual, ...limits };
    this.envelopes = new SlidingWindow(bus_envelopes_max, this.limits.window_ms);
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Takes a new connection, which is forgotten when its socket closes. Returns false for one that has no place: it is ended. */
  add(socket: Socket): boolean {
    const { remoteAddress: address = '', remotePort: port = 0 } = socket;
    const key = keyOf(address, port);
    const name = address.includes(':') ? `[${address}]:${port}` : key;
    const peer = new Peer(name, address, socket, this.limits, () => this.dropped++);
    if (this.byKey.size >= this.limits.peers_max) {
      peer.closed();
      peer.drop();
      return false;
    }
    this.byKey.set(key, peer);
    socket.once('close', () => {
      peer.closed();
      if (this.byKey.get(key) === peer) this.byKey.delete(key);
    });
    return true;
  }

  /** Returns the connection of a call; null if it has ended. @param key `address:port`, as the library names a connection */
  get(key: string): Peer | null {
    return this.byKey.get(key) ?? null;
  }

  /** Counts an envelope that is accepted, unless the connection or all of them have had too many. */
  takeEnvelope({ envelopes }: Peer): boolean {
    const now = performance.now();
    if (!envelopes.hasRoom(now) || !this.envelopes.hasRoom(now)) return false;
    envelopes.count(now);
    this.envelopes.count(now);
    return true;
  }

  /** Ends every connection. @param areSilent only those that never sent a message */
  end(areSilent = false): void {
    for (const peer of this.byKey.values()) peer.end(areSilent);
  }
}

export const keyOf = (address: string, port: number): string => `${address}:${port}`;

// The refusal of calls whose token is wrong, or missing where one is required.

export interface Refused {
  readonly code: status;
  readonly details: string;
}

export const denied: Refused = { code: status.PERMISSION_DENIED, details: 'this connection failed too often and is closed' };

const how = 'send that of the home (api.token) or of the bus (AGI_INSIGHT_BUS_TOKEN) in the metadata, as authorization: Bearer';

/** Counts wrong tokens by connection and, as the HTTP servers do, by address. A correct token always passes. */
export class Gate {
  private readonly wrongTokens = new WrongTokens();

  refuse(peer: Peer, verdict: 'missing' | 'wrong'): Refused {
    const wait_s = verdict === 'wrong' ? this.wrongTokens.failed(peer.address) : 0;
    if (peer.failed()) return denied;
    if (wait_s > 0) return { code: status.RESOURCE_EXHAUSTED, details: `too many wrong tokens; try again in ${wait_s} s` };
    return { code: status.UNAUTHENTICATED, details: `the token is ${verdict}; ${how}` };
  }
}
