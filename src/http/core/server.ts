/**
 * One HTTP server, and the order of everything from a socket to a handler:
 *
 *   1. socket      Node accepts `http_connections_max`. A `Connection` is put beside each, and checks every second that it does not idle and takes
 *                  what it is sent.
 *   2. head        Node's parser bounds its size and time. What the parser refuses is a `clientError`: it rejects the body that is being
 *                  read, or is answered by `Connection.refuse`.
 *   3. request     The head is judged (`readHead`), and the connection takes or drops it (`Connection.take`).
 *   4. failures    Gives every response its fields, and every failure below its document.
 *   5. policy      The operator's: framing (which reads the body), then origin, token, role, path and method.
 *                  The simulation's: CORS, rate limit, token, path and method, then framing.
 *   6. router      The endpoint decodes the parts of the request and calls its handler, whose reply becomes `ctx.body`.
 *   7. response    koa writes it; then it is logged and counted.
 *
 * A handshake of a socket takes the same way, and leaves HTTP in step 6.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { type AddressInfo, createServer as createListener, type Server as Listener, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { errorCode, Fault } from '../../base/refusal.js';
import { listenRefusal } from '../../base/listen.js';
import { Connection, type ConnectionRules } from './connection.js';
import type { Context, Middleware, RequestState, Upgrade } from './context.js';
import { checkReply, type Endpoint, send } from './endpoint.js';
import { bearerOf, readHead, type HeadRules } from './head.js';
import { defaultSettings, type Settings } from './limits.js';
import { registerMetrics, type HttpMetrics, type MetricNames } from './metrics.js';
import { failures } from './middleware.js';
import { makeRoutes, type Routes } from './routes.js';

/** One server's policy: who may do what, the order in which a request is checked, and the header fields of its responses. */
export interface Policy extends Pick<HeadRules, 'allowedHosts' | 'chunked'> {
  /** The middleware between `failures` and the router. */
  readonly middleware: (settings: Settings, find: Routes['find']) => readonly Middleware[];
  readonly metricNames: MetricNames;
  /** Called with the status of every response. */
  readonly onAnswered: (status: number) => void;
}

export interface HttpOptions {
  readonly endpoints: readonly Endpoint[];
  readonly host: string;
  /** The port; 0 takes any free port. */
  readonly port: number;
  readonly policy: Policy;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Whether a request asks for another protocol that an endpoint takes; the Upgrade field of every other request is ignored. */
  readonly wantsUpgrade?: (request: IncomingMessage) => boolean;
  /** Limits that replace those of `limits.ts`. */
  readonly limits?: Partial<Settings>;
  /** Checks every response against the shapes that its endpoint announces. */
  readonly checkReplies?: boolean;
}

export interface HttpServer {
  /** The address and port that the server listens on. */
  readonly address: string;
  readonly port: number;
  /**
   * Accepts no new connections, waits for the responses in progress, and cuts off the rest at its deadline.
   */
  readonly stop: () => Promise<void>;
}

/** Resolves when the server listens. Refuses a port that is taken or not allowed. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const serving = new Serving(options);
  const { address, port } = await serving.listen();
  let stopped: Promise<void> | null = null;
  return { address, port, stop: () => (stopped ??= serving.stop()) };
}

/** The errors of a client that goes away. */
const gone: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

class Serving {
  private readonly settings: Settings;
  private readonly connections = new Map<Duplex, Connection>();
  private readonly states = new WeakMap<IncomingMessage, RequestState>();
  private readonly metrics: HttpMetrics;
  private readonly server: Server;
  private readonly respond: ReturnType<Koa['callback']>;
  private checks: NodeJS.Timeout | undefined;
  /** Takes the connections to ::1 for a server that listens on `localhost`. */
  private twin: Listener | null = null;

  constructor(private readonly options: HttpOptions) {
    const { policy, metrics, limits } = options;
    this.settings = { ...defaultSettings, ...limits };
    this.metrics = registerMetrics(metrics, () => this.connections.size, policy.metricNames);
    this.respond = this.makeApp().callback();
    this.server = createNodeServer(this.settings, options.wantsUpgrade);
    this.wire();
  }

