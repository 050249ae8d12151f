/** The one token of the simulation's clients: whoever has it may do everything. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/hash.js';
import type { Actor } from '../core/actor.js';
import { bearerOf } from '../core/tokens.js';
import { challenge, Denied } from '../core/problem.js';
import type { RawHeaders } from '../core/headers.js';

/** Stands in the events that a request records. */
export const apiActor: Actor = { name: 'api', role: 'admin' };

/** Compares by hashes, in a time that says nothing about either text. */
export function tokenMatcher(token: string): (given: string) => boolean {
  const expected = sha256(token);
  return (given) => timingSafeEqual(sha256(given), expected);
}

/** @throws Denied 401 without a bearer token, 403 with a wrong one */
export function requireBearer(headers: RawHeaders, matches: (given: string) => boolean): Actor {
  const given = bearerOf(headers);
  if (given === null || given === '') {
    throw new Denied({ code: 'unauthorized', detail: 'an access token is required', headers: challenge });
  }
  if (!matches(given)) throw new Denied({ code: 'forbidden', detail: 'the access token is not valid' });
  return apiActor;
}
