/** Locks a ledger with SQLite's lock on an empty file beside it, which is released when the process ends, for whatever reason. */
import Database from 'better-sqlite3';
import { RefusalError } from '../../base/result.js';
import { ledger_lock_ms_max } from '../../base/simulation-limits.js';
import { isBusy, storageError } from '../../store/database.js';

/** Runs `use` under the lock. @throws RefusalError `in_use` when another process holds it for seconds */
export function withLedgerLock<A>(file: string, use: () => A): A {
  let db: Database.Database;
  try {
    db = new Database(file, { timeout: ledger_lock_ms_max });
  } catch (error) {
    throw storageError(error, file);
  }
  try {
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      if (isBusy(error)) throw new RefusalError({ code: 'in_use', detail: `another process writes to the ledger (${file})` });
      throw storageError(error, file);
    }
    return use();
  } finally {
    db.close();
  }
}
