import type { Db } from '../../../src/store/database.js';
import { Database } from '../../../src/store/sqlite.js';

/** Opens a SQLite file, or the bytes of one, for one use. */
export function inDatabase<A>(file: string | Buffer, use: (db: Db) => A, options: { readonly?: boolean } = {}): A {
  const db = new Database(file, options);
  try {
    return use(db);
  } finally {
    db.close();
  }
}
