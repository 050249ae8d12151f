/** Identifies the owner of a request's token. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/hash.js';
import type { TokenRole } from '../../codec/events/token.js';
import { builtIn } from '../../domain/token.js';
import { recordedTokens } from '../../rows/tools.js';
import { dataVersionOf } from '../home/data-version.js';
import type { Home } from '../home/home.js';
import { tokenFileReader } from './token-file.js';
import { isTokenText } from './token-text.js';

export interface TokenOwner {
  readonly name: string;
  readonly role: TokenRole;
}

export type Authenticate = (bearer: string) => TokenOwner | null;

interface Candidate extends TokenOwner {
  /** SHA-256, 32 bytes. */
  readonly digest: Buffer;
}

/**
 * Returns a function that finds the owner of `bearer`: the token in api.token, or a named token that is active at this moment,
 * whichever process changed it. The digest of the given text is compared with that of every token, found or not, so the time
 * taken reveals nothing about them.
 * @throws RefusalError `integrity` when the tokens do not match the journal's signed entries
 */
export function authenticator(home: Home): Authenticate {
  const fileDigest = tokenFileReader(home.paths.apiToken);
  const named = namedTokens(home);
  return (bearer) => {
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
}

/**
 * Returns a reader of the active named tokens. It reads them again after this connection appended (the head) or another one
 * committed (`data_version`).
 */
function namedTokens({ db, writer }: Home): () => readonly Candidate[] {
  const version = dataVersionOf(db);
  let candidates: readonly Candidate[] = [];
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
