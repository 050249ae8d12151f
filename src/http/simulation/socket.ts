/**
 * `WS /ws/progress`: the progress of runs, for clients that read it. koa-websocket accepts every handshake and hides errors, so
 * everything that can be refused is refused before the upgrade, and every later error is caught here.
 */
import type { Logger } from 'pino';
import type { WebSocket, WebSocketServer } from 'ws';
import type { ProgressFeed } from '../../app/simulation/runs/progress.js';
import { blockOf } from '../core/address-block.js';
import { requireConnection } from '../core/admit.js';
import { Denied, problemOf, type Denial } from '../core/problem.js';
import { Shares } from '../core/shares.js';
import type { UpgradeOffer, Upgrades } from '../core/upgrade.js';
import { isHandshake, progress_path, readHandshake, tokensOf } from './socket-handshake.js';
import { ProgressSocket, type Stream } from './socket-open.js';
import { listenNowhere } from './socket-server.js';
import { defaultSocketSettings, type SocketSettings } from './socket-settings.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';

export interface ProgressOptions {
  readonly feed: ProgressFeed;
  /** Counts a request of this address with these tokens; returns a denial if there were too many, or for the tokens. */
  readonly admit: (address: string, tokens: readonly string[]) => Denial | null;
  readonly logger: Logger;
  /** Limits that replace those of `base/simulation-limits`. */
  readonly limits?: Partial<SocketSettings>;
}

export interface Progress {
  /** The upgrades, for the HTTP server. */
  readonly upgrades: Upgrades;
  /** The number of open sockets. */
  readonly count: () => number;
  /** Accepts no more sockets and closes every one with 1001; resolves when they are gone, within `close_ms_max`. */
  readonly stop: () => Promise<void>;
}

export function attachProgress(options: ProgressOptions): Progress {
  const settings = { ...defaultSocketSettings, ...options.limits };
  const sockets = new Sockets(settings, options.logger);
  const take = (offer: UpgradeOffer): void => {
    try {
      sockets.accept(offer, judge(offer, options, sockets));
    } catch (error) {
      const { problem, fault } = problemOf(error);
      if (fault) options.logger.error({ request_id: offer.id, route: progress_path, err: error }, 'fault');
      const { code, detail, errors } = problem.document;
      offer.refuse({ code, detail, headers: problem.headers }, errors);
    }
  };
  return {
    upgrades: { route: progress_path, wants: isHandshake, take },
    count: () => sockets.size,
    stop: () => sockets.stop(),
  };
}

/** Returns what the socket is to send. Throws the first denial or refusal, in the same order as for other requests. */
function judge({ request, address, denial }: UpgradeOffer, { feed, admit }: ProgressOptions, sockets: Sockets): Stream {
  requireConnection(request);
  const refused = admit(address, tokensOf(request));
  if (refused !== null) throw new Denied(refused);
  if (denial !== null) throw new Denied(denial);
  const { id, format } = readHandshake(request);
  sockets.requirePlace(address);
  const gone = new AbortController();
  // An unknown run is refused at once, before anything is requested.
  const items: AsyncIterable<ProgressMessage> = feed.follow(id, gone.signal);
  return { items, format, gone };
}

class Sockets {
  private readonly open = new Set<ProgressSocket>();
  private readonly shares = new Shares();
  private readonly server: WebSocketServer;
  private readonly arriving = new WeakMap<object, { readonly offer: UpgradeOffer; readonly stream: Stream }>();
  private readonly pinging: NodeJS.Timeout;
  private stopped: (() => void) | null = null;

  constructor(
    private readonly settings: SocketSettings,
    private readonly logger: Logger,
  ) {
    this.server = listenNowhere(settings, (socket, request) => this.begin(socket, request));
    this.server.on('headers', (headers, request) => {
      headers.push(`X-Request-Id: ${this.arriving.get(request)?.offer.id ?? ''}`);
    });
    this.pinging = setInterval(() => {
      for (const socket of this.open) socket.ping();
    }, settings.ping_ms).unref();
  }

  get size(): number {
    return this.open.size;
  }

  requirePlace(address: string): void {
    const { sockets_max, sockets_per_address_max } = this.settings;
    const detail =
      this.stopped !== null
        ? 'the server is stopping'
        : this.open.size >= sockets_max
          ? 'too many progress sockets are open'
          : this.shares.of(blockOf(address)) >= sockets_per_address_max
            ? `${sockets_per_address_max} progress sockets of this address are open, and no more are allowed`
            : null;
    if (detail !== null) throw new Denied({ code: 'unavailable', detail, headers: { 'Retry-After': '10' } });
  }

  accept(offer: UpgradeOffer, stream: Stream): void {
    const { request, early } = offer;
    this.arriving.set(request, { offer, stream });
    this.server.handleUpgrade(request, offer.release(), early, (socket) => this.server.emit('connection', socket, request));
  }

  /** Never rejects: nothing would handle the rejection. */
  private async begin(websocket: WebSocket, request: object): Promise<void> {
    const arrived = this.arriving.get(request);
    if (arrived === undefined) return websocket.terminate();
    const { offer, stream } = arrived;
    const socket = new ProgressSocket(websocket, offer.socket, stream, this.settings);
    this.open.add(socket);
    const giveBack = this.shares.take(blockOf(offer.address));
    websocket.once('close', (code) => {
      this.open.delete(socket);
      giveBack();
      this.logger.info({ request_id: offer.id, route: progress_path, code, address: offer.address }, 'closed');
      if (this.open.size === 0) this.stopped?.();
    });
    try {
      await socket.tell();
    } catch (err) {
      this.logger.error({ request_id: offer.id, route: progress_path, err }, 'fault');
      socket.close(1011, 'the server failed');
    }
  }

  stop(): Promise<void> {
    clearInterval(this.pinging);
    return new Promise((resolve) => {
      this.stopped = resolve;
      for (const socket of this.open) socket.close(1001, 'the server stops');
      if (this.open.size === 0) resolve();
    });
  }
}
