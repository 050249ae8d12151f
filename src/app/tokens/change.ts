/**
 * Creates, rotates and revokes tokens. A token's text is shown once, and only its SHA-256 is recorded. It is shown inside the transaction,
 * before the commit: a kill leaves a shown token that is not valid, never a valid one that nobody saw.
 */
import * as path from 'node:path';
import { Fault, RecordedFault, RefusalError, refuse, type Result, UnknownOutcome } from '../../base/refusal.js';
import { sha256Hex } from '../../base/bytes.js';
import type { TokenList, TokenRecord } from '../../codec/api-tokens.js';
import type { TokenRole } from '../../codec/events/token.js';
import {
  builtIn,
  decideCreate,
  decideRevoke,
  decideRotate,
  type Token,
  type TokenEvent,
  tokenStream,
} from '../../domain/token.js';
import { fileError, removeTemporaries, replaceFile } from '../../home/files.js';
import { readRegularFile } from '../../home/regular-file.js';
import { recordEvents } from '../../journal/stream.js';
import type { Db } from '../../store/database.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { readToken, recordedTokens } from '../../tables/tokens.js';
import type { Home } from '../home/home.js';
import { newToken } from './authenticate.js';
import { knownNames } from '../home/via.js';

export interface IssuedToken {
  readonly name: string;
  readonly role: TokenRole;
  /** 43 characters, shown only once. */
  readonly token: string;
}

type Decide = (token: Token | null, db: Db) => Result<readonly TokenEvent[]>;

/** Records the decision and returns the token in its new state, with which `effect` is called before the commit. */
const record = (
  home: Home,
  name: string,
  decide: Decide,
  effect: (token: Token | null) => void = () => undefined,
): Promise<Token | null> =>
  home.transact((tx) => {
    recordEvents(tx, tokenStream, name, decide(readToken(tx.db, name), tx.db));
    const token = readToken(tx.db, name);
    effect(token);
    return token;
  });

/** Shows a new token to whoever asked for it; throws when that fails, so that the token does not become valid. */
type Show = (issued: IssuedToken) => void;
const showNothing: Show = () => undefined;

interface TokenOptions {
  /** The approver for whom it acts. */
  readonly approver?: string | undefined;
  /** Whether an agent may also have missions executed. */
  readonly mayExecute?: boolean | undefined;
}

/** @param show prints the token before it is valid; a caller that only needs the returned token leaves it out */
export function createToken(
  home: Home,
  name: string,
  role: TokenRole,
  actor: string,
  show = showNothing,
  { approver, mayExecute = false }: TokenOptions = {},
): Promise<IssuedToken> {
  const token = newToken();
  const asked = { name, role, token_sha256: sha256Hex(token), approver: approver ?? null, may_execute: mayExecute, actor };
  return issue(home, { name, token, show }, (_, db) => {
    if (approver === undefined || recordedApprovers(db).get(approver)?.state === 'active')
      return decideCreate(recordedTokens(db), knownNames(db), asked);
    return refuse({ code: 'approver_unknown', detail: `there is no approver ${approver}`, hint: 'agent-cli approver list' });
  });
}

/**
 * Replaces a token; the old one stops working with the commit. For the built-in token, api.token is replaced within the
 * transaction, after its event was added: a kill leaves the old file without an event, or the new file without an entry about it.
 */
export function rotateToken(home: Home, name: string, actor: string, show = showNothing): Promise<IssuedToken> {
  const token = newToken();
  const asked = { name, token_sha256: sha256Hex(token), actor };
  return issue(home, { name, token, show }, (standing) => decideRotate(standing, asked));
}

interface Issue {
  readonly name: string;
  readonly token: string;
  readonly show: Show;
}

async function issue(home: Home, { name, token, show }: Issue, decide: Decide): Promise<IssuedToken> {
  const issued = (made: Token | null): IssuedToken => ({ name, role: made?.role ?? builtIn.role, token });
  let isShown = false;
  try {
    const made = await record(home, name, decide, (after) => {
      showFirst(show, issued(after));
      isShown = true;
      if (name === builtIn.name) replaceTokenFile(home.paths.apiToken, token);
    });
    return issued(made);
  } catch (error) {
    throw isShown ? afterShowing(home, { name, token }, error) : error;
  }
}

function showFirst(show: Show, issued: IssuedToken): void {
  try {
    show(issued);
  } catch (error) {
    throw new Fault('the token could not be printed and is not valid', error);
  }
}

/** Returns the error of a change that failed after the token was shown; it says whether that token is valid. */
function afterShowing(home: Home, { name, token }: Omit<Issue, 'show'>, error: unknown): unknown {
  if (name === builtIn.name && fileHolds(home.paths.apiToken, token)) {
    const message = 'api.token holds the printed token, which is valid, but the journal may have no entry of the change';
    return new RecordedFault(message, 'agent-cli token rotate', error);
  }
  if (error instanceof UnknownOutcome)
    return new RecordedFault('it is not known whether the printed token is valid', 'agent-cli token list', error);
  const isNot = 'the printed token is not valid';
  if (error instanceof RefusalError) return new RefusalError({ ...error.refusal, detail: `${error.refusal.detail}; ${isNot}` });
  return error instanceof Fault ? new Fault(`${error.message}; ${isNot}`, error.cause) : new Fault(isNot, error);
}

function fileHolds(file: string, token: string): boolean {
  try {
    return readRegularFile(file).toString('latin1') === token;
  } catch {
    // What cannot be read cannot authenticate anybody.
    return false;
  }
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
  const token = await record(home, name, (standing) => decideRevoke(standing, { name, actor }));
  if (token === null) throw new Fault(`the revoked token ${name} is gone`);
  return recordOf(token);
}

/** Lists the built-in token first, then the others by name, including revoked ones. */
export function listTokens(home: Home): TokenList {
  const tokens = recordedTokens(home.db);
  const others = tokens.filter(({ name }) => name !== builtIn.name).map(recordOf);
  const first = {
    ...builtIn,
    state: 'active',
    created_at: null,
    changed_at: tokens.find(({ name }) => name === builtIn.name)?.changed_at ?? null,
  } as const;
  return { items: [first, ...others.toSorted((a, b) => (a.name < b.name ? -1 : 1))] };
}

const recordOf = ({ name, role, state, approver, may_execute, created_at, changed_at }: Token): TokenRecord => ({
  name,
  role,
  state,
  ...(approver === null ? {} : { approver }),
  ...(may_execute ? { may_execute } : {}),
  created_at,
  changed_at,
});
