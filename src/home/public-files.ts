/**
 * A directory that others read, such as a web server: directories 0755 and files 0644 whatever the umask. A file is complete when it appears
 * under its name and is never changed, except for one that is replaced atomically; other files are not touched.
 *
 * Order, and what a crash leaves: the bytes of a file are on the disk (fsync) before it has its name, so a name never leads to a
 * part of a file; names are on the disk (fsync of their directories, `sync`) before `replace` is called with the file that leads
 * readers to them. A kill in between leaves whole files that nothing leads to yet, which the next writer finds, keeps and syncs, and at
 * most one temporary file in the top directory, which it removes.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { randomBytes } from 'node:crypto';
import { errorCode, RefusalError } from '../base/refusal.js';
import { fileError, fsyncDirectory, publish, removeFile, removeTemporary, writeTemporary } from './files.js';

/** The largest file of a published log: a checkpoint with many cosignatures. */
const published_file_bytes_max = 65_536;

const public_file = 0o644;
const public_directory = 0o755;
const temporary = /^\.publish-(\d+)-[0-9a-f]{12}\.tmp$/;

export class PublicDirectory {
  /** Directories whose entries are not known to be on the disk. */
  private readonly unsynced = new Set<string>();
  private readonly known = new Set<string>();

  private constructor(private readonly root: string) {}

  /** Opens a directory or makes it, and removes the temporary files of writers that were killed. */
  static open(root: string): PublicDirectory {
    const opened = new PublicDirectory(root);
    opened.attempt('.', () => {
      opened.directory(root);
      for (const name of fs.readdirSync(root)) if (isAbandoned(name)) removeFile(path.join(root, name));
    });
    return opened;
  }

  /** Returns the bytes of a file, or null when there is none. Of a file larger than any published one, one byte more than the limit is read. */
  read(name: string): Buffer | null {
    return this.attempt(name, () => {
      this.refuseLinks(name);
      try {
        const bytes = readFile(path.join(this.root, name));
        // A writer that was stopped may have left it before its name was on the disk.
        for (let at = path.dirname(name); at !== '.'; at = path.dirname(at)) this.unsynced.add(path.join(this.root, at));
        this.unsynced.add(this.root);
        return bytes;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw this.inTheWay(error, name);
      }
    });
  }

  /** Creates a file; returns false when the name is taken, and leaves that file unchanged. */
  create(name: string, bytes: Uint8Array): boolean {
    return this.attempt(name, () => {
      const file = path.join(this.root, name);
      this.directory(path.dirname(file));
      const whole = this.write(bytes);
      try {
        publish(whole, file);
        this.unsynced.add(path.dirname(file));
        return true;
      } catch (error) {
        if (error instanceof RefusalError && error.refusal.code === 'exists') return false;
        throw error;
      } finally {
        removeTemporary(whole);
      }
    });
  }

  /** Syncs the directories of all new names. */
  sync(): void {
    this.attempt('.', () => {
      for (const directory of this.unsynced) fsyncDirectory(directory);
      this.unsynced.clear();
    });
  }

  /** Replaces a file of the top directory atomically. */
  replace(name: string, bytes: Uint8Array): void {
    this.attempt(name, () => {
      const whole = this.write(bytes);
      try {
        fs.renameSync(whole, path.join(this.root, name));
      } catch (error) {
        removeTemporary(whole);
        throw error;
      }
      fsyncDirectory(this.root);
    });
  }

  /** Returns the names in a directory; none when it does not exist. */
  names(name: string): string[] {
    this.refuseLinks(`${name}/`);
    try {
      return fs.readdirSync(path.join(this.root, name));
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
      throw fileError(error, path.join(this.root, name));
    }
  }

  /** Removes a file, and its directory when nothing else is in it. */
  remove(name: string): void {
    this.attempt(name, () => {
      const file = path.join(this.root, name);
      removeFile(file);
      try {
        fs.rmdirSync(path.dirname(file));
      } catch (error) {
        if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
      }
    });
  }

  /**
   * A link at a level between the root and a file leads to a place that was not named. The root itself may be one. `name/` counts
   * the last level as well.
   */
  private refuseLinks(name: string): void {
    const levels = name.split('/').slice(0, -1);
    for (const [i] of levels.entries()) {
      const level = levels.slice(0, i + 1).join('/');
      const directory = path.join(this.root, level);
      if (this.known.has(directory)) continue;
      const stat = fs.lstatSync(directory, { throwIfNoEntry: false });
      if (stat?.isSymbolicLink() === true) throw this.inTheWay(Object.assign(new Error('a link'), { code: 'ELOOP' }), level);
      if (stat?.isDirectory() !== true) return;
    }
  }

  /** Makes a directory and those above it. */
  private directory(directory: string): void {
    if (this.known.has(directory)) return;
    const above = path.dirname(directory);
    if (directory.startsWith(this.root + path.sep) || !fs.existsSync(above)) this.directory(above);
    try {
      fs.mkdirSync(directory, { mode: public_directory });
      fs.chmodSync(directory, public_directory);
      this.unsynced.add(above);
    } catch (error) {
      const look = directory === this.root || !directory.startsWith(this.root + path.sep) ? fs.statSync : fs.lstatSync;
      const isThere = errorCode(error) === 'EEXIST' && look(directory, { throwIfNoEntry: false })?.isDirectory() === true;
      if (!isThere) throw this.inTheWay(error, path.relative(this.root, directory));
    }
    this.known.add(directory);
  }

  private write(bytes: Uint8Array): string {
    const file = path.join(this.root, `.publish-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
    return writeTemporary(file, bytes, public_file, file);
  }

  private attempt<A>(name: string, work: () => A): A {
    try {
      return work();
    } catch (error) {
      throw fileError(error, path.join(this.root, name));
    }
  }

  /** Refuses a file in the place of a directory, and a directory or a link in the place of a file: somebody else made it. */
  private inTheWay(error: unknown, name: string): unknown {
    if (!['ENOTDIR', 'EEXIST', 'ELOOP', 'EISDIR'].includes(errorCode(error))) return error;
    return new RefusalError(
      'conflict',
      `${path.join(this.root, name)} is in the way and is left unchanged; publish into another directory`,
    );
  }
}

/** Returns whether a temporary file's writer has ended. If another process has its pid now, the file is removed later. */
function isAbandoned(name: string): boolean {
  const writer = Number(temporary.exec(name)?.[1] ?? 0);
  if (writer === 0) return false;
  if (writer === process.pid) return true;
  try {
    process.kill(writer, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

function readFile(file: string): Buffer {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, published_file_bytes_max + 1));
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    fs.closeSync(fd);
  }
}
