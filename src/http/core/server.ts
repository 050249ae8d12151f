/** Starts one HTTP server over a list of endpoints, and stops it without losing a response in progress. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Fault } from '../../base/fault.js';
import { listenRefusal } from '../../base/listen.js';
import { makeBoundary } from './boundary.js';
import { LargeBodies } from './large-bodies.js';
import { LargeSender } from './send-large.js';
import { EventStreams } from './streams.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { type HttpMetrics, registerMetrics } from './metrics.js';
import type { Policy, PolicyOf } from './policy.js';
import { defaultSettings, type Settings } from './settings.js';
import type { Handlers } from './connection.js';
import { Connections } from './connections.js';
import { Drops } from './drops.js';
import { messageClass, type UpgradeOffer, type Upgrades } from './upgrade.js';

export interface HttpOptions {
  readonly endpoints: readonly Endpoint[];
  readonly host: string;
  /** The port; 0 takes any free port. */
  readonly port: number;
  readonly policy: PolicyOf;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Takes requests for another protocol; without it the Upgrade field of every request is ignored. */
  readonly upgrades?: Upgrades;
  /** Limits that replace those of `base/http-limits`. */
  readonly limits?: Partial<Settings>;
  /** Checks every response against the shapes that its endpoint announces. */
  readonly checkReplies?: boolean;
}

export interface HttpServer {
  /** The address and port that the server listens on. */
  readonly address: string;
  readonly port: number;
  /**
   * Accepts no new connections, ends event streams, waits for the responses in progress, and cuts off the rest at its deadline.
   */
  readonly stop: () => Promise<void>;
}

