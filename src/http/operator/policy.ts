/**
 * The checks of a request to the operator's server before its handler runs, in order: head (Host first, then framing), body,
 * origin, token, role, path, method. A body is read before anything is refused, so that a client that is still sending does not
 * lose the response.
 */
import { WrongTokens } from '../../base/wrong-tokens.js';
import { framing } from '../core/middleware.js';
import { denialReason, type Actor, type Context, type Middleware } from '../core/context.js';
import { tooLarge, valuesOf, type RawHeaders } from '../core/head.js';
import { challenge, Denied, deniedToken, tokenRequired, wrong_token } from '../core/problem.js';
import { requireRoute, type Routes } from '../core/routes.js';
import type { Policy } from '../core/server.js';
import type { Settings } from '../core/limits.js';
import type { MetricNames } from '../core/metrics.js';

const metricNames: MetricNames = {
  requests: 'agent_http_requests_total',
  duration: 'agent_http_request_duration_seconds',
  connections: 'agent_http_connections',
  dropped: 'agent_http_connections_dropped_total',
  route: 'route',
  unmatched: '',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 600],
};

/** Returns the actor of a token, or null. Compares in constant time. */
export type Tokens = (bearer: string) => Actor | null;

interface OperatorRules extends Pick<Policy, 'onAnswered'> {
  readonly tokens: Tokens;
  /** Host names that the server accepts besides the loopback ones, each with or without a port. */
  readonly allowedHosts: readonly string[];
  /** Returns the origin of the console behind a proxy; empty for none. */
  readonly origin: () => string;
}

export const operatorPolicy = ({ tokens, allowedHosts, origin, onAnswered }: OperatorRules): Policy => {
  const isOwn: IsOwn = ({ req, state: { head } }) => !head.mutation || isOwnOrigin(req.rawHeaders, head.host, origin);
  return {
    allowedHosts,
    chunked: false,
    middleware: (settings, find) => [framing(settings, mayKeep(tokens, settings, find, isOwn)), admission(settings, isOwn)],
    metricNames,
    onAnswered,
  };
};

/** Whether a request changes nothing, or does not come from a page of another origin. */
type IsOwn = (context: Context) => boolean;

/** Finds out who sends a request and for which endpoint, before its body is read. It is kept for clients that may send one. */
function mayKeep(
  tokens: Tokens,
  { http_public_body_bytes_max }: Settings,
  find: Routes['find'],
  isOwn: IsOwn,
): (context: Context) => boolean {
  return (context) => {
    const { state } = context;
    const route = (state.route = find(context));
    state.template = route.access === null ? '' : route.template;
    if (route.open && (state.head.length ?? 0) > http_public_body_bytes_max)
      throw new Denied(tooLarge(http_public_body_bytes_max));
    // A public page is for every token.
    if (!route.open || state.head.mutation) state.actor = state.bearer ? tokens(state.bearer) : null;
    return isOwn(context) && (route.open || state.actor !== null);
  };
}

/** Throws the first denial. */
function admission(settings: Settings, isOwn: IsOwn): Middleware {
  const wrongTokens = new WrongTokens(settings);
  return (context, next) => {
    const { route, actor, address, bearer } = context.state;
    if (route === null) throw new TypeError('a request without a route');
    if (!isOwn(context)) forbid('the request comes from a page with another origin');
    if (!route.open && actor === null) {
      if (bearer === null) throw new Denied(tokenRequired);
      throw new Denied(deniedToken(wrongTokens, address, { code: 'unauthorized', detail: wrong_token, headers: challenge }));
    }
    const denied = actor === null || route.access === null ? null : denialReason(actor, route.access);
    if (denied !== null) forbid(denied);
    return requireRoute(context, route) ? next() : Promise.resolve();
  };
}

function forbid(detail: string): never {
  throw new Denied({ code: 'forbidden', detail });
}

const defaultPort = { 'http:': ':80', 'https:': ':443' } as const;

/**
 * Returns whether a mutation has no Origin, which names the page that sends it (RFC 6454, section 7), or the one that `host` is served under;
 * https counts too, for a proxy in front, and the origin that the configuration names.
 */
export function isOwnOrigin(raw: RawHeaders, host: string | null, configured: () => string = () => ''): boolean {
  const origins = valuesOf(raw, 'origin');
  const [origin] = origins;
  if (origin === undefined) return true;
  if (origins.length > 1 || host === null || !URL.canParse(origin)) return false;
  if (origin === configured()) return true;
  const url = new URL(origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  const usual = defaultPort[url.protocol];
  const own = host.endsWith(usual) ? host.slice(0, -usual.length) : host;
  return url.origin === origin.toLowerCase() && url.host === own;
}
