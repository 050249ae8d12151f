/** Opens the journal of a home, also on a full disk, and handles the remains of an interrupted init or an unclean stop. */
import * as fs from 'node:fs';
import { RefusalError } from '../../base/result.js';
import { lendBallast, returnBallast } from '../../home/ballast.js';
import { removeTemporaries } from '../../home/files.js';
import type { HomePaths } from '../../home/paths.js';
import { readRegularFile } from '../../home/regular-file.js';
import { seed_bytes } from '../../journal/keys.js';
import { integrityFailure } from '../../journal/position.js';
import { readHead } from '../../journal/reader.js';
import { openDatabase, type Db, type OpenOptions } from '../../store/database.js';
import { removeAbandoned } from './staging.js';

/** Opens the journal. SQLite needs room for a shared memory file even to read, which the ballast lends. */
export const openJournal = (paths: HomePaths, options: OpenOptions = {}): Db =>
  onLentBallast(paths, () => openDatabase(paths.journal, options));

/**
 * Runs what opens a home, which needs little room on the disk. On a full disk the ballast lends it until the home is closed.
 * @param open run again where the disk is full
 */
export function onLentBallast<A>({ ballast }: HomePaths, open: () => A): A {
  try {
    return open();
  } catch (error) {
    const isFull = error instanceof RefusalError && error.refusal.code === 'storage_full';
    if (!isFull || !lendBallast(ballast)) throw error;
  }
  try {
    return open();
  } catch (error) {
    returnBallast(ballast);
    throw error;
  }
}

export function readSeed(paths: HomePaths): Buffer {
  const seed = readRegularFile(paths.identityKey);
  if (seed.length !== seed_bytes) throw integrityFailure(`identity.key has ${seed.length} bytes instead of ${seed_bytes}`);
  return seed;
}

/** Whether init was killed and can continue: there is no configuration and at most the first entry. */
export function isInterruptedInit(paths: HomePaths): boolean {
  // SQLite keeps a rollback journal beside the database only until WAL is switched on, which is before the first entry.
  if (!fs.existsSync(paths.journal) || fs.existsSync(`${paths.journal}-journal`)) return true;
  const db = openDatabase(paths.journal, { readonly: true });
  try {
    return !hasEntries(db) || readHead(db).size <= 1;
  } finally {
    db.close();
  }
}

const hasEntries = (db: Db): boolean => db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").get() !== undefined;

/** Returns whether the journal's log holds anything. When no process has the home open, the last one was killed. */
export const hasLog = ({ journal }: HomePaths): boolean =>
  (fs.statSync(`${journal}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Removes what killed processes left in the home, and returns whether the last one was killed while it had the journal open. Call it while
 * no other process can have the home open: a live one may be about to rename its temporary file.
 */
export function clearAfterKill(paths: HomePaths): boolean {
  removeTemporaries(paths.directory, ['config.json', 'api.token', 'daemon.json', 'identity.key', 'ballast']);
  removeAbandoned(paths.backup);
  return hasLog(paths);
}

/** @throws RefusalError `integrity` for a file that SQLite finds damaged */
export function quickCheck(db: Db): void {
  const result = db.pragma('quick_check', { simple: true });
  if (result !== 'ok') throw integrityFailure(`the journal is damaged after an unclean stop: ${String(result)}`);
}
