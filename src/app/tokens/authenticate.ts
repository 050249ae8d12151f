/** Identifies the owner of a request's token or session. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import * as fs from 'node:fs';
import { errorCode, RefusalError } from '../../base/refusal.js';
import { sha256, sha256Hex } from '../../base/bytes.js';
import { oldestOfMost } from '../../base/gate.js';
import { token_file_bytes_max } from '../../base/limits.js';
import { peopleRoles, type TokenOwner } from '../../codec/events/token.js';
import { builtIn, type Token } from '../../domain/token.js';
import { type KnownTokens, latestTokens } from '../../tables/tokens.js';
import { dataVersion } from '../../store/database.js';
import { formatTime } from '../../base/time.js';
import { type Home, monotonic, type World } from '../home/home.js';

export type Authenticate = (bearer: string) => TokenOwner | null;

/** A token that is in force, by its owner. */
export interface ActiveToken extends TokenOwner {
  /** SHA-256, 32 bytes. */
  readonly digest: Buffer;
}

export type ActiveTokens = Readonly<ReturnType<typeof activeTokens>>;

/** Returns a function that finds the person whose named token a text is: not the token of api.token, and no role but those of people. */
export function namedAuthenticator(home: Home): Authenticate {
  const { ownerOf } = activeTokens(home);
  const peoples: readonly string[] = peopleRoles;
  return (bearer) => {
    const owner = ownerOf(bearer);
    return owner === null || owner.name === builtIn.name || !peoples.includes(owner.role) ? null : owner;
  };
}

/**
 * Returns the tokens that are in force at the moment of each call: the one in api.token, and the active named tokens, whichever
 * process changed them. `ownerOf` compares the digest of the given text with that of every token, found or not, so the time taken
 * reveals nothing about them.
 * @throws RefusalError `integrity`, at a call, when the tokens do not match the journal's signed entries
 */
export function activeTokens(home: Home) {
  const { apiToken } = home.paths;
  const named = namedTokens(home);
  /** Returns the token that is in force under a name, or null. */
  const byName = (name: string): ActiveToken | null => {
    if (name !== builtIn.name) return named().find((token) => token.name === name) ?? null;
    const digest = tokenDigestIn(apiToken);
    return digest === null ? null : { ...builtIn, digest };
  };
  const ownerOf: Authenticate = (bearer) => {
    // One hash of at most 43 characters, whatever the input.
    const isText = isTokenText(bearer);
    const given = sha256(isText ? bearer : '');
    const file = tokenDigestIn(apiToken);
    let owner: TokenOwner | null = null;
    for (const { digest, ...holder } of named()) {
      if (timingSafeEqual(given, digest)) owner = holder;
    }
    if (file !== null && timingSafeEqual(given, file)) owner = builtIn;
    return isText ? owner : null;
  };
  return { ownerOf, byName };
}

/**
 * Returns a reader of the active named tokens. It looks for changes after this connection appended (the head) or another one
 * committed (`data_version`).
 */
function namedTokens({ db, writer }: Home): () => readonly ActiveToken[] {
  let known: KnownTokens | null = null;
  let candidates: readonly ActiveToken[] = [];
  let readAt: { readonly version: number | undefined; readonly head: string } | null = null;
  return () => {
    const now = { version: dataVersion(db), head: writer.head.hash };
    if (readAt?.version === now.version && readAt?.head === now.head) return candidates;
    const before = known?.tokens;
    // Another connection may have changed a row: all are compared again.
    const kept = readAt?.version === now.version ? known : null;
    // After a refusal the next call reads again.
    readAt = null;
    known = latestTokens(db, kept);
    if (known.tokens !== before) candidates = activeOf(known.tokens);
    readAt = now;
    return candidates;
  };
}

const activeOf = (tokens: readonly Token[]): readonly ActiveToken[] =>
  tokens
    .filter(({ name }) => name !== builtIn.name)
    .map(({ name, role, may_execute, approver, token_sha256 }) => ({
      name,
      role,
      ...(may_execute ? { may_execute } : {}),
      ...(approver === null ? {} : { approver }),
      digest: Buffer.from(token_sha256 ?? '', 'hex'),
    }));

const gone = ['ENOENT', 'ELOOP', 'EACCES'];

/** Returns the SHA-256 of the token that a file holds now, or null when it holds none. */
export function tokenDigestIn(file: string): Buffer | null {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (!gone.includes(errorCode(error))) throw error;
    return null;
  }
  try {
    const stat = fs.fstatSync(fd);
    const text = stat.isFile() && stat.size <= token_file_bytes_max ? fs.readFileSync(fd, 'latin1') : '';
    // Editors end a file with a line feed.
    const token = text.replace(/\r?\n$/, '');
    return isTokenText(token) ? sha256(token) : null;
  } finally {
    fs.closeSync(fd);
  }
}

/** The text of an access token: 32 random bytes in base64url (RFC 4648, section 5), 43 characters. */
const token_bytes = 32;
const token_chars = 43;
const form = /^[A-Za-z0-9_-]*$/;

export const newToken = (): string => randomBytes(token_bytes).toString('base64url');
export const isTokenText = (text: string): boolean => text.length === token_chars && form.test(text);

// The actor that a request's events record for the holder of a token.

/** Returns the actor of a token by its name; the holder of api.token is the same actor as on the command line. */
export const actorOfToken = (name: string): string => (name === builtIn.name ? 'operator' : name);

/** The name of the token in api.token. */
export const builtInToken = builtIn.name;

/** Returns the name of the token that an actor holds. */
export const tokenOfActor = (actor: string): string => (actor === actorOfToken(builtIn.name) ? builtIn.name : actor);

// Login codes, and the sessions that they open. A code opens one session, once. Only this process knows both, by their
// SHA-256, and end with it. A session acts for the owner of a token, and ends when that token is replaced or revoked. One that was made
// by another session ends no later than that one, and with its sign-out.

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

export interface OpenedSession {
  /** 43 characters, shown once. */
  readonly token: string;
  readonly expires_at: string;
}

/** A session, or why there is none: the code is not valid, or too many were not and new ones are refused for `wait_ms`. */
export type SessionOutcome = OpenedSession | { readonly wait_ms: number | null };

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
   * Issues a code of 22 characters, which is shown once, for a session of the owner of a token.
   * @param bearer what the request for the code carries: a session's token, or another one
   * @throws RefusalError when no token is in force under this name
   */
  issue(name: string, place: LoginPlace, bearer: string | null = null) {
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
  open(code: string, place: LoginPlace | null): SessionOutcome {
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

  private refuse(): SessionOutcome {
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

/** Adds an item. When there are too many, the oldest one goes of whoever has the most. */
export function keep<A extends Pick<Grant, 'token'>>(map: Map<string, A>, key: string, item: A, max: number): void {
  map.set(key, item);
  const oldest = oldestOfMost([...map], ([, { token }]) => token.name);
  if (map.size > max && oldest !== undefined) map.delete(oldest[0]);
}
