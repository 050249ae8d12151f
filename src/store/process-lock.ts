/**
 * The process lock: lock.sqlite3, a rollback-journal database that is not written in normal operation. Its kernel locks are released when
 * the process ends (lock files that hold a pid are not).
 * - every process: a read transaction until it ends (SHARED), so that a change of version, which needs EXCLUSIVE, waits for all;
 * - the daemon: BEGIN IMMEDIATE (RESERVED), never committed, so that a second daemon is refused;
 * - EXCLUSIVE, briefly at open: no other process has the home open, so a non-empty -wal means an unclean stop, and temporary files were
 *   left by killed processes.
 */
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { errorCode, RefusalError } from '../base/refusal.js';
import { compareVersions } from '../base/version.js';
import { isBusy, openError, retryWhileBusy, storageError, type Db } from './database.js';
import { newerVersion } from './newer-version.js';
import { createEmpty } from './owner-lock.js';
import { Database } from './sqlite.js';

export interface ProcessLock {
  readonly release: () => void;
}

const daemon_test_ms_max = 50;

const program_table = 'CREATE TABLE IF NOT EXISTS program(id INTEGER PRIMARY KEY CHECK (id = 1), version TEXT NOT NULL) STRICT';

/** Creates the file at init and holds the lock exclusively until `release`. @param named what a refusal says was written */
export function createProcessLock(file: string, version: string, named = path.basename(file)): ProcessLock {
  const db = connect(file, { create: true });
  try {
    db.exec('BEGIN EXCLUSIVE');
    db.exec(program_table);
    db.prepare('INSERT INTO program(id, version) VALUES (1, ?) ON CONFLICT(id) DO UPDATE SET version = excluded.version').run(
      version,
    );
    db.exec('COMMIT');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new RefusalError('in_use', 'another process is creating this home');
    throw storageError(error, named, file);
  }
  return { release: () => db.close() };
}

export interface LockOptions {
  readonly version: string;
  readonly mode: 'command' | 'daemon';
  /** Names the daemon that has the lock, for the message only. */
  readonly describeHolder: () => string;
  /**
   * Brings the home up to date when an older version wrote it, before the lock names this version: after a kill in between, the
   * next process does it again. No other process has the home open meanwhile. Gets that version, or null when the file that named it was
   * lost.
   */
  readonly upgrade: (from: string | null) => void;
  /**
   * Called in a home of this version that no other process has open, and none can open before it returns: what it finds there was left by
   * processes that have ended.
   */
  readonly whileAlone?: () => void;
}

/** Takes the lock until the process ends. */
export function takeProcessLock(file: string, options: LockOptions): ProcessLock {
  const { version, mode, describeHolder, upgrade, whileAlone } = options;
  const db = connect(file);
  try {
    tryExclusive(db, () => hasVersion(db) && readVersion(db) === version && whileAlone?.());
    ensureVersion(db);
    checkVersion(db, version, upgrade);
    try {
      retryWhileBusy(() => db.exec(mode === 'daemon' ? 'BEGIN IMMEDIATE' : 'BEGIN'), mode === 'daemon' ? 300 : undefined);
      if (retryWhileBusy(() => readVersion(db)) !== version)
        throw new RefusalError('conflict', 'another version of the program has just taken this home');
    } catch (error) {
      if (mode === 'daemon' && isBusy(error))
        throw new RefusalError('in_use', `a daemon already serves this home${describeHolder()}`);
      throw error;
    }
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    throw error instanceof RefusalError ? error : openError(error, file);
  }
}

/** Returns whether no process has the home open at this moment. */
export function isAlone(file: string): boolean {
  if (!existsSync(file)) return true;
  const db = connect(file);
  try {
    return tryExclusive(db);
  } catch (error) {
    throw openError(error, file);
  } finally {
    db.close();
  }
}

/** Returns whether a daemon has the home. Another process that asks at the same moment looks like one, so that it is asked again. */
export function hasDaemon(file: string): boolean {
  const db = connect(file);
  try {
    retryWhileBusy(() => {
      db.exec('BEGIN IMMEDIATE');
      db.exec('ROLLBACK');
    }, daemon_test_ms_max);
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw openError(error, file);
  } finally {
    db.close();
  }
}

