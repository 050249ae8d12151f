/**
 * Opens SQLite databases so that an acknowledged commit is on the disk. Every pragma that matters is set at each open and read back,
 * because better-sqlite3 is compiled to run a reopened WAL database with synchronous=NORMAL.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import * as path from 'node:path';
import type { Database as Connection, Statement } from 'better-sqlite3';
import { damageRefusal } from '../base/damage.js';
import { append_busy_ms_max, journal_open_bytes } from '../base/limits.js';
import {
  errorCode,
  Fault,
  noSpace,
  notWritable,
  openFilesRefusal,
  type Refusal,
  RefusalError,
  storageFull,
} from '../base/refusal.js';
import { Database } from './sqlite.js';

export type Db = Connection;

/** Values of statfs f_type for network file systems, on which SQLite's locks and shared memory are not reliable. */
const network_file_systems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/** Returns the name of the network file system that holds a directory; undefined for a local disk. */
export const networkFileSystem = (directory: string): string | undefined => network_file_systems.get(statfsSync(directory).type);

export function refuseNetworkFileSystem(directory: string): void {
  const name = networkFileSystem(directory);
  if (name !== undefined) {
    throw new RefusalError('integrity', `${directory} is on a network file system (${name}); a home needs a local disk`);
  }
}

export interface OpenOptions {
  readonly create?: boolean;
  /** Cannot write at all: as the last connection it leaves -wal and -shm behind. */
  readonly readonly?: boolean;
  /** Refuses statements that write, and as the last connection removes -wal and -shm, as one that writes does. */
  readonly queryOnly?: boolean;
}

/** Loads SQLite's native code, so that its absence is found before anything is created. */
export const loadSqlite = (): void => void new Database(':memory:').close();

/**
 * Opens a WAL database for reading or writing. While another process has the file to itself, at most 5 s, this blocks the thread.
 * @throws RefusalError when the file is not there, not a database, or busy for longer
 */
export function openDatabase(file: string, options: OpenOptions = {}): Db {
  const readonly = options.readonly ?? false;
  try {
    const db = new Database(file, { readonly, fileMustExist: !(options.create ?? false), timeout: 0 });
    try {
      beginToRead(db);
      prepareConnection(db, readonly, options.queryOnly ?? false);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw openError(error, file);
  }
}

/** Returns the refusal for an error at the opening or the first use of a database. */
export const openError = (error: unknown, file: string): unknown => storageError(error, path.basename(file), file);

/** SQLite's errors that do not name the cause: one of the file, its log or their index could not be made, written or made longer. */
const unnamed_causes = /^SQLITE_(?:CANTOPEN|IOERR_(?:WRITE|TRUNCATE|SHM))/;
const named_causes: readonly string[] = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'];

/** Returns the system's error for one of SQLite that does not name it: beside the file as much is written as SQLite may have wanted to. */
export function causeOf(error: unknown, file: string): unknown {
  if (!unnamed_causes.test(errorCode(error)) || !path.isAbsolute(file)) return error;
  const probe = `${file}.tmp-${randomBytes(6).toString('hex')}`;
  let fd: number | null = null;
  try {
    fd = openSync(probe, 'wx', 0o600);
    unlinkSync(probe);
    const bytes = Buffer.alloc(journal_open_bytes);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return error;
  } catch (cause) {
    return named_causes.includes(errorCode(cause)) ? cause : error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/**
 * Reads the file for the first time. Another process has it to itself while it restores the log that a killed process left, or while it
 * empties the log as the last one to close the file; afterwards this connection's lock lets nobody have it so.
 */
const beginToRead = (db: Db): unknown => retryWhileBusy(() => db.pragma('schema_version'));

/** A random index page of each hash is written again and again: fewer checkpoints write it less often (docs/decisions/0007). */
const checkpoint_often = 'wal_autocheckpoint = 4000';

/** Commits, and leaves a checkpoint of the log that is due to the next commit. */
export function commitAlone(db: Db): void {
  db.pragma('wal_autocheckpoint = 0');
  try {
    db.exec('COMMIT');
  } finally {
    db.pragma(checkpoint_often);
  }
}

/**
 * Balancing a tree lends a page the number of the lock page, far behind the last one, and the next commit then searches the whole cache for pages
 * behind the end. With 8 MiB in place of the package's 16 there is half as much to search (`npm run bench appends`), and the pages of a batch still fit.
 */
const writer_cache_kib = 8_192;

function prepareConnection(db: Db, readonly: boolean, queryOnly: boolean): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  if (readonly) return;
  if (process.platform === 'darwin') {
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
  if (queryOnly) {
    db.pragma('synchronous = FULL');
    db.pragma('query_only = ON');
    return;
  }
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') retryWhileBusy(() => db.pragma('journal_mode = WAL'));
  db.pragma('synchronous = FULL');
  db.pragma('recursive_triggers = ON');
  db.pragma('foreign_keys = ON');
  // An erased blob is overwritten, not left in a free page.
  db.pragma('secure_delete = ON');
  db.pragma(checkpoint_often);
  db.pragma(`cache_size = -${writer_cache_kib}`);
  // Savepoints copy the pages that they may have to undo: in memory, not in a temporary file.
  db.pragma('temp_store = MEMORY');
  const modes = ['journal_mode', 'synchronous', 'recursive_triggers', 'trusted_schema'].map((name) =>
    db.pragma(name, { simple: true }),
  );
  if (modes.join() !== 'wal,2,1,0') throw new Fault(`SQLite did not take its settings: ${modes.join()}`);
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** Blocks this thread: for commands, never for the daemon's event loop. */
export const pause = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms);
const jitter_ms_max = 15;

/** Runs `attempt` until the database is not busy, at most 5 s, with pauses of random length. Blocks the thread: not for the daemon's event loop. */
export function retryWhileBusy<A>(attempt: () => A, busy_ms_max = append_busy_ms_max): A {
  const end = performance.now() + busy_ms_max;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      pause(1 + Math.floor(Math.random() * jitter_ms_max));
    }
  }
}

const empty_log_ms_max = 1_000;

/** Copies the write-ahead log into the database and truncates it. Returns false when other processes were using it all the time. */
export function emptyLog(db: Db): boolean {
  const end = performance.now() + empty_log_ms_max;
  // A busy log is a result of this pragma, not an error.
  while (db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0) {
    if (performance.now() > end) return false;
    pause(1 + Math.floor(Math.random() * jitter_ms_max));
  }
  return true;
}

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error));
export const isFull = (error: unknown): boolean => ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(errorCode(error));

