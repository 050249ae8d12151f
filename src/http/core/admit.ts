/** May this request go on? Origin, token, role, path, method, judged in this order. */
import { isRole, type Actor } from './actor.js';
import type { Exchange } from './exchange.js';
import { challenge, Denied, type Denial } from './problem.js';
import type { LoginThrottle } from './login-throttle.js';
import { isOwnOrigin } from './origin.js';
import type { Route } from './routes.js';
import { bearerOf } from './tokens.js';

/** The actor of a token, or null. Compares in constant time. */
export type Tokens = (bearer: string) => Actor | null;

/** What the head says about who asks, known before a body is read. */
export interface Credentials {
  readonly ownOrigin: boolean;
  readonly actor: Actor | null;
  /** A token was sent, and it is not known. */
  readonly wrong: boolean;
}

export function readCredentials({ request, head }: Exchange, tokens: Tokens): Credentials {
  const ownOrigin = !head.mutation || isOwnOrigin(request.rawHeaders, head.host);
  const bearer = bearerOf(request.rawHeaders);
  const actor = bearer === null || bearer === '' ? null : tokens(bearer);
  return { ownOrigin, actor, wrong: bearer !== null && actor === null };
}

/** Where anybody may read, no token is looked at. */
export const anybody: Credentials = { ownOrigin: true, actor: null, wrong: false };

/** Throws the first denial. */
export function admit(route: Route, credentials: Credentials, exchange: Exchange, throttle: LoginThrottle): void {
  const { actor } = credentials;
  const { auth } = route.endpoint ?? {};
  if (!credentials.ownOrigin) deny('forbidden', 'the request comes from a page of another origin');
  if (!route.open && actor === null) throw new Denied(unauthorized(credentials, exchange.address, throttle));
  if (auth !== undefined && auth !== 'public' && (actor === null || !isRole(actor.role, auth))) {
    deny('forbidden', `this needs a token of the role ${auth}`);
  }
  if (route.allow.length === 0) deny('not_found', 'there is nothing at this path');
  if (route.endpoint === null && exchange.request.method !== 'OPTIONS') {
    const detail = 'this path does not know the method; Allow names those that it knows';
    throw new Denied({ code: 'method_not_allowed', detail, headers: { Allow: route.allow.join(', ') } });
  }
}

function deny(code: Denial['code'], detail: string): never {
  throw new Denied({ code, detail });
}

function unauthorized({ wrong }: Credentials, address: string, throttle: LoginThrottle): Denial {
  if (!wrong) return { code: 'unauthorized', detail: 'an access token is required', headers: challenge };
  const wait_s = throttle.failed(address);
  if (wait_s === 0) return { code: 'unauthorized', detail: 'the access token is not valid', headers: challenge };
  return { code: 'too_many_requests', detail: 'too many failed logins', headers: { 'Retry-After': String(wait_s) } };
}