  private makeApp(): Koa<RequestState> {
    const { endpoints, policy, logger, checkReplies = false } = this.options;
    const onFault = (err: unknown, { id, template }: RequestState): void =>
      logger.error({ request_id: id, route: template, err }, 'fault');
    const { router, find } = makeRoutes(endpoints, async (endpoint, context) => {
      const reply = await endpoint.answer(context);
      if (reply === null) return;
      checkReply(endpoint, reply, checkReplies);
      await send(context, reply);
    });
    const app = new Koa<RequestState>();
    app.use(failures(this.states, onFault));
    for (const step of policy.middleware(this.settings, find)) app.use(step);
    app.use(router.routes());
    // What was written is sent, and the end of the body never comes, so no client takes the response for complete.
    app.on('error', (error: Error, context: Context) => {
      context.req.socket.destroy();
      if (!gone.has(errorCode(error))) onFault(error, context.state);
    });
    return app;
  }

  private wire(): void {
    const { server, connections, settings, metrics } = this;
    const rules: ConnectionRules = {
      settings,
      isCounted: !this.options.policy.chunked,
      onRefused: (id, status, code, address) =>
        this.record('refused', { request_id: id, status, code, address }, { method: '', route: '', status, ms: 0 }),
    };
    server.on('connection', (socket: Socket) => {
      if (connections.size >= settings.http_connections_max) {
        metrics.dropped();
        socket.destroy();
        return;
      }
      connections.set(socket, new Connection(socket, rules));
      socket.once('close', () => connections.delete(socket));
    });
    server.on('drop', metrics.dropped);
    server.on('clientError', (error, socket) => connections.get(socket)?.fail(error));
    server.on('connect', (_request, socket) => {
      connections.get(socket)?.refuse({ code: 'method_not_allowed', detail: 'CONNECT is not supported', headers: { Allow: '' } });
    });
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.on(event, (request: IncomingMessage, response: ServerResponse) => this.take(request, response, null));
    if (this.options.wantsUpgrade !== undefined) server.on('upgrade', (request, _stream, early) => this.upgrade(request, early));
  }

  private take(request: IncomingMessage, response: ServerResponse, upgrade: Upgrade | null): void {
    const connection = this.connections.get(request.socket);
    const head = readHead(request, { settings: this.settings, ...this.options.policy });
    if (connection?.take(request, response, head) !== true) return;
    // From here on a target has only one form.
    request.url = head.target;
    const found = { route: null, template: '', actor: null, body: null };
    const { remoteAddress: address = '', localPort: port = 0 } = request.socket;
    const bearer = bearerOf(request.rawHeaders);
    const state: RequestState = { id: randomUUID(), address, port, head, bearer, connection, upgrade, ...found };
    this.states.set(request, state);
    const [method, began_ms] = [request.method ?? '', performance.now()];
    response.once('close', () => {
      const { template: route, actor } = state;
      const [status, ms] = [response.statusCode, performance.now() - began_ms];
      const isWhole = status === 101 || (response.writableFinished && !request.socket.destroyed);
      const line = { request_id: state.id, method, route, status, ms: Math.round(ms), address, actor: actor?.name ?? null };
      this.record('answered', isWhole ? line : { ...line, cut: true }, { method, route, status, ms });
    });
    void this.respond(request, response);
  }

  /** Gives a request for another protocol the same way; Node's parser is gone by now, unless a body follows (Node 26), which is refused. */
  private upgrade(request: IncomingMessage, early: Buffer): void {
    const { socket } = request;
    const connection = this.connections.get(socket);
    // A response that is under way ends the connection.
    if (connection === undefined || connection.isBusy) return connection?.finish();
    const response = new ServerResponse(request);
    const leave = (): void => {
      response.detachSocket(socket);
      response.emit('close');
    };
    response.assignSocket(socket);
    response.once('finish', leave);
    const release = (): Socket => {
      response.statusCode = 101;
      connection.release();
      leave();
      return socket;
    };
    this.take(request, response, { early, release });
    connection.finish();
  }

  /** Logs and counts a response. */
  private record(what: string, line: object, { method, route, status, ms }: RequestRecord): void {
    this.metrics.answered(method, route, status, ms / 1000);
    this.options.policy.onAnswered(status);
    this.options.logger.info(line, what);
  }

