/**
 * The built-in token: the current content of the file api.token. Replacing the file by hand needs no event, so the file decides.
 */
import * as fs from 'node:fs';
import { sha256 } from '../../base/hash.js';
import { token_file_bytes_max } from '../../base/limits.js';
import { errorCode } from '../../base/fault.js';
import { isTokenText } from './token-text.js';

/**
 * The time after a change in which the file may change again and have the same timestamps, in ms: they are not finer than a kernel
 * tick.
 */
const settled_ms = 1_000;

interface Seen {
  readonly look: string;
  /** SHA-256 of the token; null when there is none. */
  readonly digest: Buffer | null;
  /** Whether the file's metadata identifies its content from now on. */
  readonly settled: boolean;
}

/** Returns the token's SHA-256, or null while the file holds none; the file is read again only when it changed. */
export function tokenFileReader(file: string): () => Buffer | null {
  let seen: Seen | null = null;
  return () => {
    const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
    const look = lookOf(stat);
    if (seen?.look !== look || !seen.settled) seen = read(file);
    return seen.digest;
  };
}

const lookOf = (stat: fs.BigIntStats | undefined): string =>
  stat === undefined ? '' : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;

const gone = ['ENOENT', 'ELOOP', 'EACCES'];

function read(file: string): Seen {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (!gone.includes(errorCode(error))) throw error;
    return { look: '', digest: null, settled: false };
  }
  try {
    const stat = fs.fstatSync(fd, { bigint: true });
    const text = stat.isFile() && stat.size <= token_file_bytes_max ? fs.readFileSync(fd, 'latin1') : '';
    // Editors end a file with a line feed.
    const token = text.replace(/\r?\n$/, '');
    const settled = Number(stat.ctimeMs) + settled_ms < Date.now();
    return { look: lookOf(stat), digest: isTokenText(token) ? sha256(token) : null, settled };
  } finally {
    fs.closeSync(fd);
  }
}
