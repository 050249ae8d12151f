/** Identifies the owner of a request's token. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import * as fs from 'node:fs';
import { errorCode } from '../../base/refusal.js';
import { sha256 } from '../../base/bytes.js';
import { token_file_bytes_max } from '../../base/limits.js';
import { peopleRoles, type TokenRole } from '../../codec/events/token.js';
import { builtIn } from '../../domain/token.js';
import { type KnownTokens, latestTokens, type RecordedTokens } from '../../tables/tokens.js';
import { dataVersion } from '../../store/database.js';
import type { Home } from '../home/home.js';

export interface TokenOwner {
  readonly name: string;
  readonly role: TokenRole;
  /** There for an agent that may also have missions executed. */
  readonly may_execute?: true;
  /** The approver for whom it acts; absent for none. */
  readonly approver?: string;
}

export type Authenticate = (bearer: string) => TokenOwner | null;

/** A token that is in force, by its owner. */
export interface ActiveToken extends TokenOwner {
  /** SHA-256, 32 bytes. */
  readonly digest: Buffer;
}

export interface ActiveTokens {
  readonly ownerOf: Authenticate;
  /** Returns the token that is in force under a name, or null. */
  readonly byName: (name: string) => ActiveToken | null;
}

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
export function activeTokens(home: Home): ActiveTokens {
  const { apiToken } = home.paths;
  const named = namedTokens(home);
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

const activeOf = ({ byId, doubtful }: RecordedTokens): readonly ActiveToken[] =>
  [...byId.values()].flatMap(({ name, role, may_execute, approver, token_sha256 }) =>
    name === builtIn.name || token_sha256 === null || doubtful.has(name)
      ? []
      : [
          {
            name,
            role,
            ...(may_execute ? { may_execute } : {}),
            ...(approver === null ? {} : { approver }),
            digest: Buffer.from(token_sha256, 'hex'),
          },
        ],
  );

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