  async listen(): Promise<AddressInfo> {
    const { server, connections, options } = this;
    const { host, port } = options;
    const address =
      host === localhost ? await this.listenLocally() : await listenOn(server, host, port).catch(refused(host, port));
    this.checks = setInterval(() => {
      const now_ms = performance.now();
      for (const connection of connections.values()) connection.check(now_ms);
    }, this.settings.http_check_ms);
    return address;
  }

  /** Listens on both loopback addresses, on one port: a program that had the other one could pass for the console. */
  private async listenLocally(): Promise<AddressInfo> {
    const { server, options } = this;
    for (let tries_left = free_port_tries_max; ; tries_left--) {
      const address = await listenOn(server, '127.0.0.1', options.port).catch(refused('127.0.0.1', options.port));
      const twin = createListener({ allowHalfOpen: true }, (socket) => server.emit('connection', socket));
      try {
        await listenOn(twin, '::1', address.port);
        this.twin = twin;
        return address;
      } catch (error) {
        if (absent.has(errorCode(error))) {
          options.logger.info({ port: address.port }, 'this machine has no IPv6: the server listens on 127.0.0.1 only');
          return address;
        }
        const closed = once(server, 'close');
        server.close();
        await closed;
        // Another program has the port that was free on 127.0.0.1.
        if (options.port !== 0 || tries_left === 1) throw listenRefusal(error, '::1', address.port);
      }
    }
  }

  async stop(): Promise<void> {
    const { server, connections, twin } = this;
    const closed = Promise.all([server, ...(twin === null ? [] : [twin])].map((each) => once(each, 'close')));
    server.close();
    twin?.close();
    for (const connection of connections.values()) connection.finish();
    // A connection that left HTTP by an upgrade is no longer among Node's connections.
    const deadline = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, this.settings.http_stop_ms_max);
    await closed;
    clearTimeout(deadline);
    clearInterval(this.checks);
  }
}

const localhost = 'localhost';
/** How often a port is chosen that is free on 127.0.0.1 and taken on ::1. */
const free_port_tries_max = 5;
/** The errors of a machine without IPv6. */
const absent: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

const refused =
  (host: string, port: number) =>
  (error: unknown): never => {
    throw listenRefusal(error, host, port);
  };

async function listenOn(server: Listener, host: string, port: number): Promise<AddressInfo> {
  server.listen({ host, port });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Fault('the server has no port');
  return address;
}

interface RequestRecord {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** Returns Node's server without its silent leniencies: requests that it would answer or drop by itself come to this code. */
function createNodeServer(settings: Settings, wantsUpgrade?: HttpOptions['wantsUpgrade']): Server {
  const server = createServer({
    ...(wantsUpgrade === undefined ? {} : { IncomingMessage: messageClass(wantsUpgrade) }),
    insecureHTTPParser: false,
    requireHostHeader: false,
    maxHeaderSize: settings.http_head_bytes_max,
    headersTimeout: settings.http_head_ms_max,
    // A backstop: the body has its own timer.
    requestTimeout: settings.http_request_ms_max,
    keepAliveTimeout: settings.http_keep_alive_ms,
    connectionsCheckingInterval: Math.min(settings.http_check_ms, settings.http_head_ms_max),
  });
  server.maxConnections = settings.http_connections_max;
  // All fields are counted by `readHead`; with a limit here, Node would drop those beyond it without a notice.
  server.maxHeadersCount = 0;
  // A client may end its side after sending its request, and still wants the response.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Returns the request class of a server with sockets. Once there is a listener for upgrades, Node hands over every request with `Upgrade` and
 * gives up its parser. Only here, at the property that it reads, can a request still get a response in HTTP.
 */
function messageClass(wants: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  const asking = new WeakSet<IncomingMessage>();
  return class extends IncomingMessage {
    get upgrade(): boolean {
      return asking.has(this) && (this.method === 'CONNECT' || wants(this));
    }

    set upgrade(asks: unknown) {
      if (asks === true) asking.add(this);
      else asking.delete(this);
    }
  };
}
