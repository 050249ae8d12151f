/**
 * Locks that show that a process lives: each is an empty SQLite database with a rollback journal on which its owner holds BEGIN EXCLUSIVE.
 * The kernel releases the lock when the process ends, however it ends, and never before, whatever the clock says.
 *
 * A lock file is never opened but by SQLite: POSIX drops a process's locks on a file when it closes any descriptor of it, and SQLite
 * alone knows that it must not. Connections of one process, also in other threads, conflict as those of two processes do.
 */
import { closeSync, existsSync, lstatSync, openSync, unlinkSync } from 'node:fs';
import { errorCode } from '../base/refusal.js';
import { isBusy, pause, retryWhileBusy, storageError, type Db } from './database.js';
import { Database } from './sqlite.js';

/** Tests of an attempt's lock: another process that tests it at the same moment makes it look held. */
const owner_test_tries_max = 3;
/** Time to take a lock while other processes test it. */
const owner_busy_ms_max = 1_000;

export type OwnerLock = Readonly<ReturnType<typeof owned>>;

/** `free`: there is a file, and no process holds its lock. */
export type OwnerLockState = 'absent' | 'free' | 'held';

/** The locks of this process. A connection that nothing refers to would be closed by the garbage collector. */
const own = new Map<string, Db>();

/** Takes the lock, creating its file; returns null if another owner holds it for so long. @throws RefusalError `storage_full` */
export function takeOwnerLock(file: string, busy_ms_max = owner_busy_ms_max): OwnerLock | null {
  if (own.has(file)) return null;
  for (let tries = 1; tries <= owner_test_tries_max; tries++) {
    createEmpty(file);
    const db = locked(file, busy_ms_max);
    // Another process may have deleted the file that was locked, and then nobody would see the lock.
    if (db !== 'deleted') return db === null ? null : owned(file, db);
  }
  return null;
}

/** Locks a file; null while another owner holds it. */
function locked(file: string, busy_ms_max: number): Db | null | 'deleted' {
  const before = inodeOf(file);
  const db = before === null ? null : connect(file);
  if (db === null) return 'deleted';
  try {
    retryWhileBusy(() => lock(db), busy_ms_max);
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw storageError(error, file);
  }
  if (inodeOf(file) === before) return db;
  db.close();
  return 'deleted';
}

function owned(file: string, db: Db) {
  own.set(file, db);
  const release = (): void => {
    if (own.get(file) === db) own.delete(file);
    db.close();
  };
  return {
    /** Releases the lock and leaves the file, which shows that the owner is gone. */
    release,
    /** Releases the lock and deletes the file. */
    remove: () => {
      // Deleted first: nobody may find the file of an attempt that has ended as one that was interrupted.
      removeFile(file);
      release();
    },
  };
}

/** Returns whether a living process holds the lock. */
export function ownerLockState(file: string): OwnerLockState {
  if (own.has(file)) return 'held';
  // Two processes that test at the same moment see each other's lock, so that a busy one is tested again.
  for (let tries = 1; ; tries++) {
    const state = tested(file);
    if (state !== 'held' || tries >= owner_test_tries_max) return state;
    pause(1);
  }
}

function tested(file: string): OwnerLockState {
  const before = inodeOf(file);
  const db = before === null ? null : connect(file);
  if (db === null) return 'absent';
  try {
    lock(db);
    // An owner that has done its work deletes the file, and only then releases the lock.
    return inodeOf(file) === before ? 'free' : 'absent';
  } catch (error) {
    // On a disk that cannot be written nobody's lock can be tested.
    if (isBusy(error) || errorCode(error).startsWith('SQLITE_READONLY')) return 'held';
    throw storageError(error, file);
  } finally {
    db.close();
  }
}

/** Deletes the file of a lock that nobody holds, while holding it: whoever waits for the lock sees that the file is gone. */
export function removeFreeOwnerLock(file: string): void {
  const db = own.has(file) || inodeOf(file) === null ? null : connect(file);
  if (db === null) return;
  try {
    lock(db);
    removeFile(file);
  } catch (error) {
    if (!isBusy(error)) throw storageError(error, file);
  } finally {
    db.close();
  }
}

/** Windows deletes no file that is open, nor does a disk that fails. What cannot be deleted is left for a later search. */
function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}

/** Creates a file that is not there. @param named how refusals name it */
export function createEmpty(file: string, named = file): void {
  try {
    // Exclusive creation: closing an existing file would drop the locks that this process has on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw storageError(error, named);
  }
}

/** Returns the identity of a regular file, or null when there is none. */
function inodeOf(file: string): bigint | null {
  const stat = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return stat?.isFile() === true ? stat.ino : null;
}

function connect(file: string): Db | null {
  try {
    return new Database(file, { fileMustExist: true, timeout: 0 });
  } catch (error) {
    if (!existsSync(file)) return null;
    throw storageError(error, file);
  }
}

/** Locks the database until it is closed, or throws SQLITE_BUSY. With its journal in memory no file is created beside it. */
function lock(db: Db): void {
  db.pragma('journal_mode = MEMORY');
  db.exec('BEGIN EXCLUSIVE');
}
