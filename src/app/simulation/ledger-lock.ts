/** Taking turns at a ledger. The lock is SQLite's on an empty file beside it: it vanishes with its process, whatever ends it. */
import Database from 'better-sqlite3';
import { RefusalError } from '../../base/result.js';
import { ledger_lock_ms_max } from '../../base/simulation-limits.js';
import { isBusy, storageError } from '../../store/database.js';

/** Runs `use` while no other process does. @throws RefusalError `in_use` when another one does for seconds */
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
