/**
 * The checks of a request to the simulation's server before its handler runs, in order: Connection, preflight, rate, token, path,
 * method, framing, body. A body is read only from clients that may send one.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Authenticate } from '../../app/tokens/authenticate.js';
import type { TrustedProxies } from '../../app/simulation/settings.js';
import { sha256 } from '../../base/bytes.js';
import { blockOf, WrongTokens } from '../../base/wrong-tokens.js';
import { framing } from '../core/middleware.js';
import { type Actor, type Context, type Middleware, denialReason } from '../core/context.js';
import { connectionDenial, type RawHeaders, valuesOf } from '../core/head.js';
import { Denied, deniedToken, tokenRequired, wrong_token } from '../core/problem.js';
import { requireRoute, type Routes } from '../core/routes.js';
import type { Policy } from '../core/server.js';
import type { Settings } from '../core/limits.js';
import { isPagePath } from '../core/system-endpoints.js';
import { simulationMetricNames } from './metrics.js';
import { rateLimits, type Windows } from './rate-limit.js';
import { protocolTokens } from './socket-handshake.js';

/** The actor in the events that a request with API_TOKEN records: its clients may do everything. */
const apiActor: Actor = { name: 'api', role: 'admin', via: 'api' };

/** Returns the actor of a token, or null. Compares hashes, in a time that reveals nothing of either text. */
export type Tokens = (given: string) => Actor | null;

/** Returns the actors of API_TOKEN and, where `ofHome` is given, of the home's named tokens. */
export function tokensOf(api_token: string, ofHome: Authenticate | null): Tokens {
  const expected = sha256(api_token);
  return (given) => {
    if (timingSafeEqual(sha256(given), expected)) return apiActor;
    const owner = ofHome?.(given) ?? null;
    return owner === null ? null : { ...owner, via: 'api' };
  };
}

interface SimulationRules extends Pick<Policy, 'onAnswered'> {
  readonly origins: Origins;
  readonly tokens: Tokens;
  /** Requests of one address in a minute; 0 means no limit. */
  readonly rate_limit: number;
  readonly windows?: Windows;
  readonly proxies?: TrustedProxies | null | undefined;
}

export const simulationPolicy = (rules: SimulationRules): Policy => ({
  allowedHosts: 'any',
  chunked: true,
  middleware: (settings, find) => {
    const { tokens } = rules;
    return [
      crossOrigin(rules, find),
      ...rateLimits(rules.rate_limit, (context) => counted(context, tokens), rules.windows),
      admission(tokens, settings),
      framing(settings),
    ];
  },
  metricNames: simulationMetricNames,
  onAnswered: rules.onAnswered,
});

/** Finds client and route, sets the CORS fields, and answers preflights, which have no token. */
const crossOrigin =
  ({ origins, proxies = null }: SimulationRules, find: Routes['find']): Middleware =>
  (context, next) => {
    const { rawHeaders } = context.req;
    const forwarded = valuesOf(rawHeaders, 'x-forwarded-for');
    if (proxies !== null) context.state.address = proxies.clientOf(context.state.address, forwarded);
    const route = (context.state.route = find(context));
    context.state.template = route.template;
    const preflight = context.method === 'OPTIONS' ? preflightFields(origins, rawHeaders) : null;
    context.set(preflight ?? corsFields(origins, rawHeaders));
    const denial = connectionDenial(rawHeaders);
    if (denial !== null) throw new Denied(denial);
    if (preflight === null) return next();
    context.status = 204;
    return Promise.resolve();
  };

const isDashboard = ({ state: { route } }: Context): boolean => route?.open === true && isPagePath(route.template);

/** Returns the tokens that were sent: that of the Authorization field, and in a handshake those of the subprotocols. */
function tokensSent({ req, state: { bearer, upgrade } }: Context): readonly string[] {
  const own = bearer === null || bearer === '' ? [] : [bearer];
  return upgrade === null ? own : [...own, ...protocolTokens(req.rawHeaders)];
}

/** Returns the actor if there is a token, and every one that was sent is right and of the same owner. All are compared, even after a wrong one. */
function senderOf(sent: readonly string[], tokens: Tokens): Actor | null {
  const [first = null, ...more] = sent.map((token) => tokens(token));
  return more.every((actor) => actor?.name === first?.name) ? first : null;
}

/**
 * Returns the window in which a request counts. Requests without the token have their own, so that they cannot use up what the token's
 * owner may ask; files of the dashboard are not counted.
 */
function counted(context: Context, tokens: Tokens): string | false {
  if (isDashboard(context)) return false;
  const { address, route } = context.state;
  const sender = route?.open === true ? null : senderOf(tokensSent(context), tokens);
  return `${sender === null ? 'other' : `token ${sender.name}`} ${blockOf(address)}`;
}

/** RFC 6750, section 3.1: by this a client tells a token that may not do this from one that is not valid. */
const roleTooLow = { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' } as const;

/** Throws the first denial: 401 without a token, 403 for a wrong one or one whose role is below the endpoint's, 404, 405. */
function admission(tokens: Tokens, settings: Settings): Middleware {
  const wrongTokens = new WrongTokens(settings);
  return (context, next) => {
    const { state } = context;
    const { route } = state;
    if (route === null) throw new TypeError('a request without a route');
    if (!route.open) {
      const sent = tokensSent(context);
      if (sent.length === 0) throw new Denied(tokenRequired);
      state.actor = senderOf(sent, tokens);
      if (state.actor === null)
        throw new Denied(deniedToken(wrongTokens, state.address, { code: 'forbidden', detail: wrong_token }));
      const denied = route.access === null ? null : denialReason(state.actor, route.access);
      if (denied !== null) throw new Denied({ code: 'forbidden', detail: denied, headers: roleTooLow });
    }
    return requireRoute(context, route) ? next() : Promise.resolve();
  };
}

// The CORS fields: which pages of other origins may read responses (Fetch standard, section 3.2). Browser credentials are never
// used.

/** Time for which a browser may cache the response to a preflight. */
const cors_max_age_s = 600;

type Fields = Readonly<Record<string, string>>;

/** `*`, or the permitted origins, each returned by name. */
export type Origins = '*' | readonly string[];

const exposed =
  'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Preference-Applied, Content-Disposition, ETag, X-Request-Id, WWW-Authenticate, Allow';
const permitted: Fields = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer',
  'Access-Control-Max-Age': String(cors_max_age_s),
};

const allowing = (origin: string): Fields => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': exposed,
});

/** Returns the fields for every response. */
export function corsFields(origins: Origins, headers: RawHeaders): Fields {
  if (origins === '*') return allowing('*');
  const [origin = '', ...more] = valuesOf(headers, 'origin');
  // The response is not valid for other origins.
  return { Vary: 'Origin', ...(more.length === 0 && origins.includes(origin) ? allowing(origin) : {}) };
}

/** Returns the fields for the response to a preflight, or null for another OPTIONS request. */
export function preflightFields(origins: Origins, headers: RawHeaders): Fields | null {
  if (['origin', 'access-control-request-method'].some((name) => valuesOf(headers, name).length === 0)) return null;
  const fields = corsFields(origins, headers);
  return 'Access-Control-Allow-Origin' in fields ? { ...fields, ...permitted } : fields;
}
