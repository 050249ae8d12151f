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
  /** Its place among the connections. */
  place: Place | null = null;
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
  end(isSilent: boolean): void {
    if (!isSilent || !this.hasSpoken) this.socket.destroy();
  }

  /** Ends the connection because of what it did, or for the sake of another one. */
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
  private readonly places: Places;
  dropped = 0;

  constructor(limits: Partial<PeerLimits>) {
    this.limits = { ...usual, ...limits };
    this.envelopes = new SlidingWindow(bus_envelopes_max, this.limits.window_ms);
    this.places = new Places(this.limits.peers_max);
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
    const place = (peer.place = this.places.take(false, () => peer.drop()));
    if (place === null) {
      peer.closed();
      peer.drop();
      return false;
    }
    this.byKey.set(key, peer);
    socket.once('close', () => {
      peer.closed();
      this.places.leave(place);
      if (this.byKey.get(key) === peer) this.byKey.delete(key);
    });
    return true;
  }

  /** Notes that a call of a connection has shown a token. */
  showToken({ place }: Peer): void {
    if (place !== null) this.places.showToken(place);
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

  /** Ends every connection. @param onlySilent only those that never sent a message */
  end(onlySilent = false): void {
    for (const peer of this.byKey.values()) peer.end(onlySilent);
  }
}

export const keyOf = (address: string, port: number): string => `${address}:${port}`;

// Places for connections and calls, half of which are kept for callers that have shown a token.

export interface Place {
  /** Whether its holder has shown a token. */
  hasToken: boolean;
  /** Ends what the place was given to. */
  readonly end: () => void;
}

/**
 * Callers without a token hold at most half of the places. One more of them, or one with a token when all are taken, gets the place of the
 * caller without a token that has held its own longest: so nobody keeps others out by waiting.
 */
export class Places {
  private readonly held = { open: new Set<Place>(), token: new Set<Place>() };

  constructor(private readonly max: number) {}

  get size(): number {
    return this.held.open.size + this.held.token.size;
  }

  /** Returns a place, or null when callers with a token hold all of them. */
  take(hasToken: boolean, end: () => void): Place | null {
    const { open } = this.held;
    const isFull = this.size >= this.max || (!hasToken && open.size >= Math.max(1, Math.floor(this.max / 2)));
    if (isFull) {
      const [longest] = open;
      if (longest === undefined) return null;
      open.delete(longest);
      longest.end();
    }
    const place = { hasToken, end };
    this.setOf(place).add(place);
    return place;
  }

  leave(place: Place): void {
    this.setOf(place).delete(place);
  }

  /** Notes that the holder has shown a token. */
  showToken(place: Place): void {
    if (place.hasToken || !this.held.open.delete(place)) return;
    place.hasToken = true;
    this.held.token.add(place);
  }

  private setOf({ hasToken }: Place): Set<Place> {
    return hasToken ? this.held.token : this.held.open;
  }
}

// The refusal of calls whose token is wrong, or missing where one is required.

export interface PeerRefusal {
  readonly code: status;
  readonly details: string;
}

export const denied: PeerRefusal = { code: status.PERMISSION_DENIED, details: 'this connection failed too often and is closed' };

const how = "send api.token, a reviewer's or admin's token, or AGI_INSIGHT_BUS_TOKEN in the metadata, as authorization: Bearer";

/** Counts wrong tokens by connection and, as the HTTP servers do, by address. A correct token always passes. */
export class Gate {
  private readonly wrongTokens = new WrongTokens();

  refuse(peer: Peer, verdict: 'missing' | 'wrong'): PeerRefusal {
    const wait_s = verdict === 'wrong' ? this.wrongTokens.failed(peer.address) : 0;
    if (peer.failed()) return denied;
    if (wait_s > 0) return { code: status.RESOURCE_EXHAUSTED, details: `too many wrong tokens; try again in ${wait_s} s` };
    return { code: status.UNAUTHENTICATED, details: `${verdict === 'wrong' ? 'wrong token' : 'token required'}; ${how}` };
  }
}
