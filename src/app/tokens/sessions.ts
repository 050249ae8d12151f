/**
 * Login codes, and the sessions that they open. A code opens one session, once. Only this process knows both, by their
 * SHA-256, and end with it. A session acts for the owner of a token, and ends when that token is replaced or revoked. One that was made
 * by another session ends no later than that one, and with its sign-out.
 */
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../base/bytes.js';
import { RefusalError } from '../../base/refusal.js';
import { formatTime } from '../../base/time.js';
import { monotonic, type World } from '../home/home.js';
import { type ActiveToken, type ActiveTokens, isTokenText, newToken, type TokenOwner } from './authenticate.js';

/** A login code: its random bytes, how long it is valid, and how many unused ones are kept. Every tab that is signed in gives a new tab one. */
const login_code_bytes = 16;
const login_code_ms_max = 120_000;
export const login_codes_max = 64;
/** Wrong login codes within `wrong_logins_ms` that void every unused code. */
const wrong_logins_max = 10;
const wrong_logins_ms = 60_000;
/** A session that a login code opened. */
const session_ms_max = 43_200_000;
export const sessions_max = 100;

/** Where a login code may be used: by a client of this machine, under this host name; `localhost` stands for every loopback one. */
export type LoginPlace = string;

interface IssuedCode {
  /** 22 characters of base64url, shown once. */
  readonly code: string;
  readonly expires_at: string;
}

export interface OpenedSession {
  /** 43 characters, shown once. */
  readonly token: string;
  readonly expires_at: string;
}

/** A session, or why there is none: the code is not valid, or too many were not and new ones are refused for `wait_ms`. */
export type Opened = OpenedSession | { readonly wait_ms: number | null };

/** Until when something is valid, by both clocks: setting one of them, or suspending the machine, prolongs nothing. */
export interface Period {
  readonly monotonic_ms: number;
  readonly clock_ms: number;
}

interface Grant {
  /** The token for whose owner it acts. */
  readonly token: ActiveToken;
  readonly until: Period;
  /** The key of the session that made it, or null. */
  readonly maker: string | null;
}

interface CodeGrant extends Grant {
  readonly place: LoginPlace;
  /** When the session that it opens ends at the latest. */
  readonly session_until: Period | null;
}

export class Sessions {
  private readonly codes = new Map<string, CodeGrant>();
  private readonly sessions = new Map<string, Grant>();
  /** Times of the newest wrong codes, in ms of the monotonic clock. */
  private wrong: readonly number[] = [];

  constructor(
    private readonly world: World,
    private readonly tokens: Pick<ActiveTokens, 'byName'>,
  ) {}

  /**
   * Issues a code for a session of the owner of a token.
   * @param bearer what the request for the code carries: a session's token, or another one
   * @throws RefusalError when no token is in force under this name
   */
  issue(name: string, place: LoginPlace, bearer: string | null = null): IssuedCode {
    const token = this.tokens.byName(name);
    if (token === null) throw new RefusalError('unauthorized', 'the token of this name is no longer valid');
    const code = randomBytes(login_code_bytes).toString('base64url');
    const key = bearer === null ? null : sha256Hex(bearer);
    const made = key === null ? undefined : this.sessions.get(key);
    const session_until = made?.until ?? null;
    const until = earlier(this.periodOf(login_code_ms_max), session_until);
    const maker = made === undefined ? null : key;
    keep(this.codes, sha256Hex(code), { token, until, place, session_until, maker }, login_codes_max);
    return { code, expires_at: formatTime(until.clock_ms) };
  }

  /** Opens a session with a code, which is used up. Every failure but too many of them looks the same. */
  open(code: string, place: LoginPlace | null): Opened {
    const key = sha256Hex(code);
    const grant = this.codes.get(key);
    if (grant === undefined || grant.place !== place) return this.refuse();
    this.codes.delete(key);
    if (!this.isInForce(grant)) return this.refuse();
    const token = newToken();
    const until = earlier(this.periodOf(session_ms_max), grant.session_until);
    keep(this.sessions, sha256Hex(token), { token: grant.token, until, maker: grant.maker }, sessions_max);
    return { token, expires_at: formatTime(until.clock_ms) };
  }

  /** Returns for whom the session of a token acts, or null when there is none any more. */
  ownerOf(bearer: string): TokenOwner | null {
    if (this.sessions.size === 0 || !isTokenText(bearer)) return null;
    const key = sha256Hex(bearer);
    const grant = this.sessions.get(key);
    if (grant === undefined) return null;
    const { digest: _1, ...owner } = grant.token;
    if (this.isInForce(grant)) return owner;
    this.sessions.delete(key);
    return null;
  }

  /** Ends the session of a token, and all that it made. Returns whether there was one. */
  end(bearer: string): boolean {
    const key = sha256Hex(bearer);
    if (!this.sessions.delete(key)) return false;
    const ended = new Set<string | null>([key]);
    // A session stands behind the one that made it.
    for (const [each, { maker }] of this.sessions)
      if (ended.has(maker)) {
        ended.add(each);
        this.sessions.delete(each);
      }
    for (const [each, { maker }] of this.codes) if (ended.has(maker)) this.codes.delete(each);
    return true;
  }

  private refuse(): Opened {
    const now = monotonic(this.world);
    this.wrong = [...this.wrong.filter((at) => now - at < wrong_logins_ms), now].slice(-wrong_logins_max);
    if (this.wrong.length < wrong_logins_max) return { wait_ms: null };
    this.codes.clear();
    return { wait_ms: wrong_logins_ms - (now - (this.wrong[0] ?? now)) };
  }

  private isInForce(grant: Grant): boolean {
    return isInForce(this.world, this.tokens, grant);
  }

  private periodOf(ms: number): Period {
    return periodOf(this.world, ms);
  }
}

export const periodOf = (world: World, ms: number): Period => ({
  monotonic_ms: monotonic(world) + ms,
  clock_ms: world.clock() + ms,
});

/** Returns whether the time of a grant is not over, and the token for whose owner it acts is the same. */
export function isInForce(
  world: World,
  tokens: Pick<ActiveTokens, 'byName'>,
  { token, until }: { readonly token: ActiveToken; readonly until: Period },
): boolean {
  if (monotonic(world) >= until.monotonic_ms || world.clock() >= until.clock_ms) return false;
  const now = tokens.byName(token.name);
  return now !== null && now.role === token.role && now.digest.equals(token.digest);
}

/** Returns the period that ends first, by each clock. */
const earlier = (a: Period, b: Period | null): Period =>
  b === null ? a : { monotonic_ms: Math.min(a.monotonic_ms, b.monotonic_ms), clock_ms: Math.min(a.clock_ms, b.clock_ms) };

/** Adds an item; the oldest one goes when there are too many. */
export function keep<A>(map: Map<string, A>, key: string, item: A, max: number): void {
  map.set(key, item);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
