/**
 * The ballast: disk space that a home reserves. On a full disk a command frees a part of it to open the journal (SQLite needs
 * a shared memory file even to read), an end of work that is recorded frees at most half, and a pause frees all of it. A kill in between leaves it short; the next close fills it.
 */
import * as fs from 'node:fs';
import { ballast_bytes, journal_open_bytes } from '../base/limits.js';
import { createNamed } from './files.js';
import { refuseIrregular } from './regular-file.js';

/** Returns the size of the ballast, 0 when it is missing. */
export function ballastSize(file: string): number {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : 0;
}

/**
 * Creates a missing ballast.
 * @throws RefusalError `storage_full` when there is still no room for it, `integrity` when it is not a regular file
 */
export function keepBallast(file: string): void {
  refuseIrregular(file);
  if (fs.existsSync(file)) return;
  createNamed(file, Buffer.alloc(ballast_bytes), 'the ballast');
}

/** Frees the space that opening the journal takes; returns false when too little is left. */
export function lendBallast(file: string): boolean {
  const size = ballastSize(file);
  if (size < journal_open_bytes) return false;
  fs.truncateSync(file, size - journal_open_bytes);
  return true;
}

/** Frees what is there of the first half; returns false when it was freed before and not filled since. */
export function spendBallast(file: string): boolean {
  if (ballastSize(file) <= ballast_bytes / 2) return false;
  fs.truncateSync(file, ballast_bytes / 2);
  return true;
}

/** Fills a shortened ballast as far as the disk allows; after a pause freed it, it is missing until `resume`. */
export function returnBallast(file: string): void {
  try {
    const size = ballastSize(file);
    // Opening a FIFO would wait for its reader.
    if (size < ballast_bytes && fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true)
      fs.appendFileSync(file, Buffer.alloc(ballast_bytes - size));
  } catch {
    // Still full, or the disk fails: doctor reports that the ballast is short. What the command recorded stays recorded.
  }
}
