/** Whether the files of a home can be written, and what the system says where they cannot. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { errorCode, notWritable, type Refusal } from '../base/refusal.js';
import type { HomePaths } from './paths.js';

/**
 * Returns the refusal of every attempt to write, when a file that each command writes cannot be written: on a read-only mount, medium or
 * snapshot (EROFS), or as a user without the permission (EACCES, EPERM). Returns null otherwise. Only the system's own answer counts: a disk that
 * fails shows it when it is written.
 */
export function unwritableReason({ directory, journal, lock }: HomePaths): Refusal | null {
  for (const file of [directory, journal, `${journal}-wal`, `${journal}-shm`, lock]) {
    const cause = accessError(file);
    if (cause === null || cause === 'ENOENT') continue;
    const what = file === directory ? 'the home' : path.basename(file);
    return notWritable(`${what} ${meanings[cause] ?? 'cannot be written'}`, cause);
  }
  return null;
}

function accessError(file: string): string | null {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return null;
  } catch (error) {
    return errorCode(error);
  }
}

const meanings: Readonly<Partial<Record<string, string>>> = {
  EROFS: 'is on a read-only file system',
  EACCES: 'may not be written by this user',
  EPERM: 'is protected from being written',
};
