/** The simulation's server: the runs of a home's daemon, their API, the socket and the dashboard, on one port. */
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type Alerts, Responses } from '../../app/alerts/alerts.js';
import type { BusFigures } from '../../app/bus/settings.js';
import type { Daemon } from '../../app/daemon/daemon.js';
import { consoleFiles, dashboardFolder } from '../../app/operator/console-files.js';
import { type SimulationOptions, type SimulationService, startSimulations } from '../../app/simulation/service.js';
import type { SimulationSettings } from '../../app/simulation/settings.js';
import { namedAuthenticator } from '../../app/tokens/authenticate.js';
import { simulation_request_bytes_max } from '../../base/limits.js';
import { agentsCodec } from '../../codec/api-simulation.js';
import { endpoint, type Endpoint, json } from '../core/endpoint.js';
import { type HttpOptions, type HttpServer, startHttp } from '../core/server.js';
import { healthEndpoint, metricsEndpoint, openApiEndpoint, pageEndpoints } from '../core/system-endpoints.js';
import { simulationDocument } from './document.js';
import { resultEndpoints } from './results.js';
import { runEndpoints } from './runs.js';
import type { Simulation } from './simulation.js';
import { sweepEndpoints } from './sweeps.js';
import { registerSimulationMetrics } from './metrics.js';
import { simulationPolicy, tokensOf } from './policy.js';
import type { SocketSettings } from './progress-socket.js';
import { Windows } from './rate-limit.js';
import { isHandshake } from './socket-handshake.js';
import { attachProgress } from './socket.js';

const simulation_connections_max = 1_024;

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
  http_body_bytes_max: simulation_request_bytes_max,
  http_connections_max: simulation_connections_max,
} as const;

/** Resolves when the server listens. @throws RefusalError `port_taken`; then no part of the server is left */
export async function startSimulationServer(daemon: Daemon, options: SimulationServing): Promise<SimulationServer> {
  const { settings, logger } = options;
  const raise: Alerts['raise'] = (raised) => options.alerts?.raise(raised);
  const service = startSimulations(daemon, {
    onFailed: (id, { code, message }) => {
      logger.warn(`run ${id} failed: ${message}`);
      raise({ type: 'run_failed', id, code });
    },
    ...options.service,
    islands: settings.islands,
    onWarning: (message) => logger.warn(message),
  });
  const progress = attachProgress({ feed: service.feed, logger, limits: options.sockets ?? {} });
  const metrics = new Registry();
  const windows = new Windows();
  registerSimulationMetrics(metrics, {
    daemon,
    service,
    sockets: progress.count,
    addresses: () => windows.size,
    bus: options.bus ?? null,
  });
  const dashboard = consoleFiles(options.dashboard ?? dashboardFolder);
  const responses = new Responses('simulation', raise);
  const onAnswered = options.onAnswered ?? responses.count;
  const { token, home_tokens, rate_limit, origins, proxies } = settings;
  const tokens = tokensOf(token, home_tokens === true ? namedAuthenticator(daemon.home) : null);
  const policy = simulationPolicy({ origins, tokens, rate_limit, windows, proxies, onAnswered });
  let server: HttpServer;
  try {
    server = await startHttp({
      endpoints: simulationEndpoints({ daemon, service, dashboard, metrics, rate_limit, progress: progress.endpoint }),
      host: options.host,
      port: settings.port,
      policy,
      logger,
      metrics,
      wantsUpgrade: isHandshake,
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

function simulationEndpoints(simulation: Simulation): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...pageEndpoints('dashboard', simulation.dashboard),
    ...runEndpoints(simulation),
    ...resultEndpoints(simulation),
    ...sweepEndpoints(simulation),
    ...systemEndpoints(simulation),
    simulation.progress,
    openApiEndpoint('/openapi.json', () => simulationDocument(all)),
  ];
  return all;
}

/** The server itself: health, agents, metrics. */
const systemEndpoints = ({ service, metrics }: Simulation): readonly Endpoint[] => [
  healthEndpoint('Whether the process responds; the journal and the agents are not checked'),
  endpoint({
    route: 'GET /status',
    auth: 'viewer',
    summary: 'The seven agents: the last heartbeat and the number of restarts of each; and the workers of queues',
    responses: { 200: { description: 'The agents by name', body: agentsCodec } },
    handle: () => {
      const workers = service.workers();
      return json(200, { agents: service.agents(), ...(workers === null ? {} : { workers }) });
    },
  }),
  metricsEndpoint(metrics),
];
