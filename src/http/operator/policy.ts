/**
 * The checks of a request to the operator's server before its handler runs, in order: head (Host first, then framing), body,
 * origin, token, role, path, method. A body is read before anything is refused, so that a client that is still sending does not
 * lose the response.
 */
import { blockOf } from '../core/address-block.js';
import { requireHead, requireKnownExpectation, requireRoute } from '../core/admit.js';
import { isRole, type Actor } from '../core/actor.js';
import { readBody } from '../core/body.js';
import { BodyTurns } from '../core/body-turns.js';
import { DecodeTurns } from '../core/decode-turns.js';
import type { Exchange } from '../core/exchange.js';
import { readHead } from '../core/head.js';
import { after } from '../core/later.js';
import type { Judge, PolicyOf } from '../core/policy.js';
import { challenge, Denied, type Denial } from '../core/problem.js';
import type { Route } from '../core/routes.js';
import type { Settings } from '../core/settings.js';
import { bearerOf, tokenRequired, wrong_token } from '../core/tokens.js';
import { LoginThrottle } from '../core/login-throttle.js';
import { operatorMetricNames } from './metrics.js';
import { isOwnOrigin } from './origin.js';

/** Returns the actor of a token, or null. Compares in constant time. */
export type Tokens = (bearer: string) => Actor | null;

interface OperatorRules {
  readonly tokens: Tokens;
  /** Host names that the server accepts besides the loopback ones, each with or without a port. */
  readonly allowedHosts: readonly string[];
  /** Called with the status of every response. */
  readonly onAnswered: (status: number) => void;
}

export const operatorPolicy =
  ({ tokens, allowedHosts, onAnswered }: OperatorRules): PolicyOf =>
  (settings) => ({
    readHead: (request) => readHead(request, { settings, allowedHosts, chunked: false }),
    judge: judgeOf(tokens, settings),
    clientOf,
    mayRead: (exchange) => isStillAllowed(exchange, tokens),
    metricNames: operatorMetricNames,
    onAnswered,
  });

const clientOf = ({ actor, address }: Exchange): string => actor?.name ?? blockOf(address);

function judgeOf(tokens: Tokens, settings: Settings): Judge {
  const throttle = new LoginThrottle(settings, () => performance.now());
  const turns = new BodyTurns(settings);
  const decodeTurns = new DecodeTurns(settings);
  const read = async (exchange: Exchange, keep: boolean): Promise<Buffer | null> => {
    if (keep) await turns.take(exchange, clientOf(exchange));
    const body = await readBody(exchange, keep, settings);
    await decodeTurns.take(exchange, body);
    return body;
  };
  return (exchange, context, find) => {
    requireHead(exchange);
    requireKnownExpectation(exchange);
    const route = find(context.method, context.path);
    exchange.route = route.endpoint?.path ?? '';
    const isPublicRead = route.open && !exchange.head.mutation;
    requirePublicBody(route, exchange, settings);
    const credentials = isPublicRead ? anybody : readCredentials(exchange, tokens);
    exchange.actor = credentials.actor;
    const keep = credentials.ownOrigin && (route.open || credentials.actor !== null);
    return after(exchange.head.mutation ? read(exchange, keep) : null, (body) => {
      admit(route, credentials, exchange, throttle);
      return { route, body };
    });
  };
}

/** @throws Denied 413 for more than an endpoint without a token can want: anybody may send it */
function requirePublicBody({ open }: Route, { head }: Exchange, { public_body_bytes_max }: Settings): void {
  if (!open || (head.length ?? 0) <= public_body_bytes_max) return;
  throw new Denied({ code: 'too_large', detail: `the body has more than ${public_body_bytes_max} bytes`, close: true });
}

/** The part of the head that identifies the client, known before a body is read. */
interface Credentials {
  readonly ownOrigin: boolean;
  readonly actor: Actor | null;
  /** Whether an unknown token was sent. */
  readonly wrong: boolean;
}

function readCredentials({ request, head }: Exchange, tokens: Tokens): Credentials {
  const ownOrigin = !head.mutation || isOwnOrigin(request.rawHeaders, head.host);
  const bearer = bearerOf(request.rawHeaders);
  const actor = bearer === null || bearer === '' ? null : tokens(bearer);
  return { ownOrigin, actor, wrong: bearer !== null && actor === null };
}

/** The credentials on a public endpoint, where tokens are not read. */
const anybody: Credentials = { ownOrigin: true, actor: null, wrong: false };

/** Throws the first denial. */
function admit(route: Route, credentials: Credentials, exchange: Exchange, throttle: LoginThrottle): void {
  const { actor } = credentials;
  const { auth } = route.endpoint ?? {};
  if (!credentials.ownOrigin) forbid('the request comes from a page with another origin');
  if (!route.open && actor === null) throw new Denied(unauthorized(credentials, exchange.address, throttle));
  if (auth !== undefined && auth !== 'public' && (actor === null || !isRole(actor.role, auth))) {
    forbid(`this needs a token of the role ${auth}`);
  }
  requireRoute(route, exchange.request.method ?? '');
}

function forbid(detail: string): never {
  throw new Denied({ code: 'forbidden', detail });
}

function unauthorized({ wrong }: Credentials, address: string, throttle: LoginThrottle): Denial {
  if (!wrong) return tokenRequired;
  const wait_s = throttle.failed(address);
  if (wait_s === 0) return { code: 'unauthorized', detail: wrong_token, headers: challenge };
  return { code: 'too_many_requests', detail: 'too many failed logins', headers: { 'Retry-After': String(wait_s) } };
}

/**
 * Returns whether the request's token still belongs to the same actor in the same role. Tokens that cannot be read belong to
 * nobody.
 */
function isStillAllowed(exchange: Exchange, tokens: Tokens): boolean {
  const { actor } = exchange;
  if (actor === null) return true;
  try {
    const now = readCredentials(exchange, tokens).actor;
    return now?.name === actor.name && now.role === actor.role;
  } catch {
    return false;
  }
}
