/**
 * A private directory beside the file or directory that is being created. It is always removed; only a kill leaves it, under a
 * name that cannot be mistaken for the real one, and the next command that creates something beside it removes it. A directory in use
 * holds a locked file, and the kernel releases locks when their process ends. It is locked before anything else is written into it, and
 * the lock is the last file to be removed.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { errorCode, RefusalError } from '../../base/refusal.js';
import { journal_open_bytes } from '../../base/limits.js';
import { fileError, makePrivateDirectory, removeFile } from '../../home/files.js';
import { networkFileSystem, pause } from '../../store/database.js';
import { createProcessLock, type ProcessLock } from '../../store/process-lock.js';
import { programVersion } from './home.js';

export type Staging = Readonly<ReturnType<typeof makeStaging>>;

const lock_name = 'staging.lock';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Another command may take a directory that is not locked yet for one that was left, and remove it. */
const tries_max = 3;

/** Creates the directory and its missing parents; `remove` removes those parents too if they are empty. */
export function makeStaging(destination: string) {
  const name = (): string => `${destination}.tmp-${randomBytes(6).toString('hex')}`;
  let directory = name();
  const parents = missingParents(destination);
  let lock: ProcessLock | null = null;
  const forget = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  const remove = (): void => {
    // A signal that arrived while the event loop stood still is handled when it looks for signals next, which may be after a turn.
    setImmediate(() => setImmediate(forget));
    lock?.release();
    removeIfPossible(directory);
    for (const parent of parents) removeEmpty(parent);
  };
  const stop = (signal: NodeJS.Signals): void => {
    remove();
    forget();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, stop);
  try {
    for (let tries = 1; lock === null; tries++) {
      directory = name();
      lock = lockedDirectory(directory, destination, tries === tries_max);
    }
    return { directory, file: (name: string) => path.join(directory, name), remove };
  } catch (error) {
    remove();
    throw fileError(error, destination);
  }
}

/** Makes a directory and locks it; null where it is to be tried again under another name. */
function lockedDirectory(directory: string, destination: string, isLast: boolean): ProcessLock | null {
  try {
    makePrivateDirectory(directory);
    return createProcessLock(path.join(directory, lock_name), programVersion, destination);
  } catch (error) {
    removeIfPossible(directory);
    if (isLast) throw error;
    return null;
  }
}

/**
 * Returns the missing parents, the deepest first. A dangling link counts as present: its target is not this program's to create.
 */
function missingParents(directory: string): string[] {
  const parents: string[] = [];
  const isMissing = (at: string): boolean => {
    try {
      return fs.lstatSync(at, { throwIfNoEntry: false }) === undefined;
    } catch (error) {
      throw fileError(error, directory);
    }
  };
  for (let at = path.dirname(directory); at !== path.dirname(at) && isMissing(at); at = path.dirname(at)) parents.push(at);
  return parents;
}

/** A directory that cannot be removed is left to the next command: what was made is complete without that. */
function removeIfPossible(directory: string): void {
  try {
    for (const name of contentsOf(directory)) fs.rmSync(path.join(directory, name), { recursive: true, force: true });
    fs.rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}

function removeEmpty(directory: string): void {
  try {
    fs.rmdirSync(directory);
  } catch (error) {
    // It is not empty, or gone: another command uses or removed it.
    if (errorCode(error) === '') throw error;
  }
}

const staging_name = /^(.+)\.tmp-[0-9a-f]{12}$/;

/**
 * Removes staging directories that killed commands left beside the destination, for it or for another one: they hold a private key or a
 * copy of a journal. One that cannot be removed stays and causes no failure.
 */
export const removeAbandoned = (destination: string): void =>
  removeAbandonedIn(path.dirname(destination), path.basename(destination));

/** Removes those in a directory. @param own the name for which no other process creates anything */
function removeAbandonedIn(parent: string, own: string | null = null): void {
  for (const name of namesIn(parent)) {
    const [, made] = staging_name.exec(name) ?? [];
    if (made === undefined) continue;
    const directory = path.join(parent, name);
    try {
      // On a network file system another machine's lock may not be seen.
      if (made !== own && networkFileSystem(parent) !== undefined) continue;
      if (isAbandoned(directory, made === own)) removeIfPossible(directory);
    } catch (error) {
      // Its command may have removed it meanwhile, of which SQLite's binding says so without a code.
      if (!(error instanceof RefusalError) && errorCode(error) === '' && fs.existsSync(directory)) throw error;
    }
  }
}

/** Returns what was staged, without the lock. */
const contentsOf = (directory: string): readonly string[] => namesIn(directory).filter((name) => !name.startsWith(lock_name));

/** Returns the names in a directory; none where it cannot be read. */
export function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return [];
  }
}

/**
 * Whether a directory belongs to this user and its lock is free. One that holds nothing else may have been created just now, and its lock
 * may not be taken yet: it is left alone unless it is for the same destination.
 */
