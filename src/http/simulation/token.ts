/** The one token of the simulation's clients: any client that has it may do everything. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/hash.js';
import type { Actor } from '../core/actor.js';
import { Denied } from '../core/problem.js';
import { tokenRequired, wrong_token } from '../core/tokens.js';

/** The actor in the events that a request records. */
export const apiActor: Actor = { name: 'api', role: 'admin' };

/** Returns a matcher that compares by hashes, in a time that reveals nothing about either text. */
export function tokenMatcher(token: string): (given: string) => boolean {
  const expected = sha256(token);
  return (given) => timingSafeEqual(sha256(given), expected);
}

/** @throws Denied 401 without a token, 403 unless every token that was sent is correct */
export function requireTokens(given: readonly string[], matches: (given: string) => boolean): void {
  if (given.length === 0) throw new Denied(tokenRequired);
  // All are compared, even after a wrong one.
  const right = given.filter((token) => matches(token));
  if (right.length < given.length) throw new Denied({ code: 'forbidden', detail: wrong_token });
}
