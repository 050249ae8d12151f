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

export interface RecordedTokens {
  readonly byId: ReadonlyMap<string, Token>;
  /** Names of the tokens whose entries are damaged, or of which an entry may be hidden: they can be revoked, and not be used. */
  readonly doubtful: ReadonlySet<string>;
}

/** Returns every token that the journal records. */
export function recordedTokens(db: Db): RecordedTokens {
  const byId = new Map([...readAll(db, tokenTable)].flatMap(([name, { state }]) => (state === null ? [] : [[name, state]])));
  if (!isDamaged(db)) return { byId, doubtful: new Set() };
  const proven = readProven(db, tokenTable, byId.keys());
  return {
    byId,
    doubtful: new Set([...byId].flatMap(([name, { revision }]) => (proven.get(name)?.revision === revision ? [] : [name]))),
  };
}

/** Returns the approver for whom a token acts: nobody but a token has its name. */
export const approverOf = (db: Db, actor: string): string | null => readOne(db, tokenTable, actor)?.approver ?? null;

/** Tokens, and the number of entries by which they are known. */
export interface KnownTokens {
  readonly tokens: RecordedTokens;
  readonly size: number;
}

/** Returns every token, read again only when an entry of one may have been recorded since. */
export const latestTokens = (db: Db, known: KnownTokens | null): KnownTokens =>
  reading(db, () => {
    const tail = connectionOf(db).proven?.tail;
    const isKnown = known !== null && tail?.isWithout((stream) => tokenStream.idOf(stream) !== null, known.size) === true;
    return { tokens: isKnown ? known.tokens : recordedTokens(db), size: tail?.covered ?? 0 };
  });
