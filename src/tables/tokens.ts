/** Access tokens: one row a name, with the hash of the token in force. */
import { type Token, tokenCodec, tokenStates, tokenStream } from '../domain/token.js';
import type { Db } from '../store/database.js';
import { connectionOf, isDamaged } from './connection.js';
import { reading, readOne, readProven, readAll } from './read.js';
import { defineRowTable } from '../state/rows.js';

export const tokenTable = defineRowTable<Token>({
  stream: tokenStream,
  name: 'token',
  projection: 'tokens',
  version: 1,
  row: tokenCodec,
  key: 'name',
  codes: tokenStates,
  codeOf: ({ state }) => state,
});

export const readToken = (db: Db, name: string): Token | null => readOne(db, tokenTable, name);

/** Returns every token that the journal records. */
export const recordedTokens = (db: Db): Token[] => [...readAll(db, tokenTable).values()].flatMap(({ state }) => state ?? []);

/**
 * Returns the active tokens, however many were revoked. One whose entries are damaged, or of which an entry may be hidden, is left out: it can
 * be revoked, and not be used.
 */
export function activeTokens(db: Db): readonly Token[] {
  const active = [...readAll(db, tokenTable, { codes: ['active'] }).values()].flatMap(({ state }) =>
    state === null || state.token_sha256 === null ? [] : [state],
  );
  if (!isDamaged(db)) return active;
  const proven = readProven(
    db,
    tokenTable,
    active.map(({ name }) => name),
  );
  return active.filter(({ name, revision }) => proven.get(name)?.revision === revision);
}

/** Returns the approver for whom a token acts: nobody but a token has its name. */
export const approverOf = (db: Db, actor: string): string | null => readOne(db, tokenTable, actor)?.approver ?? null;

/** Tokens, and the number of entries by which they are known. */
export interface KnownTokens {
  readonly tokens: readonly Token[];
  readonly size: number;
}

/** Returns the active tokens, read again only when an entry of one may have been recorded since. */
export const latestTokens = (db: Db, known: KnownTokens | null): KnownTokens =>
  reading(db, () => {
    const tail = connectionOf(db).proven?.tail;
    const isKnown = known !== null && tail?.isWithout((stream) => tokenStream.idOf(stream) !== null, known.size) === true;
    return { tokens: isKnown ? known.tokens : activeTokens(db), size: tail?.covered ?? 0 };
  });