/** Returns the refusal for a storage error whose cause is known, else the error itself. @param file its path, where that is known */
export function storageError(error: unknown, what: string, file = what): unknown {
  const refusal = damageRefusal(error, what, file) ?? storageRefusal(errorCode(causeOf(error, file)), what);
  return refusal === null ? error : new RefusalError(refusal);
}

/** What SQLite opens of a database at once: the file, its log, their index and the directory. */
const open_files = 4;

/** SQLite does not say that too many files are open, and has closed its own by now: as many are opened to see it. */
function shortageOfFiles(what: string): Refusal | null {
  const opened: number[] = [];
  try {
    while (opened.length < open_files) opened.push(openSync(devNull, 'r'));
    return null;
  } catch (error) {
    return openFilesRefusal(error, what);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** SQLite's errors for a disk that fails when a file is opened or its size asked for. What a failed read means is known only of EIO, its CORRUPTFS. */
const failed_reads = /^SQLITE_IOERR(?:_FSTAT|_CORRUPTFS)?$/;
/** SQLite's errors for a disk that fails when it is written. */
const failed_writes = /^SQLITE_IOERR_(?:WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE|SHMOPEN|SHMSIZE)$/;

function storageRefusal(code: string, what: string): Refusal | null {
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT')
    return storageFull(`${noSpace(code)} while writing ${what}; nothing was recorded`);
  if (failed_reads.test(code)) return { code: 'integrity', detail: `${what} cannot be read, because the disk failed (EIO)` };
  if (code === 'EROFS') return notWritable(`${what} is on a read-only file system`, code);
  if (code === 'SQLITE_READONLY_DBMOVED') return { code: 'integrity', detail: `${what} was moved or deleted while it was open` };
  if (code.startsWith('SQLITE_READONLY')) return notWritable(`${what} can only be read`, code);
  if (code === 'EIO' || failed_writes.test(code)) return notWritable(`the disk failed while writing ${what}`, 'EIO');
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return { code: 'in_use', detail: `${what} is busy with another process` };
  if (code.startsWith('SQLITE_CANTOPEN'))
    return (
      shortageOfFiles(what) ?? {
        code: 'integrity',
        detail: `${what} cannot be opened (missing, not readable, or its directory cannot be written)`,
      }
    );
  if (code === 'EACCES' || code === 'EPERM') return { code: 'forbidden', detail: `no permission to use ${what}` };
  return null;
}

/** Statements that are prepared once for a connection. Preparing one takes longer than reading a row with it. */
const kept = new WeakMap<Db, Map<string, Statement>>();

/** Returns the statement for reading rows as objects. Its mode must not be changed, because others use it too. */
export function prepared<Values extends unknown[], A>(db: Db, sql: string): Statement<Values, A> {
  const statements = kept.get(db) ?? new Map<string, Statement>();
  kept.set(db, statements);
  const statement = statements.get(sql) ?? db.prepare(sql);
  statements.set(sql, statement);
  // The types of values and rows belong to the SQL, which is the key.
  return statement as Statement<Values, A>;
}

/** Returns SQLite's `data_version`, a number that changes when another connection commits. Reading it locks the file for a few microseconds. */
export const dataVersion = (db: Db): number | undefined =>
  prepared<[], { data_version: number }>(db, 'PRAGMA data_version').get()?.data_version;
