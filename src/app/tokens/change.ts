/** Creates, rotates and revokes tokens. A token's text is returned once, and only its SHA-256 is recorded. */
import * as path from 'node:path';
import { sha256Hex } from '../../base/hash.js';
import type { Result } from '../../base/result.js';
import type { TokenRole } from '../../codec/events/token.js';
import type { TokenRecord } from '../../codec/api-tokens.js';
import {
  builtIn,
  decideCreate,
  decideRevoke,
  decideRotate,
  tokenStream,
  type Token,
  type TokenEvent,
} from '../../domain/token.js';
import { recordEvents } from '../../journal/stream.js';
import { fileError, removeTemporaries, replaceFile } from '../../home/files.js';
import { recordedTokens } from '../../rows/tools.js';
import type { Home } from '../home/home.js';
import { activeNamed, tokenRecord } from './records.js';
import { newToken } from './token-text.js';

export interface IssuedToken {
  readonly name: string;
  readonly role: TokenRole;
  /** 43 characters, shown only once. */
  readonly token: string;
}

type Decide = (tokens: ReadonlyMap<string, Token>) => Result<readonly TokenEvent[]>;

/** Records the decision and returns the token in its new state. */
function record(home: Home, name: string, decide: Decide, effect: () => void = () => undefined): Promise<Token | null> {
  return home.transact((tx) => {
    recordEvents(tx, tokenStream, name, decide(recordedTokens(tx.db).byId));
    const token = recordedTokens(tx.db).byId.get(name) ?? null;
    effect();
    return token;
  });
}

const issued = (token: string, made: Token | null): IssuedToken => ({
  name: made?.name ?? builtIn.name,
  role: made?.role ?? builtIn.role,
  token,
});

export async function createToken(home: Home, name: string, role: TokenRole, actor: string): Promise<IssuedToken> {
  const token = newToken();
  const asked = { name, role, token_sha256: sha256Hex(token), actor };
  const made = await record(home, name, (tokens) => decideCreate(tokens.get(name) ?? null, asked, activeNamed(tokens)));
  return issued(token, made);
}

/**
 * Replaces a token; the old one stops working with the commit. For the built-in token, api.token is replaced within the
 * transaction, after its event was added: a kill leaves the old file without an event, or the new file without an entry about it.
 */
export async function rotateToken(home: Home, name: string, actor: string): Promise<IssuedToken> {
  const token = newToken();
  const asked = { name, token_sha256: sha256Hex(token), actor };
  const replace = (): void => replaceTokenFile(home.paths.apiToken, token);
  const effect = name === builtIn.name ? replace : undefined;
  const made = await record(home, name, (tokens) => decideRotate(tokens.get(name) ?? null, asked), effect);
  return issued(token, made);
}

function replaceTokenFile(file: string, token: string): void {
  try {
    replaceFile(file, Buffer.from(token));
  } catch (error) {
    removeTemporaries(path.dirname(file), [path.basename(file)]);
    throw fileError(error, file);
  }
}

export async function revokeToken(home: Home, name: string, actor: string): Promise<TokenRecord> {
  await record(home, name, (tokens) => decideRevoke(tokens.get(name) ?? null, { name, actor }));
  return tokenRecord(home, name);
}
