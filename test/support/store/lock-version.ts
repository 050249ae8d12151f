/** The version in lock.sqlite3: that of the program which opened the home last. */
import { join } from 'node:path';
import { Database } from '../../../src/store/sqlite.js';
import type { TemporaryHome } from '../app/temporary-home.js';

export function lockVersion({ directory }: Pick<TemporaryHome, 'directory'>): unknown {
  const db = new Database(join(directory, 'lock.sqlite3'), { readonly: true });
  try {
    return db.prepare('SELECT version FROM program').pluck().get();
  } finally {
    db.close();
  }
}

/** Makes the home one that this version of the program opened last. */
export function setLockVersion({ directory }: Pick<TemporaryHome, 'directory'>, version: string): void {
  const db = new Database(join(directory, 'lock.sqlite3'));
  db.prepare('UPDATE program SET version = ?').run(version);
  db.close();
}
