/** Signing in with a one-time code, codes for further tabs, and signing out. Only loopback clients can use codes. */
import { type LoginPlace, type Sessions, tokenOfActor } from '../../app/tokens/authenticate.js';
import { isLoopbackAddress, isLoopbackHost } from '../../base/loopback.js';
import { loginBody, loginCodeCodec, loginSessionCodec, logoutCodec } from '../../codec/api-tokens.js';
import { type Client, endpoint, type Endpoint, json, jsonEndpoint, problem } from '../core/endpoint.js';
import { challenge, Denied } from '../core/problem.js';
import { hostName } from './operator.js';

export const loginEndpoints = (sessions: Sessions): readonly Endpoint[] => [
  jsonEndpoint({
    route: 'POST /api/login',
    auth: 'public',
    summary: 'Exchange a one-time login code for the token of a session, which lasts twelve hours at most',
    body: loginBody,
    responses: {
      200: { description: 'The session', body: loginSessionCodec },
      401: problem('The code is not valid: unknown, used, expired, or issued for another host'),
      429: problem('Ten wrong codes in a minute; every unused code is void'),
    },
    handle: ({ body, client }) => {
      const opened = sessions.open(body.code, placeOf(client));
      if ('token' in opened) return json(200, opened);
      if (opened.wait_ms === null) throw new Denied({ code: 'unauthorized', detail: wrong_code, headers: challenge });
      const headers = { 'Retry-After': String(Math.max(1, Math.ceil(opened.wait_ms / 1_000))) };
      throw new Denied({ code: 'too_many_requests', detail: 'too many wrong login codes; every unused code is void', headers });
    },
  }),
  endpoint({
    route: 'POST /api/login-code',
    auth: 'viewer',
    summary: 'Issue a one-time login code for another tab, for the same name and role; valid for two minutes, only on loopback',
    responses: { 200: { description: 'The code', body: loginCodeCodec } },
    handle: (input) => {
      const place = placeOf(input.client);
      if (place === null) throw new Denied(notLoopback);
      return json(200, sessions.issue(tokenOfActor(input.actor.name), place, input.client.bearer));
    },
  }),
  endpoint({
    route: 'POST /api/logout',
    auth: 'viewer',
    summary: 'End the session of this token and all sessions that it made; a token that is not a session stays valid',
    responses: { 200: { description: 'Whether a session was ended', body: logoutCodec } },
    handle: ({ client }) => json(200, { ended: client.bearer !== null && sessions.end(client.bearer) }),
  }),
];

const wrong_code = 'the login code is not valid';

/** Returns where a request comes from; null for another machine. An IPv4 client of a server that listens on IPv6 has a mapped address. */
function placeOf({ address, host }: Client): LoginPlace | null {
  if (!isLoopbackAddress(address.replace(/^::ffff:(?=[0-9.]+$)/i, ''))) return null;
  const name = hostName(host);
  return isLoopbackHost(name) ? 'localhost' : name;
}

const notLoopback = { code: 'forbidden', detail: 'login codes work only on a loopback address' } as const;
