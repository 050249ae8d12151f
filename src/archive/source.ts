/** The source of an archive's bytes: a file that is read by position from one descriptor, or bytes in memory. */
import * as fs from 'node:fs';
import { Fault, type RefusalCode, RefusalError, unreadableRefusal } from '../base/refusal.js';
import { archive_chunk_bytes } from '../base/limits.js';

export interface Source {
  /** Size when it was opened; bytes beyond it are never read. */
  readonly size: number;
  /** Returns `bytes` bytes from `at`, both within `size`. */
  readonly read: (at: number, bytes: number) => Buffer;
  /** Refuses a file that changed since it was opened. */
  readonly expectUnchanged: () => void;
  /** A refusal that names this archive. */
  readonly refusal: (code: RefusalCode, reason: string) => RefusalError;
  readonly close: () => void;
}

export const malformed = (source: Source, reason: string): RefusalError => source.refusal('malformed', reason);

const refusalOf =
  (what: string) =>
  (code: RefusalCode, reason: string): RefusalError =>
    new RefusalError(code, `${what} ${reason}`);

const tooLarge = (bytes_max: number): string => `has more than ${bytes_max} bytes`;

export function bytesSource(bytes: Buffer, what: string, bytes_max: number): Source {
  const refusal = refusalOf(what);
  if (bytes.length > bytes_max) throw refusal('too_large', tooLarge(bytes_max));
  return {
    size: bytes.length,
    read: (at, length) => bytes.subarray(at, at + length),
    expectUnchanged: () => {},
    refusal,
    close: () => {},
  };
}

/** Opens a file without waiting for the other end of a pipe; accepts only regular files. @param named how refusals name it */
export function fileSource(file: string, bytes_max: number, named = file): Source {
  const refusal = refusalOf(named);
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    throw new RefusalError(unreadableRefusal(error, named));
  }
  try {
    const stat = fs.fstatSync(fd, { bigint: true });
    if (!stat.isFile()) throw refusal('invalid', 'is not a file');
    if (stat.size > bytes_max) throw refusal('too_large', tooLarge(bytes_max));
    return openSource(fd, stat, named);
  } catch (error) {
    fs.closeSync(fd);
    throw error instanceof RefusalError ? error : new RefusalError(unreadableRefusal(error, named));
  }
}

/** Reads some bytes. The disk that fails here is the archive's, not the one that its reader writes to. */
function readSome(fd: number, into: Buffer, offset: number, at: number, named: string): number {
  try {
    return fs.readSync(fd, into, offset, into.length - offset, at);
  } catch (error) {
    throw new RefusalError(unreadableRefusal(error, named));
  }
}

function openSource(fd: number, opened: fs.BigIntStats, named: string): Source {
  const refusal = refusalOf(named);
  let closed = false;
  // The number of a closed descriptor may belong to another file already.
  const own = (): number => {
    if (closed) throw new Fault('the archive is closed');
    return fd;
  };
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const count = readSome(own(), bytes, done, at + done, named);
      if (count === 0) throw refusal('malformed', 'became shorter while it was read');
      done += count;
    }
    return bytes;
  };
  const expectUnchanged = (): void => {
    const now = fs.fstatSync(own(), { bigint: true });
    if (now.size !== opened.size || now.mtimeNs !== opened.mtimeNs) throw refusal('malformed', 'changed while it was read');
  };
  const close = (): void => {
    if (!closed) fs.closeSync(fd);
    closed = true;
  };
  return { size: Number(opened.size), read, expectUnchanged, refusal, close };
}

const shown_bytes_max = 60;

/** Returns an untrusted name for a message: printable ASCII as it is, quotes, backslashes and every other byte as `\xNN`, cut when it is long. */
export function shownName(bytes: Uint8Array): string {
  const shown = [...bytes.subarray(0, shown_bytes_max)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `"${shown.join('')}${bytes.length > shown_bytes_max ? '…' : ''}"`;
}

/** Yields `bytes` bytes from `at` in pieces. */
export function* chunks(source: Source, at: number, bytes: number): Generator<Buffer, void, undefined> {
  for (let done = 0; done < bytes; done += archive_chunk_bytes) {
    yield source.read(at + done, Math.min(archive_chunk_bytes, bytes - done));
  }
}
