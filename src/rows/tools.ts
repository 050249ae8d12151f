/** Tools and access tokens by their signed entries, which the tables must match. */
import { type Token, type TokenEvent } from '../domain/token.js';
import type { Tool } from '../domain/tool.js';
import { requireSigned } from '../journal/stream.js';
import { tokenTable } from '../projection/tokens.js';
import { toolTable } from '../projection/tools.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { readAll, readOne } from './read.js';

const selectTools = `SELECT ${toolTable.columns.join(', ')} FROM tool`;

/** Returns the recorded state of a tool; null when the journal has no entry about it. */
export const readTool = (db: Db, id: string): Tool | null => readOne(db, toolTable, id, `${selectTools} WHERE id = ?`, id);

/** Returns every tool that has entries, by id. */
export const recordedTools = (db: Db): Tool[] =>
  [...readAll(db, toolTable, selectTools).values()]
    .flatMap(({ state }) => state ?? [])
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Whoever can write to the file could add a token, so the signature of every entry about one is checked. */
const checkedTokens: CheckedTable<Token, TokenEvent> = { ...tokenTable, check: requireSigned };

export interface RecordedTokens {
  readonly byId: ReadonlyMap<string, Token>;
  /** Names of the tokens whose entries are damaged: they can be revoked, and not be used. */
  readonly doubtful: ReadonlySet<string>;
}

/** Returns every token that the journal records. */
export function recordedTokens(db: Db): RecordedTokens {
  const all = [...readAll(db, checkedTokens, `SELECT ${tokenTable.columns.join(', ')} FROM token`)];
  return {
    byId: new Map(all.flatMap(([name, { state }]) => (state === null ? [] : [[name, state]]))),
    doubtful: new Set(all.flatMap(([name, { isDoubtful }]) => (isDoubtful ? [name] : []))),
  };
}