/** Resolves when the server listens. Refuses a port that is taken or not allowed. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const settings: Settings = { ...defaultSettings, ...options.limits };
  const policy = options.policy(settings);
  const streams = new EventStreams(settings, policy.mayRead, policy.clientOf);
  const bodies = new LargeBodies(settings);
  const large = new LargeSender(bodies, settings);
  const server = createParser(settings, options.upgrades);
  const metrics = registerMetrics(
    options.metrics,
    { connections: () => connections.size, sending: () => bodies.bytes },
    policy.metricNames,
  );
  const drops = new Drops(options.metrics, policy.metricNames.dropped, options.logger, settings.drop_log_ms);
  const state = { stopping: false };
  const handlers = makeHandlers(options, { settings, policy, streams, large, metrics, isStopping: () => state.stopping });
  const connections = new Connections(settings, handlers, (drop) => drops.add(drop));
  wire(server, connections, handlers);
  await listen(server, options);
  const { address, port } = addressOf(server);
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    state.stopping = true;
    const closed = once(server, 'close');
    server.close();
    streams.stop();
    for (const connection of connections.values()) connection.stop();
    const deadline = setTimeout(() => {
      // A connection that left HTTP by an upgrade is no longer among Node's connections.
      for (const { socket } of connections.values()) socket.destroy();
    }, settings.stop_ms_max);
    await closed;
    clearTimeout(deadline);
    drops.stop();
  };
  return { address, port, stop: () => (stopped ??= stop()) };
}

/** Returns Node's server without its silent leniencies: requests that it would answer or drop by itself come to this code. */
function createParser(settings: Settings, upgrades?: Upgrades): Server {
  const server = createServer({
    ...(upgrades === undefined ? {} : { IncomingMessage: messageClass(upgrades.wants) }),
    insecureHTTPParser: false,
    requireHostHeader: false,
    maxHeaderSize: settings.head_bytes_max,
    headersTimeout: settings.head_ms_max,
    // The body has its own timer.
    requestTimeout: 0,
    keepAliveTimeout: settings.keep_alive_ms,
    connectionsCheckingInterval: Math.min(1_000, settings.head_ms_max),
  });
  server.timeout = 0;
  // A client may end its side after sending its request, and still wants the response.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

function wire(server: Server, connections: Connections, handlers: Handlers): void {
  server.on('connection', (socket: Socket) => connections.admit(socket));
  server.on('request', (request, response) => connections.of(request.socket)?.take(request, response, 'nothing'));
  server.on('checkContinue', (request, response) => connections.of(request.socket)?.take(request, response, 'continue'));
  server.on('checkExpectation', (request, response) => connections.of(request.socket)?.take(request, response, 'unknown'));
  server.on('clientError', (error, socket) => {
    const connection = connections.of(socket);
    if (connection === undefined) socket.destroy();
    else connection.fail(error);
  });
  if (handlers.upgrade !== undefined) {
    server.on('upgrade', (request, socket, early) => connections.of(socket)?.upgrade(request, early));
  }
  server.on('connect', (_request, socket) => {
    connections.of(socket)?.refuse({ code: 'method_not_allowed', detail: 'CONNECT is not supported', headers: { Allow: '' } });
  });
}

interface Parts {
  readonly settings: Settings;
  readonly policy: Policy;
  readonly streams: EventStreams;
  readonly large: LargeSender;
  readonly metrics: HttpMetrics;
  readonly isStopping: () => boolean;
}

function makeHandlers(
  { endpoints, logger, upgrades, checkReplies = false }: HttpOptions,
  { settings, policy, streams, large, metrics, isStopping }: Parts,
): Handlers {
  const onFault = (err: unknown, { id, route }: Exchange): void => logger.error({ request_id: id, route, err }, 'fault');
  const { judge, readHead, clientOf } = policy;
  const answer = makeBoundary({ endpoints, judge, streams, large, clientOf, checkReplies, onFault }).callback();
  const serve = async (exchange: Exchange): Promise<void> => {
    const { id, request, response, address, started_ms } = exchange;
    const method = request.method ?? '';
    const closed = new Promise<boolean>((resolve) => response.once('close', () => resolve(response.writableFinished)));
    await answer(request, response);
    const { socket } = request;
    const gone = socket.destroyed;
    // Most responses are with the operating system by now; one that is not has its own time limit.
    const isTaken = response.writableEnded && socket.writableLength === 0;
    const slow = isTaken ? null : setTimeout(() => socket.destroy(), settings.send_ms_max);
    const whole = await closed;
    if (slow !== null) clearTimeout(slow);
    const ms = performance.now() - started_ms;
    const { route, actor } = exchange;
    const status = response.statusCode;
    metrics.answered(method, route, status, ms / 1000);
    policy.onAnswered(status);
    const line = { request_id: id, method, route, status, ms: Math.round(ms), address, actor: actor?.name ?? null };
    logger.info(whole && !gone ? line : { ...line, cut: true }, 'answered');
  };
  const route = upgrades?.route ?? '';
  const refused: Handlers['refused'] = (id, status, code, address, isUpgrade): void => {
    metrics.answered(isUpgrade ? 'GET' : '', isUpgrade ? route : '', status, 0);
    policy.onAnswered(status);
    logger.info({ request_id: id, ...(isUpgrade ? { method: 'GET', route } : {}), status, code, address }, 'refused');
  };
  const upgraded = ({ id, address }: UpgradeOffer): void => {
    metrics.answered('GET', route, 101, 0);
    logger.info({ request_id: id, method: 'GET', route, status: 101, address }, 'upgraded');
  };
  const upgrade = upgrades === undefined ? {} : { upgrade: offering(upgrades, upgraded) };
  return { settings, isStopping, readHead, serve, refused, ...upgrade };
}

/** Reports every offer that is taken. */
function offering({ take }: Upgrades, upgraded: (offer: UpgradeOffer) => void): (offer: UpgradeOffer) => void {
  return (offer) =>
    take({
      ...offer,
      release: () => {
        upgraded(offer);
        return offer.release();
      },
    });
}

async function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  const failed = new Promise<never>((_resolve, reject) => server.once('error', reject));
  server.listen({ host, port });
  try {
    await Promise.race([once(server, 'listening'), failed]);
  } catch (error) {
    throw listenRefusal(error, host, port);
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Fault('the server has no port');
  return address;
}
