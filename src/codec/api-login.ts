/** Signing in with a login code, as the operator's HTTP API takes and returns it. */
import { flag, object, required, text } from './kit.js';
import { time } from './scalars.js';

/** The pattern is not checked: a text that cannot be a code is a wrong code like any other. */
export const loginBody = object('Login', { code: required(text({ min: 1, max: 128 })) });

export const loginSessionCodec = object('LoginSession', {
  /** A bearer token, valid until then or until the daemon ends. */
  token: required(text({ pattern: /^[A-Za-z0-9_-]{43}$/ })),
  expires_at: required(time),
});

export const loginCodeCodec = object('LoginCode', {
  /** Opens one session, once. */
  code: required(text({ pattern: /^[A-Za-z0-9_-]{22}$/ })),
  expires_at: required(time),
});

export const logoutCodec = object('Logout', {
  /** False for a token that is not a session: it stays valid. */
  ended: required(flag),
});
