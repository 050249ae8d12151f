/** Access tokens as commands print them: names, roles and times, never the token's text. */
import type * as t from 'io-ts';
import { choice, flag, list, nullable, object, optional, required, text } from './kit.js';
import { time } from './scalars.js';
import { tokenRole } from './events/token.js';

const tokenRecordCodec = object('Token', {
  name: required(text()),
  role: required(tokenRole),
  state: required(choice('active', 'revoked')),
  /** The approver for whom it acts; absent for none. */
  approver: optional(text()),
  /** Whether an agent may also have missions executed; absent where it may not. */
  may_execute: optional(choice(true)),
  /** Null for the built-in token, which `init` or somebody by hand wrote. */
  created_at: required(nullable(time)),
  /** Time of its newest event; null for a built-in token that was never rotated. */
  changed_at: required(nullable(time)),
});
export type TokenRecord = t.TypeOf<typeof tokenRecordCodec>;

const tokenListCodec = object('TokenList', { items: required(list(tokenRecordCodec, 0, Number.MAX_SAFE_INTEGER)) });
export type TokenList = t.TypeOf<typeof tokenListCodec>;

// Signing in with a login code, as the operator's HTTP API takes and returns it.

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
