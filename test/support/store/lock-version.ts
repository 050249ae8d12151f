/** The version in lock.sqlite3: that of the program which opened the home last. */
import { join } from 'node:path';
import { inDatabase } from './in-database.js';
import type { TemporaryHome } from '../app/temporary-home.js';

export const lockVersion = ({ directory }: Pick<TemporaryHome, 'directory'>): unknown =>
  inDatabase(join(directory, 'lock.sqlite3'), (db) => db.prepare('SELECT version FROM program').pluck().get(), {
    readonly: true,
  });

/** Makes the home one that this version of the program opened last. */
export function setLockVersion({ directory }: Pick<TemporaryHome, 'directory'>, version: string): void {
  inDatabase(join(directory, 'lock.sqlite3'), (db) => db.prepare('UPDATE program SET version = ?').run(version));
}
