/** Taking the process lock of a home for reading only. */
import { existsSync } from 'node:fs';
import { errorCode } from '../base/refusal.js';
import { retryWhileBusy, storageError, type Db } from './database.js';
import { connect, hasVersion, readVersion } from './process-lock.js';

export interface ReaderLock {
  /** The version in the lock file; null when the file is missing or empty. */
  readonly version: string | null;
  readonly release: () => void;
}

/**
 * Takes the lock for reading only, whatever version the file has. Nothing is written, unless a killed process left a change of version
 * unfinished, and no change of version can begin meanwhile.
 */
export function takeReaderLock(file: string): ReaderLock {
  if (!existsSync(file)) return { version: null, release: () => undefined };
  const hold = (readonly: boolean): ReaderLock => {
    try {
      return holdShared(connect(file, { readonly }));
    } catch (error) {
      // A process was killed while it wrote its version: only a connection that may write can undo that.
      if (readonly && errorCode(error) === 'SQLITE_READONLY_ROLLBACK') return hold(false);
      throw storageError(error, 'lock.sqlite3', file);
    }
  };
  return hold(true);
}

function holdShared(db: Db): ReaderLock {
  try {
    const version = retryWhileBusy(() => {
      db.exec('BEGIN');
      try {
        return hasVersion(db) ? (readVersion(db) ?? null) : null;
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    });
    return { version, release: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}
