/** The one token of the simulation's clients: any client that has it may do everything. Also who may ask how often. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/hash.js';
import type { Actor } from '../core/actor.js';
import type { LoginThrottle } from '../core/login-throttle.js';
import { Denied, type Denial } from '../core/problem.js';
import { tokenRequired, wrong_token } from '../core/tokens.js';
import type { RateLimiter, Taken } from './rate-limit.js';

/** The actor in the events that a request records. */
export const apiActor: Actor = { name: 'api', role: 'admin' };

/** Returns a matcher that compares by hashes, in a time that reveals nothing about either text. */
export function tokenMatcher(token: string): (given: string) => boolean {
  const expected = sha256(token);
  return (given) => timingSafeEqual(sha256(given), expected);
}

interface Budgets {
  readonly matches: (given: string) => boolean;
  /** Requests with the token. */
  readonly known: RateLimiter;
  /** All other requests, so that they cannot use up what the token's owner may ask. */
  readonly others: RateLimiter;
  /** Wrong tokens, which are limited whatever the other two are. */
  readonly failures: LoginThrottle;
}

export class TokenGate {
  constructor(private readonly budgets: Budgets) {}

  /** Counts a request to a public path, whatever token it has. */
  takeOpen(address: string): Taken {
    return this.budgets.others.take(address);
  }

  /** Counts a request. The denial is 429 beyond a limit, 401 without a token, 403 unless every token that was sent is correct. */
  take(address: string, given: readonly string[]): Taken {
    const { matches, known, others } = this.budgets;
    // All are compared, even after a wrong one.
    const right = given.filter((token) => matches(token));
    if (given.length > 0 && right.length === given.length) return known.take(address);
    const taken = others.take(address);
    if (taken.denial !== null) return taken;
    return { ...taken, denial: given.length === 0 ? tokenRequired : this.failed(address) };
  }

  private failed(address: string): Denial {
    const wait_s = this.budgets.failures.failed(address);
    if (wait_s === 0) return { code: 'forbidden', detail: wrong_token };
    return { code: 'too_many_requests', detail: 'too many wrong tokens', headers: { 'Retry-After': String(wait_s) } };
  }

  /** The number of addresses whose requests are counted. */
  get addresses(): number {
    return this.budgets.known.addresses() + this.budgets.others.addresses();
  }
}

/** @throws Denied if a limit or a token denies it; the fields are for the response in either case */
export function requireTaken({ denial }: Taken): void {
  if (denial !== null) throw new Denied(denial);
}
