/** The simulation's server: the runs of a home's daemon, their API, the socket and the dashboard, on one port. */
import { Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { Alerts } from '../../app/alerts/alerts.js';
import { Responses } from '../../app/alerts/watch.js';
import type { BusFigures } from '../../app/bus/figures.js';
import type { Daemon } from '../../app/daemon/daemon.js';
import { consoleFiles, dashboardFolder } from '../../app/operator/console-files.js';
import { startSimulations, type SimulationService, type SimulationOptions } from '../../app/simulation/service.js';
import type { SimulationSettings } from '../../app/simulation/settings.js';
import { simulation_connections_max, simulation_request_bytes_max } from '../../base/simulation-limits.js';
import { Gauges } from '../core/gauges.js';
import { LoginThrottle } from '../core/login-throttle.js';
import { defaultSettings } from '../core/settings.js';
import { startHttp, type HttpOptions, type HttpServer } from '../core/server.js';
import { cors } from './cors.js';
import { simulationEndpoints } from './endpoints.js';
import { registerSimulationMetrics } from './metrics.js';
import { simulationPolicy } from './policy.js';
import { rateLimiter } from './rate-limit.js';
import { attachProgress } from './socket.js';
import type { SocketSettings } from './socket-settings.js';
import { TokenGate, tokenMatcher } from './token.js';

export interface SimulationServing extends Pick<HttpOptions, 'limits' | 'checkReplies'> {
  readonly settings: SimulationSettings;
  readonly host: string;
  readonly logger: Logger;
  /** What the message bus counts; null if it is not served. */
  readonly bus?: BusFigures | null | undefined;
  readonly alerts?: Alerts | undefined;
  /** The directory of the dashboard's build, unless it is the package's. */
  readonly dashboard?: string | undefined;
  readonly sockets?: Partial<SocketSettings>;
  readonly service?: Partial<Omit<SimulationOptions, 'islands' | 'onWarning'>>;
  /** Called with the status of every response. */
  readonly onAnswered?: (status: number) => void;
}

export interface SimulationServer {
  readonly port: number;
  readonly service: SimulationService;
  /** Finishes the requests in progress, closes the sockets, and fails unfinished runs, within 8 s. The daemon continues. */
  readonly stop: () => Promise<void>;
}

const limits = {
  body_bytes_max: simulation_request_bytes_max,
  connections_max: simulation_connections_max,
} as const;

function gateOf({ token, rate_limit }: SimulationSettings, limits: SimulationServing['limits'] = {}): TokenGate {
  const failures = new LoginThrottle({ ...defaultSettings, ...limits }, () => performance.now());
  return new TokenGate({
    matches: tokenMatcher(token),
    known: rateLimiter(rate_limit),
    others: rateLimiter(rate_limit),
    failures,
  });
}

/** Resolves when the server listens. @throws RefusalError `port_taken`; then no part of the server is left */
export async function startSimulationServer(daemon: Daemon, options: SimulationServing): Promise<SimulationServer> {
  const { settings, logger } = options;
  const raise: Alerts['raise'] = (raised) => options.alerts?.raise(raised);
  const service = startSimulations(daemon, {
    onFailed: (id, { code }) => raise({ type: 'run_failed', id, code }),
    ...options.service,
    islands: settings.islands,
    onWarning: (message) => logger.warn(message),
  });
  const gate = gateOf(settings, options.limits);
  const admit = (address: string, tokens: readonly string[]) => gate.take(address, tokens).denial;
  const progress = attachProgress({ feed: service.feed, admit, logger, limits: options.sockets ?? {} });
  const metrics = new Registry();
  registerSimulationMetrics(metrics, { daemon, service, sockets: progress.count, addresses: () => gate.addresses });
  if (options.bus) new Gauges(metrics).addBus('agi', options.bus);
  const dashboard = consoleFiles(options.dashboard ?? dashboardFolder);
  const responses = new Responses('simulation', raise);
  const onAnswered = options.onAnswered ?? responses.count;
  const policy = simulationPolicy({ cors: cors(settings.origins), gate, onAnswered });
  let server: HttpServer;
  try {
    server = await startHttp({
      endpoints: simulationEndpoints({ daemon, service, dashboard, metrics }),
      host: options.host,
      port: settings.port,
      policy,
      logger,
      metrics,
      upgrades: progress.upgrades,
      limits: { ...limits, ...options.limits },
      ...(options.checkReplies === undefined ? {} : { checkReplies: options.checkReplies }),
    });
  } catch (error) {
    responses.stop();
    await Promise.all([progress.stop(), service.stop()]);
    throw error;
  }
  const stop = async (): Promise<void> => {
    responses.stop();
    await Promise.all([server.stop(), progress.stop(), service.stop()]);
  };
  let stopped: Promise<void> | null = null;
  return { port: server.port, service, stop: () => (stopped ??= stop()) };
}
