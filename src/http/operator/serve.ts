/** The operator's server: the API and the console of a home's daemon, on one port. */
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type Alerts, Responses } from '../../app/alerts/alerts.js';
import { ApproverLinks } from '../../app/approvals/approvers.js';
import type { BusFigures } from '../../app/bus/settings.js';
import type { Daemon } from '../../app/daemon/daemon.js';
import { requireHome } from '../../app/home/files.js';
import { type Home, programVersion, type World } from '../../app/home/home.js';
import { Intake } from '../../app/intake/intake.js';
import { activeTokens, type ActiveTokens, actorOfToken, builtInToken, Sessions } from '../../app/tokens/authenticate.js';
import { consoleFiles } from '../../app/operator/console-files.js';
import { doctorReader } from '../../app/operator/reports.js';
import { statusReader } from '../../app/operator/status.js';
import { missionWorkers } from '../../app/workers/mission-queue.js';
import { isLoopbackAddress } from '../../base/loopback.js';
import type { Actor } from '../core/context.js';
import { type HttpOptions, type HttpServer, startHttp } from '../core/server.js';
import { mcpEndpoint } from './mcp.js';
import { EventStreams } from './events.js';
import { registerAgentMetrics, systemEndpoints } from './system.js';
import { consoleOrigin, type Operator } from './operator.js';
import { operatorPolicy, type Tokens } from './policy.js';
import { feedEntryCodec, feedProgressCodec } from '../../codec/api-journal.js';
import { problemCodec } from '../../codec/api-problem.js';
import { type Endpoint, problem, type ResponseShape } from '../core/endpoint.js';
import { misfit, openApiText, unwanted } from '../core/openapi.js';
import { openApiEndpoint, pageEndpoints } from '../core/system-endpoints.js';
import { approverEndpoints } from './approvers.js';
import { decisionEndpoints } from './decisions.js';
import { intakeEndpoints } from './intake.js';
import { journalEndpoints } from './journal.js';
import { loginEndpoints } from './login.js';
import { missionEndpoints } from './missions.js';
import { paymentEndpoints } from './payments.js';
import { toolEndpoints } from './tools.js';

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
  const workers = missionWorkers(daemon.home);
  registerAgentMetrics(metrics, daemon, { status: () => status(nobody), workers: () => workers.states(), bus: options.bus });
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
    workers: () => workers.states(),
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

// Every endpoint of the operator's API, and the OpenAPI document of them, with the responses of the policy before a handler runs.

/** The page in place of a console that is not built. */
const unbuilt = {
  type: 'text/html; charset=utf-8',
  bytes: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>agent-cli</title></head>
<body>
<h1>The console is not built</h1>
<p>This agent is running, and its HTTP API is at <code>/api</code>. The console's files are missing: build the program, then reload this page.</p>
</body>
</html>
`,
};

function operatorEndpoints(operator: Operator): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...pageEndpoints('console', operator.console, unbuilt),
    ...systemEndpoints(operator),
    ...loginEndpoints(operator.sessions),
    ...approverEndpoints(operator),
    ...missionEndpoints(operator),
    ...intakeEndpoints(operator),
    ...decisionEndpoints(operator),
    ...journalEndpoints(operator),
    ...toolEndpoints(operator),
    ...paymentEndpoints(operator),
    { ...openApiEndpoint('/api/openapi.json', () => operatorDocument(all)), agent: 'any' },
  ];
  return all;
}

// Their document

const info = {
  title: 'agent-cli operator API',
  version: programVersion,
  description:
    'What the commands do, over HTTP. Documents are those of the same command with --json. Errors are application/problem+json (RFC 9457).',
};

const operatorDocument = (endpoints: readonly Endpoint[]): string =>
  openApiText(endpoints, info, {
    extra: [feedEntryCodec, feedProgressCodec],
    problem: problemCodec,
    ofBoundary,
    headersOf: (_one, status) => [
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ],
    token: '43 characters; see docs/tokens.md',
  });

/** Returns the policy's responses in the order of their statuses. */
function ofBoundary(endpoint: Endpoint): Record<number, ResponseShape> {
  const { method, auth, agent, params, query, headers, body, ignoresQuery } = endpoint;
  const mutation = method !== 'GET';
  const reads = [params, query, headers, body].some((part) => part !== undefined);
  return {
    400: problem(mutation ? 'Ambiguous framing, an upload with a wrong length, or invalid JSON' : 'A request with a body'),
    421: problem('A Host that this server does not serve'),
    431: problem('Too many or too large header fields'),
    ...(auth === 'public' ? {} : { 401: problem('No token, or a wrong one'), 429: problem('Too many wrong tokens') }),
    ...(mutation
      ? {
          403: problem('A page from another origin, or a role below this one'),
          408: problem('The body took too long'),
          411: problem('Content-Length is missing'),
          413: problem('The body is too large'),
        }
      : auth === 'public' || agent !== undefined
        ? {}
        : { 403: problem('A role below this one, or a token of the role agent') }),
    ...(mutation && body !== undefined ? { 415: problem('A body that is not application/json') } : {}),
    ...(ignoresQuery === true ? {} : { 422: problem(reads ? misfit : unwanted) }),
  };
}
