/** The operator's server: the API and the console of a home's daemon, on one port. */
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type Alerts, Responses } from '../../app/alerts/alerts.js';
import { ApproverLinks } from '../../app/approvals/links.js';
import type { BusFigures } from '../../app/bus/settings.js';
import type { Daemon } from '../../app/daemon/daemon.js';
import { requireHome } from '../../app/home/files.js';
import type { Home } from '../../app/home/home.js';
import type { World } from '../../app/home/world.js';
import { Intake } from '../../app/intake/intake.js';
import { actorOfToken, builtInToken } from '../../app/operator/actor-name.js';
import { consoleFiles } from '../../app/operator/console-files.js';
import { doctorReader } from '../../app/operator/reports.js';
import { statusReader } from '../../app/operator/status.js';
import { activeTokens, type ActiveTokens } from '../../app/tokens/authenticate.js';
import { Sessions } from '../../app/tokens/sessions.js';
import { MissionWorkers } from '../../app/workers/mission-queue.js';
import { isLoopbackAddress } from '../../base/loopback.js';
import type { Actor } from '../core/context.js';
import { type HttpOptions, type HttpServer, startHttp } from '../core/server.js';
import { operatorEndpoints } from './endpoints.js';
import { mcpEndpoint } from './mcp.js';
import { EventStreams } from './events.js';
import { registerAgentMetrics } from './metrics.js';
import { consoleOrigin, type Operator } from './operator.js';
import { operatorPolicy, type Tokens } from './policy.js';

export interface OperatorServing extends Pick<HttpOptions, 'host' | 'port' | 'limits' | 'checkReplies'> {
  /** Host names that the server accepts besides the loopback ones, each with or without a port. */
  readonly allowedHosts: readonly string[];
  readonly world: World;
  readonly logger: Logger;
  /** What the message bus counts; null if it is not served. */
  readonly bus: BusFigures | null;
  readonly alerts: Alerts;
  /** Whether AI assistants are served too. */
  readonly mcp?: boolean | undefined;
  /** The directory of the console's build, unless it is the package's. */
  readonly console?: string | undefined;
}

export interface OperatorServer extends HttpServer {
  /**
   * Issues a login code that acts for the holder of api.token, and returns it; null unless the server listens on a loopback address and
   * api.token holds a token.
   */
  readonly issueLogin: () => string | null;
}

/** Resolves when the server listens. @throws RefusalError `port_taken`; then no part of the server is left */
export async function startOperatorServer(daemon: Daemon, options: OperatorServing): Promise<OperatorServer> {
  const metrics = new Registry();
  const status = statusReader(daemon);
  const ending = new AbortController();
  const workers = new MissionWorkers(daemon.home);
  registerAgentMetrics(metrics, daemon, { status: () => status(nobody), workers: workers.states, bus: options.bus });
  const tokens = activeTokens(daemon.home);
  const sessions = new Sessions(options.world, tokens);
  const approverLinks = new ApproverLinks(options.world, tokens);
  const known = tokensOf(daemon.home, tokens, sessions);
  const intake = new Intake(options.world);
  const streams = new EventStreams(known, options.limits);
  const operator: Operator = {
    daemon,
    doctor: doctorReader(daemon),
    sessions,
    approverLinks,
    intake,
    status,
    console: consoleFiles(options.console),
    streams,
    metrics,
    alerts: options.alerts.document,
    workers: workers.states,
    stopping: ending.signal,
  };
  const endpoints = [...operatorEndpoints(operator), ...(options.mcp === true ? [mcpEndpoint(operator)] : [])];
  const responses = new Responses('operator', options.alerts.raise);
  const origin = (): string => consoleOrigin(daemon.home);
  const rules = { tokens: known, allowedHosts: options.allowedHosts, origin, onAnswered: responses.count };
  const server = await startHttp({ ...options, endpoints, metrics, policy: operatorPolicy(rules) });
  const stop = async (): Promise<void> => {
    ending.abort();
    responses.stop();
    streams.stop();
    intake.stop();
    await Promise.all([server.stop(), workers.end()]);
  };
  return { ...server, stop, issueLogin: () => issueLogin(sessions, tokens, server.address) };
}

const nobody: Actor = { name: '', role: 'viewer', via: 'token' };

function issueLogin(sessions: Sessions, tokens: ActiveTokens, address: string): string | null {
  if (!isLoopbackAddress(address) || tokens.byName(builtInToken) === null) return null;
  return sessions.issue(builtInToken, 'localhost').code;
}

function tokensOf({ paths }: Home, tokens: ActiveTokens, sessions: Sessions): Tokens {
  return (bearer) => {
    // Otherwise nobody would be known, because api.token is gone with the home.
    requireHome(paths);
    const holder = tokens.ownerOf(bearer);
    const owner = holder ?? sessions.ownerOf(bearer);
    const via = holder === null ? 'session' : 'token';
    return owner === null ? null : { ...owner, name: actorOfToken(owner.name), via };
  };
}
