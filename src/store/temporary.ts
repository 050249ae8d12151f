/** A database for what would take too much memory: SQLite keeps it in a page cache of fixed size, and the rest in a temporary file. */
import type { Db } from './database.js';
import { Database } from './sqlite.js';

/** The memory of the page cache, and of each sort before it goes to disk. */
const cache_kib = 8_000;

/**
 * Makes an empty database that is gone when it is closed. SQLite makes its file when the page cache is full, in SQLITE_TMPDIR, TMPDIR, /var/tmp
 * or /tmp, readable by this user only, and unlinks it at once: a killed process leaves nothing.
 */
export function temporaryDatabase(): Db {
  const db = new Database('');
  db.pragma(`cache_size = -${cache_kib}`);
  db.pragma('temp_store = FILE');
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  return db;
}