/** The version in a file that was lost: what wrote the home is not known, so the next process brings it up to date. */
export const unknown_version = '0.0.0';

/** Creates a missing or empty lock file; when several processes try at once, one succeeds. @throws RefusalError `in_use` */
export function remakeProcessLock(file: string): void {
  createEmpty(file, 'lock.sqlite3');
  const db = connect(file);
  try {
    ensureVersion(db);
  } catch (error) {
    throw error instanceof RefusalError ? error : openError(error, file);
  } finally {
    db.close();
  }
}

const remake_busy_ms_max = 1_000;

/** Recreates an emptied file, which lost only the version, unless a process that may have another version holds it. */
function ensureVersion(db: Db): void {
  if (retryWhileBusy(() => hasVersion(db))) return;
  try {
    retryWhileBusy(() => {
      // Another process may have created it meanwhile, and then holds it until it ends.
      if (hasVersion(db)) return;
      db.exec('BEGIN EXCLUSIVE');
      db.exec(program_table);
      db.prepare('INSERT INTO program(id, version) VALUES (1, ?) ON CONFLICT(id) DO NOTHING').run(unknown_version);
      db.exec('COMMIT');
    }, remake_busy_ms_max);
  } catch (error) {
    if (!isBusy(error)) throw error;
    const detail = 'lock.sqlite3 was emptied while another process uses this home; stop it and repeat the command';
    throw new RefusalError('in_use', detail);
  }
}

export const hasVersion = (db: Db): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'program'").get() !== undefined &&
  readVersion(db) !== undefined;

export function connect(file: string, { create = false, readonly = false } = {}): Db {
  try {
    return new Database(file, { readonly, fileMustExist: !create, timeout: 0 });
  } catch (error) {
    throw openError(error, file);
  }
}

/** Returns whether no other process had the file open; `work` is then done while none can open it. */
function tryExclusive(db: Db, work: () => unknown = () => undefined): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (isBusy(error) || errorCode(error).includes('READONLY')) return false;
    throw error;
  }
  try {
    work();
    return true;
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

export const readVersion = (db: Db): string | undefined =>
  db.prepare<[], { version: string }>('SELECT version FROM program WHERE id = 1').get()?.version;

/** Returns the refusal of a home that a newer version has written. */
export const newerProgram = (stored: string, version: string): RefusalError =>
  newerVersion(`this home was written by version ${stored}, which is newer than ${version}`, {
    home_version: stored,
    program_version: version,
  });

/** Returns whether an older version wrote the home. @throws RefusalError `newer_version` */
function isOlder(db: Db, version: string): boolean {
  const stored = readVersion(db) ?? version;
  if (stored === version) return false;
  if (compareVersions(stored, version) > 0) throw newerProgram(stored, version);
  return true;
}

/** Waits until no other process has the home open, or another one has named this version; returns whether this process is to do it. */
function beginUpgrade(db: Db, version: string): boolean {
  try {
    return retryWhileBusy(() => {
      if (!isOlder(db, version)) return false;
      db.exec('BEGIN EXCLUSIVE');
      return true;
    });
  } catch (error) {
    if (!isBusy(error)) throw error;
    const stored = retryWhileBusy(() => readVersion(db));
    const detail =
      stored === unknown_version
        ? 'lock.sqlite3 was lost while another process uses this home; stop it and repeat the command'
        : `version ${stored} is running on this home; stop it before using ${version}`;
    throw new RefusalError('in_use', detail);
  }
}

function checkVersion(db: Db, version: string, upgrade: LockOptions['upgrade']): void {
  if (!beginUpgrade(db, version)) return;
  try {
    // Another process may have named this version, or a newer one, just before.
    if (isOlder(db, version)) {
      const from = readVersion(db);
      upgrade(from === undefined || from === unknown_version ? null : from);
      db.prepare('UPDATE program SET version = ? WHERE id = 1').run(version);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
