/**
 * Private files: created exclusively, mode 0600 whatever the umask, on the disk together with their directory entry before they
 * count. A file is complete when it appears under its name.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { randomBytes } from 'node:crypto';
import {
  errorCode,
  Fault,
  noSpace,
  notWritable,
  openFilesRefusal,
  RefusalError,
  storageFull,
  unreadableRefusal,
} from '../base/refusal.js';
import { damageRefusal } from '../base/damage.js';
import { fromUtf8, standard_stream } from '../base/text.js';
import { restrictToOwner } from './windows-acl.js';

const private_file = 0o600;
const private_directory = 0o700;
/** Mode of missing parents: whoever can write to a parent could replace a private directory. */
const parent_directory = 0o755;

export function fsyncDirectory(directory: string): void {
  // Windows cannot open a directory; NTFS journals its entries.
  if (process.platform === 'win32') return;
  const fd = fs.openSync(directory, fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Creates a directory and its missing parents; returns the topmost one that it created, or null. Node's recursive mkdir never ends when an
 * existing directory cannot hold others (ENOENT, as in /proc).
 */
export function makeDirectories(directory: string, mode: number = parent_directory): string | null {
  const above = path.dirname(directory);
  if (makeOne(directory, mode)) return directory;
  if (isDirectory(directory)) return null;
  const first = makeDirectories(above, mode);
  if (makeOne(directory, mode)) return first ?? directory;
  if (isDirectory(directory)) return first;
  throw Object.assign(new Error(`ENOENT: ${above} takes no directory`), { code: 'ENOENT', path: directory });
}

/** Creates one directory; returns false when it exists or has no parent. */
function makeOne(directory: string, mode: number): boolean {
  try {
    fs.mkdirSync(directory, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || isDirectory(directory)) return false;
    throw error;
  }
}

const isDirectory = (name: string): boolean => fs.statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
/** Makes a private directory and, when they are missing, its parents (with the user's umask). */
export function makePrivateDirectory(directory: string): void {
  const parent = path.dirname(directory);
  const first = makeDirectories(parent);
  fs.mkdirSync(directory, { mode: private_directory });
  try {
    restrictDirectory(directory);
  } catch (error) {
    takeBack(() => fs.rmdirSync(directory));
    throw error;
  }
  fsyncDirectory(parent);
  // The name of each new directory is stored in the one above it.
  const top = first === null ? parent : path.dirname(first);
  for (let at = parent; at !== top && at !== path.dirname(at); at = path.dirname(at)) fsyncDirectory(path.dirname(at));
}

/** Makes an existing, empty directory private. */
export function restrictDirectory(directory: string): void {
  if (process.platform === 'win32') restrictToOwner(directory);
  else fs.chmodSync(directory, private_directory);
}

/** The bytes of a file, or its pieces one after the other. */
type Content = Uint8Array | Iterable<Uint8Array>;

/** Writes bytes under a temporary name, by default one beside `file`, synced; the caller links or renames it into place. */
export function writeTemporary(
  file: string,
  content: Content,
  mode: number,
  temporary = `${file}.tmp-${randomBytes(6).toString('hex')}`,
): string {
  const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW;
  const fd = fs.openSync(temporary, flags, mode);
  try {
    fs.fchmodSync(fd, mode);
    for (const piece of content instanceof Uint8Array ? [content] : content) fs.writeFileSync(fd, piece);
    fs.fsyncSync(fd);
  } catch (error) {
    fs.closeSync(fd);
    removeTemporary(temporary);
    throw error;
  }
  fs.closeSync(fd);
  return temporary;
}

/** Removes a file that may not be there. The errors of a disk have their codes, which those of `rmSync` of Node 24 lack. */
export function removeFile(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Undoes what was done, as far as the disk allows. The caller throws the error for which it is undone, which counts more than one of the undoing. */
export function takeBack(undo: () => void): void {
  try {
    undo();
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}

/** Removes a temporary file, or leaves it where the disk does not allow that. */
export const removeTemporary = (file: string): void => takeBack(() => removeFile(file));

/**
 * Creates a file that must not exist (a dangling link counts as existing). An error leaves no file of that name; a kill leaves at
 * most a `.tmp-…` file beside it.
 */
export function createFile(file: string, content: Content, mode: number = private_file): void {
  requireAbsent(file);
  const temporary = writeTemporary(file, content, mode);
  try {
    publish(temporary, file);
  } finally {
    removeTemporary(temporary);
  }
  syncName(file);
}

const readable_by_all = 0o644;

/** Creates a file that must not exist, and that all may read whom the umask lets. @param named how an error names it @throws RefusalError */
export function createOutput(file: string, content: string | Uint8Array, named: string = file): void {
  createNamed(file, Buffer.from(content), named, readable_by_all & ~process.umask());
}

/** Creates a private file, or one with another mode, that must not exist. @throws RefusalError */
export function createNamed(file: string, content: Content, named: string = file, mode: number = private_file): void {
  try {
    createFile(file, content, mode);
  } catch (error) {
    throw fileError(error, named);
  }
}

/** Gives a finished, synced file an unused name; its old name may stay. An error leaves no file of the new name. */
export function linkNew(from: string, to: string): void {
  publish(from, to);
  syncName(to);
}

/** Puts the directory entry of a new file on the disk, or removes the file. */
function syncName(file: string): void {
  try {
    fsyncDirectory(path.dirname(file));
  } catch (error) {
    removeTemporary(file);
    throw error;
  }
}

/** Renames a finished, synced directory to an unused name, or leaves it where it was. */
export function placeDirectory(from: string, to: string): void {
  requireAbsent(to);
  // rename(2) replaces an empty directory only.
  fs.renameSync(from, to);
  try {
    fsyncDirectory(path.dirname(to));
  } catch (error) {
    takeBack(() => fs.renameSync(to, from));
    throw error;
  }
}

/**
 * link(2) fails when the name exists; rename(2) would replace it. On file systems without links (FAT, some FUSE file systems) an empty file
 * claims the name, and the finished one replaces it: a kill in between leaves it empty, never incomplete.
 * @throws RefusalError `exists`
 */
export function publish(temporary: string, file: string): void {
  try {
    fs.linkSync(temporary, file);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw existsAlready(file);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    claim(file);
    try {
      fs.renameSync(temporary, file);
    } catch (cause) {
      removeTemporary(file);
      throw cause;
    }
  }
}

function claim(file: string): void {
  try {
    fs.closeSync(fs.openSync(file, 'wx', private_file));
  } catch (error) {
    throw errorCode(error) === 'EEXIST' ? existsAlready(file) : error;
  }
}

const existsAlready = (file: string): RefusalError =>
  new RefusalError('exists', `${file} exists already and is never overwritten`);

/** @throws RefusalError `exists` when anything exists at the path, including a dangling link. */
export function requireAbsent(file: string): void {
  let stat: fs.Stats | undefined;
  try {
    stat = fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw fileError(error, file);
  }
  if (stat !== undefined) throw existsAlready(file);
}

/** @throws RefusalError `exists` for a directory inside a home, also by a link, whose backup and restore would leave it out */
export function requireOutsideHomes(directory: string, named: string = directory): void {
  const above = path.dirname(directory);
  if (above === directory) return;
  const parent = fs.existsSync(above) ? fs.realpathSync(above) : above;
  if (['identity.key', 'journal.sqlite3'].every((name) => fs.existsSync(path.join(parent, name))))
    throw new RefusalError('exists', `${named} is inside the home ${parent}; a home needs a directory of its own`);
  requireOutsideHomes(parent, named);
}

/** The next content of a private file, which is on the disk under a temporary name. */
export type PreparedFile = Readonly<ReturnType<typeof prepareFile>>;

/** Writes what is to replace a private file of this program: syncing it may take long, and placing it does not. */
export function prepareFile(file: string, bytes: Uint8Array) {
  const temporary = writeTemporary(file, bytes, private_file);
  const discard = (): void => removeTemporary(temporary);
  const place = (): void => {
    try {
      fs.renameSync(temporary, file);
    } catch (error) {
      discard();
      throw error;
    }
    fsyncDirectory(path.dirname(file));
  };
  return { place, discard };
}

/** Replaces a private file of this program atomically. */
export const replaceFile = (file: string, bytes: Uint8Array): void => prepareFile(file, bytes).place();

/** Removes what a killed writer left beside the private files. */
export function removeTemporaries(directory: string, names: readonly string[]): void {
  for (const entry of fs.readdirSync(directory)) {
    if (names.some((name) => entry.startsWith(`${name}.tmp-`))) removeFile(path.join(directory, entry));
  }
}

/** Returns what messages call a file that was named on the command line. */
export const inputName = (file: string): string => (file === standard_stream ? 'standard input' : file);

/** Returns what `read` makes of a named file. @throws RefusalError which names the file where it refuses the whole of it, and not a member */
export function ofFile<A>(file: string, read: () => A): A {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { code, detail, errors = [] } = error.refusal;
    const isOfWhole = code === 'invalid' && errors.length > 0 && errors.every(({ path }) => path === '');
    if (code !== 'malformed' && code !== 'too_large' && !isOfWhole) throw error;
    throw new RefusalError({ ...error.refusal, detail: `${inputName(file)}: ${detail}` });
  }
}

/** Reads what a command names: standard input by `-`, else a file. */
export const readNamed = (file: string, bytes_max: number): Buffer =>
  file === standard_stream ? readStandardInput(bytes_max) : readInput(file, bytes_max);

const stream_step_bytes = 65_536;

function readStandardInput(bytes_max: number): Buffer {
  const parts: Buffer[] = [];
  for (let length = 0; ; ) {
    const part = Buffer.allocUnsafe(stream_step_bytes);
    const read = readSome(part);
    if (read === 0) return Buffer.concat(parts);
    length += read;
    if (length > bytes_max) throw tooLarge('standard input', bytes_max);
    parts.push(part.subarray(0, read));
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const wait_ms = 10;

/** Returns the number of bytes read; 0 at the end. Waits where a parent made standard input non-blocking. */
function readSome(into: Buffer): number {
  for (;;) {
    try {
      return fs.readSync(0, into);
    } catch (error) {
      const code = errorCode(error);
      // Windows reports the end of a pipe as an error.
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw new RefusalError('invalid', `standard input cannot be read (${code})`);
      Atomics.wait(sleeper, 0, 0, wait_ms);
    }
  }
}

/** Opens a file that somebody else wrote. Anything else under its name, a FIFO above all, is refused without waiting for it. */
export function openInput(file: string): number {
  if (file === '') throw new RefusalError('invalid', 'a file needs a name');
  let fd: number | null = null;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (fs.fstatSync(fd).isFile()) return fd;
    throw new RefusalError('invalid', `${file} is not a file`);
  } catch (error) {
    if (fd !== null) fs.closeSync(fd);
    throw error instanceof RefusalError ? error : new RefusalError(unreadableRefusal(error, file));
  }
}

/** Reads a file of at most `bytes_max` bytes that somebody else wrote. */
export function readInput(file: string, bytes_max: number): Buffer {
  const fd = openInput(file);
  try {
    if (fs.fstatSync(fd).size > bytes_max) throw tooLarge(file, bytes_max);
    const bytes = fs.readFileSync(fd);
    if (bytes.length > bytes_max) throw tooLarge(file, bytes_max);
    return bytes;
  } catch (error) {
    throw error instanceof RefusalError ? error : new RefusalError(unreadableRefusal(error, file));
  } finally {
    fs.closeSync(fd);
  }
}

/** Reads a text of at most `bytes_max` bytes in UTF-8. */
export function readInputText(file: string, bytes_max: number): string {
  const text = fromUtf8(readInput(file, bytes_max));
  if (text === null) throw new RefusalError('malformed', `${file} is not UTF-8`);
  return text;
}

const tooLarge = (file: string, bytes_max: number): RefusalError =>
  new RefusalError('too_large', `${file} has more than ${bytes_max} bytes`);

const unusable_paths: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'the path has too many symbolic links',
  EISDIR: 'is a directory',
  EEXIST: 'a directory of its path is a file or a link to nothing',
  ENOTEMPTY: 'another command has made it meanwhile',
};

/** Returns the refusal for a known file-system error, or for damage of the journal whose entries the file gets. */
export function fileError(error: unknown, what: string): unknown {
  const code = errorCode(error);
  if (error instanceof RefusalError) return error;
  const damage = damageRefusal(error);
  if (damage !== null) return new RefusalError(damage);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new RefusalError(storageFull(`${noSpace(code)} while writing ${what}`));
  if (code === 'EFBIG')
    return new RefusalError('storage_full', `${what} would be larger than a file may be here (ulimit -f, or the file system)`);
  if (code === 'EROFS' || code === 'EIO') {
    const detail = code === 'EROFS' ? `${what} is on a read-only file system` : `the disk failed while writing ${what}`;
    return new RefusalError(notWritable(detail, code));
  }
  if (code === 'EACCES' || code === 'EPERM') return new RefusalError('forbidden', `no permission to write ${what}`);
  if (code === 'ENOENT' || code === 'ENOTDIR') return new RefusalError('not_found', `${what}: no such directory`);
  const shortage = openFilesRefusal(error, what);
  if (shortage !== null) return new RefusalError(shortage);
  const reason = unusable_paths[code];
  if (reason !== undefined) return new RefusalError('invalid', `${what}: ${reason}`);
  return code === '' ? error : new Fault(`${what} could not be written (${code})`, error);
}
