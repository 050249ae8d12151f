/** Identifies the owner of a request's token. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/hash.js';
import type { TokenRole } from '../../codec/events/token.js';
import { builtIn } from '../../domain/token.js';
import { recordedTokens } from '../../rows/tools.js';
import { dataVersionOf } from '../../store/data-version.js';
import type { Home } from '../home/home.js';
import { tokenFileReader } from './token-file.js';
import { isTokenText } from './token-text.js';

export interface TokenOwner {
  readonly name: string;
  readonly role: TokenRole;
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

/** Returns a function that finds the owner of a token. */
export const authenticator = (home: Home): Authenticate => activeTokens(home).ownerOf;

/**
 * Returns the tokens that are in force at the moment of each call: the one in api.token, and the active named tokens, whichever
 * process changed them. `ownerOf` compares the digest of the given text with that of every token, found or not, so the time taken
 * reveals nothing about them.
 * @throws RefusalError `integrity`, at a call, when the tokens do not match the journal's signed entries
 */
export function activeTokens(home: Home): ActiveTokens {
  const fileDigest = tokenFileReader(home.paths.apiToken);
  const named = namedTokens(home);
  const byName = (name: string): ActiveToken | null => {
    if (name !== builtIn.name) return named().find((token) => token.name === name) ?? null;
    const digest = fileDigest();
    return digest === null ? null : { ...builtIn, digest };
  };
  const ownerOf: Authenticate = (bearer) => {
    // One hash of at most 43 characters, whatever the input.
    const isText = isTokenText(bearer);
    const given = sha256(isText ? bearer : '');
    const file = fileDigest();
    let owner: TokenOwner | null = null;
    for (const { digest, name, role } of named()) {
      if (timingSafeEqual(given, digest)) owner = { name, role };
    }
    if (file !== null && timingSafeEqual(given, file)) owner = builtIn;
    return isText ? owner : null;
  };
  return { ownerOf, byName };
}

/**
 * Returns a reader of the active named tokens. It reads them again after this connection appended (the head) or another one
 * committed (`data_version`).
 */
function namedTokens({ db, writer }: Home): () => readonly ActiveToken[] {
  const version = dataVersionOf(db);
  let candidates: readonly ActiveToken[] = [];
  let readAt: { readonly version: unknown; readonly head: string } | null = null;
  return () => {
    const now = { version: version.now(), head: writer.head.hash };
    if (readAt?.version === now.version && readAt?.head === now.head) return candidates;
    // After a refusal the next call reads again.
    readAt = null;
    const { byId, doubtful } = recordedTokens(db);
    candidates = [...byId.values()].flatMap(({ name, role, token_sha256 }) =>
      name === builtIn.name || token_sha256 === null || doubtful.has(name)
        ? []
        : [{ name, role, digest: Buffer.from(token_sha256, 'hex') }],
    );
    readAt = now;
    return candidates;
  };
}
