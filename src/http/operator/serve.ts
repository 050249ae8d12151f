/** The operator's server: the daemon of a home, and its API and console on one port. */
import { Registry } from 'prom-client';
import type { Logger } from 'pino';
import { startDaemon, type Daemon, type DaemonOptions } from '../../app/daemon/daemon.js';
import type { Home, World } from '../../app/home/home.js';
import { actorOfToken } from '../../app/operator/actor-name.js';
import { consoleFiles } from '../../app/operator/console-files.js';
import { statusReader, statusTextReader } from '../../app/operator/status.js';
import { simulationFeature } from '../../app/simulation/feature.js';
import { authenticator } from '../../app/tokens/authenticate.js';
import type { Actor } from '../core/actor.js';
import { startHttp, type HttpOptions } from '../core/server.js';
import { operatorPolicy, type Tokens } from './policy.js';
import { startSimulationServer, type SimulationServer, type SimulationServing } from '../simulation/serve.js';
import { operatorEndpoints } from './endpoints.js';
import { registerAgentMetrics } from './metrics.js';

export interface ServeOptions extends Pick<HttpOptions, 'host' | 'port' | 'limits' | 'checkReplies'> {
  /** Names beside the loopback ones that the server answers for, each with or without a port. */
  readonly allowedHosts: readonly string[];
  readonly logger: Logger;
  readonly daemon?: Omit<DaemonOptions, 'onWarning' | 'features'>;
  /** Where the console's build stands, unless in the package. */
  readonly console?: string;
  /** Serves the simulation too, on a port of its own. */
  readonly simulation?: Omit<SimulationServing, 'host' | 'logger'> | undefined;
}

export interface OperatorServer {
  readonly port: number;
  readonly daemon: Daemon;
  readonly simulation: SimulationServer | null;
  /** Answers what is under way, ends executions and the feed, and closes the home; bounded by the deadlines of both. */
  readonly stop: () => Promise<void>;
}

/** First the home's lock, then the simulation's port, then the operator's: whichever is taken, nothing stays half started. */
export async function startOperator(world: World, options: ServeOptions): Promise<OperatorServer> {
  const { logger } = options;
  const daemon = await startDaemon(world, {
    ...options.daemon,
    features: [simulationFeature],
    onWarning: (message) => logger.warn(message),
  });
  let simulation: SimulationServer | null = null;
  try {
    const { host, simulation: wanted } = options;
    const simulationLog = logger.child({ server: 'simulation' });
    if (wanted !== undefined) simulation = await startSimulationServer(daemon, { ...wanted, host, logger: simulationLog });
    return await serveDaemon(world, daemon, simulation, options);
  } catch (error) {
    await simulation?.stop();
    await daemon.stop();
    throw error;
  }
}

async function serveDaemon(
  world: World,
  daemon: Daemon,
  simulation: SimulationServer | null,
  options: ServeOptions,
): Promise<OperatorServer> {
  const metrics = new Registry();
  const status = statusReader(daemon);
  const ending = new AbortController();
  registerAgentMetrics(metrics, daemon, () => status(nobody));
  const endpoints = operatorEndpoints({
    world,
    daemon,
    statusText: statusTextReader(daemon),
    console: consoleFiles(options.console),
    metrics,
    stopping: ending.signal,
  });
  const policy = operatorPolicy({ tokens: tokensOf(daemon.home), allowedHosts: options.allowedHosts });
  const server = await startHttp({ ...options, endpoints, metrics, policy });
  const stop = async (): Promise<void> => {
    ending.abort();
    await Promise.all([server.stop(), simulation?.stop()]);
    await daemon.stop();
  };
  let stopped: Promise<void> | null = null;
  return { port: server.port, daemon, simulation, stop: () => (stopped ??= stop()) };
}

const nobody: Actor = { name: '', role: 'viewer' };

function tokensOf(home: Home): Tokens {
  const authenticate = authenticator(home);
  return (bearer) => {
    const owner = authenticate(bearer);
    return owner === null ? null : { name: actorOfToken(owner.name), role: owner.role };
  };
}

/**
 * Tells of every entry until the signal aborts, then stops the server; answers how many there were.
 * @throws what ended the daemon by itself, once the server has stopped
 */
export async function followUntil(
  { daemon, stop }: OperatorServer,
  signal: AbortSignal,
  onEntry: (entry: { readonly sequence: number; readonly stream: string; readonly event: string }) => void,
): Promise<number> {
  let seen = 0;
  try {
    for await (const item of daemon.feed.follow(daemon.feed.newest(), signal)) {
      if (item.type !== 'entry') continue;
      seen++;
      onEntry({ sequence: item.sequence, stream: item.stream, event: item.event });
    }
  } finally {
    await stop();
  }
  await daemon.ended;
  return seen;
}
