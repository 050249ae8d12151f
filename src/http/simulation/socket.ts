/**
 * `WS /ws/progress`: the progress of runs, for clients that read it. koa-websocket accepts every handshake and hides errors, so
 * everything that can be refused is refused before the upgrade, and every later error is caught here.
 */
import { blockOf } from '../../base/wrong-tokens.js';
import { createRequire } from 'node:module';
import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { WebSocket, WebSocketServer } from 'ws';
import type { ProgressFeed } from '../../app/simulation/runs/progress.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';
import type { Context, Upgrade } from '../core/context.js';
import { endpoint, type Endpoint, problem } from '../core/endpoint.js';
import { Denied } from '../core/problem.js';
import { defaultSettings, ProgressSocket, type SocketSettings, type Stream } from './progress-socket.js';
import { progress_path, progress_protocol, progressQuery, readHandshake, upgrade_fields } from './socket-handshake.js';

export interface ProgressOptions {
  readonly feed: ProgressFeed;
  readonly logger: Logger;
  /** Limits that replace those of `defaultSettings`. */
  readonly limits?: Partial<SocketSettings>;
}

export interface Progress {
  readonly endpoint: Endpoint;
  /** The number of open sockets. */
  readonly count: () => number;
  /** Accepts no more sockets and closes every one with 1001; resolves when they are gone, within `close_ms_max`. */
  readonly stop: () => Promise<void>;
}

export function attachProgress({ feed, logger, limits = {} }: ProgressOptions): Progress {
  const sockets = new Sockets({ ...defaultSettings, ...limits }, logger);
  const answer: Endpoint['answer'] = (context) => {
    const { upgrade, address } = context.state;
    if (upgrade === null) return withoutUpgrade.answer(context);
    const { id, format } = readHandshake(context.req);
    sockets.requirePlace(address);
    const gone = new AbortController();
    // An unknown run is refused at once, before anything is requested.
    const items: AsyncIterable<ProgressMessage> = feed.follow(id, gone.signal);
    sockets.accept(context, upgrade, { items, format, gone });
    return Promise.resolve(null);
  };
  return { endpoint: { ...withoutUpgrade, answer }, count: () => sockets.size, stop: () => sockets.stop() };
}

/** The path for plain requests, and for the API description. */
const withoutUpgrade = endpoint({
  route: `GET ${progress_path}`,
  auth: 'viewer',
  summary: 'A WebSocket that reports the progress of the runs in flight, or of one run',
  query: progressQuery,
  responses: {
    101: { description: 'the socket: one line per message, or with `format=json` one JSON object' },
    426: problem('the request does not ask for a WebSocket'),
  },
  handle: () => {
    throw new Denied({ code: 'upgrade_required', detail: 'this path is a WebSocket of version 13', headers: upgrade_fields });
  },
});

class Sockets {
  /** The open sockets, and the address block of each. */
  private readonly open = new Map<ProgressSocket, string>();
  private readonly server: WebSocketServer;
  private readonly arriving = new WeakMap<IncomingMessage, { readonly context: Context; readonly stream: Stream }>();
  private readonly pinging: NodeJS.Timeout;
  private stopped: (() => void) | null = null;

  constructor(
    private readonly settings: SocketSettings,
    private readonly logger: Logger,
  ) {
    this.server = listenNowhere(settings, (socket, request) => this.begin(socket, request));
    this.server.on('headers', (headers, request) => {
      headers.push(`X-Request-Id: ${this.arriving.get(request)?.context.state.id ?? ''}`);
    });
    this.pinging = setInterval(() => {
      for (const socket of this.open.keys()) socket.ping();
    }, settings.ping_ms).unref();
  }

  get size(): number {
    return this.open.size;
  }

  /** @throws Denied 503 */
  requirePlace(address: string): void {
    const { sockets_max, sockets_per_address_max } = this.settings;
    const own = [...this.open.values()].filter((block) => block === blockOf(address)).length;
    const detail =
      this.stopped !== null
        ? 'the server is stopping'
        : this.open.size >= sockets_max
          ? 'too many progress sockets are open'
          : own >= sockets_per_address_max
            ? `${sockets_per_address_max} progress sockets of this address are open, and no more are allowed`
            : null;
    if (detail !== null) throw new Denied({ code: 'unavailable', detail, headers: { 'Retry-After': '10' } });
  }

  accept(context: Context, { early, release }: Upgrade, stream: Stream): void {
    const { req: request } = context;
    context.respond = false;
    this.arriving.set(request, { context, stream });
    this.server.handleUpgrade(request, release(), early, (socket) => this.server.emit('connection', socket, request));
  }

  /** Never rejects: nothing would handle the rejection. */
  private async begin(websocket: WebSocket, request: IncomingMessage): Promise<void> {
    const arrived = this.arriving.get(request);
    if (arrived === undefined) return websocket.terminate();
    const { context, stream } = arrived;
    const { id, address } = context.state;
    const socket = new ProgressSocket(websocket, stream, this.settings);
    this.open.set(socket, blockOf(address));
    websocket.once('close', (code) => {
      this.open.delete(socket);
      this.logger.info({ request_id: id, route: progress_path, code, address }, 'closed');
      if (this.open.size === 0) this.stopped?.();
    });
    try {
      await socket.tell();
    } catch (err) {
      this.logger.error({ request_id: id, route: progress_path, err }, 'fault');
      socket.close(1011, 'the server failed');
    }
  }

  stop(): Promise<void> {
    clearInterval(this.pinging);
    return new Promise((resolve) => {
      this.stopped = resolve;
      for (const socket of this.open.keys()) socket.close(1001, 'the server stops');
      if (this.open.size === 0) resolve();
    });
  }
}

interface SocketContext {
  readonly websocket: WebSocket;
  readonly req: IncomingMessage;
}
interface WithSockets {
  readonly ws: {
    readonly listen: (options: Readonly<Record<string, unknown>>) => void;
    readonly use: (middleware: (context: SocketContext) => Promise<void>) => unknown;
    readonly server: WebSocketServer;
  };
}

// Its published types add a `websocket` to the context of every koa application, including those without one.
const websockify = createRequire(import.meta.url)('koa-websocket') as (app: Koa) => WithSockets;

/** Returns a koa-websocket server without a port, which is passed sockets one by one; `begin` receives each and must not reject. */
function listenNowhere(
  settings: Pick<SocketSettings, 'message_bytes_max' | 'close_ms_max'>,
  begin: (socket: WebSocket, request: IncomingMessage) => Promise<void>,
): WebSocketServer {
  const { ws } = websockify(new Koa());
  ws.use(({ websocket, req }) => begin(websocket, req));
  ws.listen({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: settings.message_bytes_max,
    closeTimeout: settings.close_ms_max,
    // A client that offers others gets none, and never its own token.
    handleProtocols: (offered: ReadonlySet<string>) => (offered.has(progress_protocol) ? progress_protocol : false),
  });
  // The handshake was checked before: an error here is one of the connection.
  ws.server.on('wsClientError', (_error, socket) => socket.destroy());
  return ws.server;
}