function isAbandoned(directory: string, isSameDestination: boolean): boolean {
  const lock = path.join(directory, lock_name);
  if (!isOwn(directory, 'directory')) return false;
  const isEmpty = contentsOf(directory).length === 0;
  if (isEmpty && !isSameDestination) return false;
  if (!isOwn(lock, 'file')) {
    if (isEmpty) fs.rmdirSync(directory);
    return false;
  }
  try {
    createProcessLock(lock, programVersion).release();
    return true;
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === 'in_use') return false;
    throw error;
  }
}

function isOwn(name: string, kind: 'directory' | 'file'): boolean {
  const stat = fs.lstatSync(name, { throwIfNoEntry: false });
  const isKind = kind === 'directory' ? stat?.isDirectory() : stat?.isFile();
  return isKind === true && (process.getuid === undefined || stat?.uid === process.getuid());
}

/** Suffixes of the database and its logs; SQLite rebuilds the shared memory from them. */
const suffixes = ['', '-wal', '-journal'] as const;
const looks_max = 10;
const look_ms = 30;

/** Returns the result of `use`, which gets the path of the copy, and then deletes the copy. */
export function withCopy<A>(journal: string, use: (copy: string) => A): A {
  const copy = copyJournal(journal);
  try {
    return use(copy.file);
  } finally {
    copy.remove();
  }
}

/**
 * Makes a copy in the system's temporary directory. A signal removes it; one that a kill left goes with the next copy. `remove` deletes it
 * once it is closed; `isCurrent` says whether the journal has not been written since.
 */
export function copyJournal(journal: string) {
  removeAbandonedIn(os.tmpdir());
  const staging = placeForCopy();
  try {
    const file = staging.file(path.basename(journal));
    requireRoom(journal, staging.directory);
    const copied = copyAtRest(journal, file);
    return { file, remove: staging.remove, isCurrent: () => state(journal) === copied };
  } catch (error) {
    staging.remove();
    throw error;
  }
}

function placeForCopy(): Staging {
  try {
    return makeStaging(path.join(os.tmpdir(), 'agent-cli-read'));
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const detail = `a private copy of the journal cannot be made: ${error.refusal.detail}`;
    throw new RefusalError({ ...error.refusal, detail, hint: anotherPlace });
  }
}

const anotherPlace = 'set TMPDIR to another directory';

/** @throws RefusalError `storage_full` where a copy would fill the disk of the temporary directory */
function requireRoom(journal: string, directory: string): void {
  const sizes = suffixes.map((suffix) => fs.statSync(`${journal}${suffix}`, { throwIfNoEntry: false })?.size ?? 0);
  const needed = sizes.reduce((sum, size) => sum + size, journal_open_bytes);
  const { bavail, bsize } = fs.statfsSync(directory);
  if (bavail * bsize >= needed) return;
  throw new RefusalError(
    'storage_full',
    `a private copy of the journal needs ${mebibytes(needed)} in ${os.tmpdir()}, where ${mebibytes(bavail * bsize)} are free`,
    { hint: anotherPlace },
  );
}

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toPrecision(3)} MiB`;

/**
 * Copies the files until none changed during the copy. SQLite's checksums drop anything in a log after its last whole
 * transaction. Returns their state.
 */
function copyAtRest(journal: string, copy: string): string {
  for (let look = 0; look < looks_max; look++) {
    const before = state(journal);
    try {
      for (const suffix of suffixes) copyIfThere(`${journal}${suffix}`, `${copy}${suffix}`);
    } catch (error) {
      throw unreadable(error) ?? fileError(error, copy);
    }
    if (state(journal) === before) return before;
    pause(look_ms);
  }
  throw new RefusalError('in_use', `${journal} is being written just now; repeat the command`);
}

/** Returns the refusal of a journal that the disk, or its modes, do not let be read; null for any other error of a copy. */
function unreadable(error: unknown): RefusalError | null {
  const code = errorCode(error);
  if (code === 'EIO')
    return new RefusalError('integrity', 'the disk failed while reading the journal (EIO): restore a backup', {
      facts: { cause: code },
    });
  // The directory of the copy is this process's own.
  return code === 'EACCES' ? new RefusalError('forbidden', 'no permission to read the journal (EACCES)') : null;
}

/** Two equal states have the same contents. The log is empty while nothing but reading has happened since it was created. */
const state = (journal: string): string =>
  suffixes
    .map((suffix) => fs.statSync(`${journal}${suffix}`, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined || stat.size === 0n ? 'empty' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join();

function copyIfThere(from: string, to: string): void {
  removeFile(to);
  const found = fs.statSync(from, { throwIfNoEntry: false });
  if (found === undefined) return;
  // A copy of a FIFO waits for a writer, and no signal ends that.
  if (!found.isFile()) throw new RefusalError('integrity', `${from} is not a regular file`);
  fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
  fs.chmodSync(to, 0o600);
}
