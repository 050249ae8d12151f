/** Statements that are prepared once for a connection. Preparing one takes longer than reading a row with it. */
import type { Statement } from 'better-sqlite3';
import type { Db } from './database.js';

type Statements = WeakMap<Db, Map<string, Statement>>;
const ofObjects: Statements = new WeakMap();
const ofArrays: Statements = new WeakMap();

/** Returns the statement for reading rows as objects. Its mode must not be changed, because others use it too. */
export const prepared = <Values extends unknown[], A>(db: Db, sql: string): Statement<Values, A> =>
  kept(ofObjects, db, sql) as Statement<Values, A>;

/** Returns the statement for reading rows as arrays. Its mode must not be changed either. */
export const preparedRaw = <Values extends unknown[], A>(db: Db, sql: string): Statement<Values, A> =>
  kept(ofArrays, db, sql) as Statement<Values, A>;

/** The types of values and rows belong to the SQL, which is the key. */
function kept(all: Statements, db: Db, sql: string): Statement {
  const known = all.get(db)?.get(sql);
  if (known !== undefined) return known;
  const statements = all.get(db) ?? new Map<string, Statement>();
  const statement = all === ofArrays ? db.prepare(sql).raw() : db.prepare(sql);
  all.set(db, statements.set(sql, statement));
  return statement;
}
