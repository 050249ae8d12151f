/** Statements that are prepared once for a connection. Preparing one takes longer than reading a row with it. */
import type { Statement } from 'better-sqlite3';
import type { Db } from './database.js';

const kept = new WeakMap<Db, Map<string, Statement>>();

/** Returns the statement for reading rows as objects. Its mode must not be changed, because others use it too. */
export function prepared<Values extends unknown[], A>(db: Db, sql: string): Statement<Values, A> {
  const statements = kept.get(db) ?? new Map<string, Statement>();
  kept.set(db, statements);
  const statement = statements.get(sql) ?? db.prepare(sql);
  statements.set(sql, statement);
  // The types of values and rows belong to the SQL, which is the key.
  return statement as Statement<Values, A>;
}

/** Returns SQLite's `data_version`, a number that changes when another connection commits. Reading it locks the file for a few microseconds. */
export const dataVersion = (db: Db): number | undefined =>
  prepared<[], { data_version: number }>(db, 'PRAGMA data_version').get()?.data_version;
